// SPDX-License-Identifier: Apache-2.0
// The chooser of inputs. An input is {kind: 'range', from, to, count}, {kind: 'random', from, to,
// count, seed}, {kind: 'numbers', text}, {kind: 'all'} or {kind: 'file', name, data}.
import {laidOut, places, shapeOf} from './l1.js';
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
  #l1 = null;
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

  // Of a program from L1 to L1 {in, out}, the places of l1.js, which tell how many inputs there
  // are; null: of a kernel, which has inputs.
  get l1() { return this.#l1; }
  set l1(l1) {
    this.#l1 = l1 ? {...l1} : null;
    if (l1) this.#places();
    this.#draw();
  }
  #places() {
    let into;
    try {
      into = places(this.#l1.in);
    } catch {
      return; // told by files()
    }
    const most = shapeOf(this.#l1).reduce((a, b) => a * b, 1);
    const integer = into.some(one => one.integer);
    if (this.#integer !== integer) this.#list = [];
    this.#integer = integer;
    const names = this.#l1.names || [];
    while (this.#list.length < into.length) {
      const ones = /^ones\b/.test(names[this.#list.length]) ? {from: '1', to: '1'} : {};
      this.#list.push({...first(integer), count: String(most > 4 ? most : 1024), ...ones});
    }
    this.#list.length = into.length;
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
    const into = this.#l1 && places(this.#l1.in);
    return this.#list.map((one, i) => {
      const which = this.#label(i);
      if (one.kind === 'file') {
        if (!one.data) throw new Error(`${which}: drop or choose a .npy file`);
        return one.data;
      }
      try {
        const integer = into ? into[i].integer : this.#integer;
        const words = inputWords(one, integer);
        return npyOf(words, integer, into ? laidOut(words.length, into[i], this.#l1) : undefined);
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
    const from = row ? [...this.#form.querySelectorAll('.one')].indexOf(row) : 0;
    [...event.dataTransfer.files].slice(0, this.#list.length - from)
      .forEach((file, i) => this.#take(from + i, file));
  }

  #draw() {
    this.#form.replaceChildren(...this.#l1 ? [this.#placesRow()] : [],
      ...this.#list.map((one, i) => this.#row(one, i)));
  }

  #label(index) {
    if (this.#l1)
      return this.#l1.in.split(/[\s,]+/).filter(Boolean)[index]?.split(':')[0] || 'Input';
    return this.#list.length > 1 ? `Input ${index}` : 'Input';
  }

  #placesRow() {
    const field = (key, text, title) => {
      const input = make('input', {type: 'text', value: this.#l1[key], spellcheck: false,
        ariaLabel: text, title});
      input.onchange = () => {
        if (!this.#l1) return; // another program has taken the field away while it was edited
        this.#l1[key] = input.value.trim();
        this.#places();
        this.#draw();
        this.#form.querySelector(`[aria-label="${text}"]`).focus();
        this.#changed();
      };
      return make('label', {className: 'wide'}, text, input);
    };
    return make('div', {className: 'places'},
      field('in', 'L1 in', 'ADDRESS:FORMAT of each array that goes into L1, as --l1 has them'),
      field('out', 'L1 out', 'ADDRESS:FORMAT:SHAPE of each that comes out, as --l1-out has them'));
  }

  #row(one, index) {
    const label = this.#label(index);
    const kind = make('select', {ariaLabel: `${label}: kind`});
    for (const [value, text] of Object.entries(KINDS))
      kind.append(make('option', {value, selected: value === one.kind,
        textContent: value === 'all' ? (this.#integer ? 'all INT16' : 'all BF16') : text}));
    kind.onchange = () => {
      this.#list[index] = {...first(this.#integer), seed: '1', text: this.#integer ?
        '-2 -1 0 1 2 1000' : '-2 -1 -0.5 0 0.5 1 2 inf nan', ...one, kind: kind.value};
      this.#draw();
      this.#form.querySelectorAll('.one')[index].querySelector('select').focus();
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
