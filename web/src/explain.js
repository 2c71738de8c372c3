// SPDX-License-Identifier: Apache-2.0
// The panel that explains an instruction, rule, erratum or piece of evidence with the text of
// 'tensix explain'.
import {button, failure, make} from './results.js';

export class Explain {
  #panel;
  #ask;
  #subjects = [];
  #list;
  #text;
  #search;
  #known = new Map();
  subject = '';

  // ask(subject) returns the text.
  constructor(panel, ask) {
    this.#panel = panel;
    this.#ask = ask;
    this.#search = make('input', {type: 'search', className: 'search',
      placeholder: 'sfpmad, ERR-..., R15', ariaLabel: 'Find a subject', spellcheck: false});
    this.#list = make('div', {className: 'list', role: 'navigation', ariaLabel: 'Subjects'});
    this.#text = make('div', {ariaLive: 'polite'});
    this.#search.oninput = () => this.#draw();
    this.#search.onkeydown = event => {
      if (event.key !== 'Enter') return;
      const first = this.#list.querySelector('button');
      this.show(first ? first.textContent : this.#search.value.trim());
    };
    panel.append(make('div', {className: 'explain'},
      make('div', {}, this.#search, this.#list), this.#text));
    this.#text.append(make('p', {className: 'dim', textContent:
      'Choose an instruction, or press F1 in the editor on any word.'}));
  }

  // Lists the subjects. isa: the output of txl_isa_json.
  subjects(isa, arch) {
    this.#subjects = [['Instructions', isa.archs[arch].instructions.map(one => one.name)],
      ['Rules', isa.rules.map(one => one.name)], ['Errata', isa.errata.map(one => one.id)],
      ['Evidence', isa.evidence.map(one => one.id)]];
    this.#known = new Map(this.#subjects.flatMap(([, names]) => names.map(n => [n, true])));
    this.#draw();
  }

  #draw() {
    const wanted = this.#search.value.trim().toLowerCase();
    const nodes = [];
    for (const [title, names] of this.#subjects) {
      const found = names.filter(name => name.toLowerCase().includes(wanted));
      if (!found.length) continue;
      nodes.push(make('h3', {textContent: title}), ...found.map(name =>
        button(name, () => this.show(name), {ariaCurrent: String(name === this.subject)})));
    }
    this.#list.replaceChildren(...nodes);
  }

  async show(subject) {
    if (!subject) return;
    this.subject = subject;
    for (const one of this.#list.querySelectorAll('button'))
      one.ariaCurrent = String(one.textContent === subject);
    try {
      const text = await this.#ask(subject);
      if (subject !== this.subject) return;
      const page = make('pre', {tabIndex: 0});
      for (const part of text.split(/([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|\b[RO]-?\d+\b|\bs?fp\w+\b)/))
        page.append(this.#known.has(part) && part !== subject ?
          button(part, () => this.show(part), {className: 'linklike'}) : part);
      this.#text.replaceChildren(page);
    } catch (error) {
      this.#text.replaceChildren(failure(error, () => {}));
    }
  }
}
