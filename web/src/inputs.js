// SPDX-License-Identifier: Apache-2.0
// The chooser of inputs. An input is {kind: 'range', from, to, count}, {kind: 'random', from, to,
// count, seed}, {kind: 'numbers', text}, {kind: 'all'} or {kind: 'file', name, data}.
import {inputWords, npyHead, npyOf} from './numbers.js';
import {base64, bytesOf} from './share.js';

const KINDS = {range: 'range', numbers: 'numbers', random: 'random', all: 'all of 16 bits',
  file: '.npy file'};
const FIELDS = {
  range: [['from', 'from'], ['to', 'to'], ['count', 'count']],
  random: [['from', 'from'], ['to', 'to'], ['count', 'count'], ['seed', 'seed']]
};
const SHARED = 256 << 10; // the largest file that goes into a link

export const first = integer => integer ?
  {kind: 'range', from: '-512', to: '511', count: '1024'} :
  {kind: 'range', from: '-4', to: '4', count: '1024'};

const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};

export class Inputs {
  #form;
  #list = [];
  #integer = false;
  #changed;

  constructor(form, changed) {
    this.#form = form;
    this.#changed = changed;
    form.addEventListener('submit', event => event.preventDefault());
    for (const name of ['dragover', 'dragleave', 'drop'])
      form.addEventListener(name, event => this.#drag(event));
  }

  // Sets the number of inputs and whether they are integers. Choices that still fit are kept.
  shape(count, integer) {
    if (this.#list.length === count && this.#integer === integer) return;
    if (this.#integer !== integer) this.#list = [];
    this.#integer = integer;
    while (this.#list.length < count) this.#list.push(first(integer));
    this.#list.length = count;
    this.#draw();
  }

  get list() {
    return this.#list.map(one => one.kind === 'file' ? {kind: 'file', name: one.name,
      data: one.data && one.data.length <= SHARED ? base64(one.data) : ''} : {...one});
  }
  set list(list) {
    this.#list = list.map(one => one.kind !== 'file' ? {...one} :
      {...one, data: one.data ? bytesOf(one.data) : null});
    this.#draw();
  }
  // The files that are too large for a link.
  get unshared() {
    return this.#list.filter(one => one.kind === 'file' && one.data && one.data.length > SHARED);
  }

  // Returns the inputs as .npy files. Throws when an input cannot be understood.
  files() {
    return this.#list.map((one, i) => {
      const which = this.#list.length > 1 ? `Input ${i}` : 'Input';
      if (one.kind === 'file') {
        if (!one.data) throw new Error(`${which}: drop or choose a .npy file`);
        return one.data;
      }
      try {
        return npyOf(inputWords(one, this.#integer), this.#integer);
      } catch (error) {
        throw new Error(`${which}: ${error.message}`);
      }
    });
  }

  async #take(index, file) {
    const data = new Uint8Array(await file.arrayBuffer());
    try {
      npyHead(data);
    } catch (error) {
      this.#changed(new Error(`${file.name}: ${error.message}`));
      return;
    }
    this.#list[index] = {kind: 'file', name: file.name, data};
    this.#draw();
    this.#changed();
  }

  #drag(event) {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    this.#form.classList.toggle('drop', event.type === 'dragover');
    if (event.type !== 'drop') return;
    const row = event.target.closest('.one');
    const from = row ? [...this.#form.children].indexOf(row) : 0;
    [...event.dataTransfer.files].slice(0, this.#list.length - from)
      .forEach((file, i) => this.#take(from + i, file));
  }

  #draw() {
    this.#form.replaceChildren(...this.#list.map((one, i) => this.#row(one, i)));
  }

  #row(one, index) {
    const label = this.#list.length > 1 ? `Input ${index}` : 'Input';
    const kind = make('select', {ariaLabel: `${label}: kind`});
    for (const [value, text] of Object.entries(KINDS))
      kind.append(make('option', {value, selected: value === one.kind,
        textContent: value === 'all' ? (this.#integer ? 'all INT16' : 'all BF16') : text}));
    kind.onchange = () => {
      this.#list[index] = {...first(this.#integer), seed: '1', text: this.#integer ?
        '-2 -1 0 1 2 1000' : '-2 -1 -0.5 0 0.5 1 2 inf nan', ...one, kind: kind.value};
      this.#draw();
      this.#form.children[index].querySelector('select').focus();
      this.#changed();
    };
    const row = make('div', {className: 'one'}, make('span', {className: 'what',
      textContent: label}), kind);
    for (const [key, text] of FIELDS[one.kind] || []) {
      const field = make('input', {type: 'text', className: 'short', value: one[key] ?? '',
        ariaLabel: `${label}: ${text}`, inputMode: 'decimal'});
      field.oninput = () => { one[key] = field.value; this.#changed(); };
      row.append(make('label', {}, text, field));
    }
    if (one.kind === 'numbers') {
      const field = make('input', {type: 'text', value: one.text || '', spellcheck: false,
        ariaLabel: `${label}: numbers`, title: '1, -2.5, 0x3f800000, nan, inf, -1:1:0.25'});
      field.oninput = () => { one.text = field.value; this.#changed(); };
      row.append(field);
    } else if (one.kind === 'file') {
      const field = make('input', {type: 'file', accept: '.npy', ariaLabel: `${label}: file`,
        hidden: true});
      field.onchange = () => field.files[0] && this.#take(index, field.files[0]);
      const button = make('button', {type: 'button', textContent: 'Choose...'});
      button.onclick = () => field.click();
      let about = 'or drop one here';
      if (one.data) {
        const head = npyHead(one.data);
        about = `${one.name}: ${head.descr} (${head.shape.join(', ')})`;
      } else if (one.name) {
        about = `${one.name} was too large for the link: choose it again`;
      }
      row.append(button, field, make('span', {className: 'dim', textContent: about}));
    }
    return row;
  }
}
