// SPDX-License-Identifier: Apache-2.0
// Shows a program's source with the cost of each line: tensixViews.source(element, files, options),
// with files [{name, lines: [[number, text], ...]}]. Events: look(place or null), choose(place); a
// place is {file, line}.
(views => {
'use strict';
const {make} = views;
// Comments, directives, numbers, registers. In C and C++ a '#' begins a directive.
const C = /(\/\/.*|\/\*.*)|(^\s*#\s*[a-z]+)|\b(0x[0-9a-fA-F]+|\d[\d.]*)[uUlLf]*\b|\b(TTI?_\w+)/g;
const WORD = /(\/\/.*|#.*|;.*)|(^\s*\.[a-z_0-9]+)|\b(0x[0-9a-fA-F]+|\d+(?:\.\d+)?)\b|\b(L\d+)\b/g;

function colored(text, name) {
  const node = make('span', 'text');
  let end = 0;
  for (const found of text.matchAll(/\.(c|h|cc|cpp|cxx|hpp)$/.test(name) ? C : WORD)) {
    node.append(text.slice(end, found.index),
      make('span', found[1] ? 'comment' : found[2] ? 'directive' : found[3] ? 'amount' :
        'register', found[0]));
    end = found.index + found[0].length;
  }
  node.append(text.slice(end));
  return node;
}

views.source = (element, files, options = {}) => {
  const bus = views.events(), rows = new Map();
  element.classList.add('tx-source');
  let marked = [], chosen = [];
  const place = row => ({file: +row.dataset.file, line: +row.dataset.line});
  const view = {
    // Marks the places of a cycle. by: no instruction is issued there, but one is scheduled by the
    // SFPLOADMACRO there, or a core is there. scroll: scrolls to the first place without by.
    mark(places, scroll) {
      for (const row of marked) row.classList.remove('at', 'by');
      const first = places.filter(p => !p.by), rest = places.filter(p => p.by);
      const rowOf = p => rows.get(p.file + ':' + p.line);
      marked = [...first, ...rest].map(rowOf).filter(Boolean);
      for (const p of places) {
        const row = rowOf(p);
        if (row) row.classList.add(p.by ? 'by' : 'at');
      }
      if (scroll && marked.length) {
        const row = marked[0], top = row.offsetTop;
        if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 24)
          element.scrollTop = top - element.clientHeight / 3;
      }
    },
    choose(places) {
      for (const row of chosen) row.classList.remove('chosen');
      chosen = places.map(p => rows.get(p.file + ':' + p.line)).filter(Boolean);
      for (const row of chosen) row.classList.add('chosen');
    },
    // For each "file:line" the text shown beside it, and whether there is a finding.
    notes(of) {
      for (const [key, row] of rows) {
        const note = of(key);
        row.classList.toggle('broken', !!note.broken);
        row.classList.toggle('none', !note.text);
        row.classList.toggle('core', !!note.core);
        row.children[1].textContent = note.text;
        row.title = note.title || '';
        row.tabIndex = note.text ? 0 : -1;
      }
    },
    on: bus.on,
    update(next) {
      rows.clear();
      chosen = [];
      element.replaceChildren();
      next.forEach((file, index) => {
        if (!file.lines.length) return;
        if (next.length > 1 || options.names) {
          const name = element.appendChild(make('div', 'file', file.name.split('/').pop()));
          name.dataset.file = index;
          name.title = file.name;
        }
        let before = 0;
        for (const [line, text] of file.lines) {
          const row = make('div', before && line > before + 1 ? 'line gap' : 'line');
          before = line;
          row.dataset.file = index;
          row.dataset.line = line;
          row.append(make('span', 'number', line), make('span', 'cycles'), colored(text, file.name));
          rows.set(index + ':' + line, row);
          element.append(row);
        }
      });
    },
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  const of = e => e.target.closest && e.target.closest('.line');
  for (const [name, event] of [['mouseover', 'look'], ['focusin', 'look'], ['click', 'choose']])
    bus.listen(element, name, e => { if (of(e)) bus.emit(event, place(of(e))); });
  for (const name of ['mouseleave', 'focusout'])
    bus.listen(element, name, () => bus.emit('look', null));
  bus.listen(element, 'keydown', e => {
    const row = of(e);
    if (!row) return;
    if (e.key === 'Enter') bus.emit('choose', place(row));
    else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      const list = [...rows.values()].filter(r => r.tabIndex === 0);
      const next = list[list.indexOf(row) + (e.key === 'ArrowDown' ? 1 : -1)];
      if (next) next.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  });
  view.update(files);
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
