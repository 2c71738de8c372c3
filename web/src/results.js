// SPDX-License-Identifier: Apache-2.0
// The panel of a run's results: figures, findings, the elements of a tile with their errors, and
// the account of one element's error.
import {curve} from './curve.js';
import {float, hex, ulpText, wordText} from './numbers.js';

export const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};
export const button = (text, click, props = {}) =>
  make('button', {type: 'button', textContent: text, onclick: click, ...props});
export const count = n => String(n).replace(/\B(?=(\d{3})+(?:\.|$))/g, '\u202f');

export function figures(list) {
  return make('div', {className: 'figures'}, ...list.filter(Boolean).map(([value, what, kind]) =>
    make('div', {className: 'figure ' + (kind || '')}, make('b', {textContent: value}),
      make('span', {textContent: what}))));
}

// Lists findings; a click on a rule explains it.
export const findings = (list, hooks) => list.length === 0 ? [] :
  [make('ul', {className: 'findings'}, ...list.map(f => make('li', {},
    make('b', {textContent: `${f.category}: `}), f.message || f.text || '', ' ',
    f.rule ? button(f.rule, () => hooks.explain(f.rule), {className: 'linklike'}) : '')))];

// Shows an error of the engine or of the page. place(line) goes to a line of the kernel.
export function failure(error, place) {
  const said = error.said, box = make('div', {className: 'failed', role: 'alert'});
  box.append(make('b', {textContent: said && said.message ? said.message : error.message}));
  if (said && said.line)
    box.append(button(`line ${said.line}`, () => place(said.line, said.column || 1),
      {className: 'linklike'}), ' ', make('code', {textContent: (said.source || '').trim()}));
  return box;
}

// Shows an account of shadow execution: {got, exact, error_ulp, method_ulp, guilty, steps}.
export function account(one, {integer, place}) {
  const box = make('div', {});
  if (!one.stored) {
    box.append(make('p', {textContent: 'The kernel stores nothing there.'}));
    return box;
  }
  const guilty = one.guilty && typeof one.guilty === 'object' ? one.guilty : null;
  const size = x => typeof x === 'number' ? ulpText(Math.abs(x)) + ' ULP' : 'not finite';
  box.append(make('p', {className: 'told'},
    `${one.inputs.length > 1 ? 'Inputs' : 'Input'} ${one.inputs.map(x => wordText(Number(x), integer)).join(', ')}; error ${size(one.error_ulp)} ` +
    `against the function as it is before rounding; exact arithmetic would leave ` +
    `${size(one.method_ulp)} (the method). `,
    guilty ? make('b', {textContent:
      `Most of it enters at ${guilty.line ? `line ${guilty.line}: ` : ''}${guilty.instruction}.`}) :
      typeof one.guilty === 'string' ? make('b', {textContent: one.guilty === 'method' ?
      'Most of it is the method itself.' : `To blame: ${one.guilty}.`}) : ''));
  const head = make('tr', {});
  for (const [text, kind] of [['line', ''], ['instruction', 'insn'], ['value', ''], ['exact', ''],
    ['own ULP', ''], ['so far', ''], ['share', ''], ['what happened', 'left']])
    head.append(make('th', {textContent: text, className: kind, scope: 'col'}));
  const body = make('tbody', {});
  const ulp = x => x === null || x === undefined ? '' :
    typeof x === 'number' ? String(+x.toPrecision(3)) : String(x);
  for (const step of one.steps) {
    const row = make('tr', {tabIndex: 0});
    if (guilty && step.word === guilty.word && step.cycle === guilty.cycle)
      row.className = 'guilty';
    for (const [text, kind] of [[step.line || '', ''], [step.instruction, 'insn'],
      [step.value, ''], [step.exact, ''], [ulp(step.own_ulp), ''], [ulp(step.ulp), ''],
      [ulp(step.share_ulp), ''],
      [[step.taken, ...step.events || []].filter(Boolean).join(', '), 'wrap']])
      row.append(make('td', {textContent: text, className: kind}));
    row.onclick = () => step.line && place(step.line);
    row.onkeydown = event => event.key === 'Enter' && row.onclick();
    body.append(row);
  }
  box.append(make('div', {className: 'steps', tabIndex: 0}, make('table', {},
    make('thead', {}, head), body)));
  return box;
}

const ROW = 24, SHOWN = 40;

// A table of the elements of one tile. Only the visible rows exist.
class Elements {
  constructor(tile, {choose, offset, reveal}) {
    this.tile = tile;
    this.choose = choose;
    this.offset = offset;
    const {ok, arrays} = tile, compared = ok.reference !== null;
    this.compared = compared;
    this.order = Array.from({length: Math.min(1024, ok.elements - offset)}, (_, i) => i);
    this.hex = false;
    this.node = make('div', {className: 'rows', tabIndex: 0, role: 'region',
      ariaLabel: 'Elements of the tile'});
    const head = make('tr', {});
    const names = ['#', ...arrays.held.map((_, k) => arrays.held.length > 1 ? `input ${k}` :
      'input'), 'result', ...compared ? [ok.reference, 'ULP'] : []];
    for (const name of names) head.append(make('th', {textContent: name, scope: 'col'}));
    this.above = make('tr', {});
    this.below = make('tr', {});
    this.body = make('tbody', {});
    this.node.append(make('table', {}, make('thead', {}, head), this.body));
    this.node.onscroll = () => this.draw();
    this.selected = reveal ?? -1;
    this.draw(true);
  }
  sort(worst) {
    const {ulp} = this.tile.arrays;
    const size = i => Number.isFinite(ulp[i]) ? ulp[i] : Infinity;
    this.order.sort((a, b) => worst && size(b) !== size(a) ? size(b) - size(a) : a - b);
    this.node.scrollTop = 0;
    this.draw(true);
  }
  draw(force) {
    const from = Math.max(0, Math.floor(this.node.scrollTop / ROW) - 10);
    if (!force && Math.abs(from - this.from) < 5) return;
    this.from = from;
    const {ok, arrays} = this.tile, to = Math.min(this.order.length, from + SHOWN);
    const cell = (word, integer) => {
      const td = make('td', {textContent: wordText(word, integer)});
      if (this.hex) td.append(make('span', {className: 'hex', textContent: hex(word)}));
      return td;
    };
    const gap = n => {
      const td = make('td', {});
      td.style.cssText = `padding:0;border:0;height:${n * ROW}px`;
      return make('tr', {ariaHidden: 'true'}, td);
    };
    const rows = [];
    if (from > 0) rows.push(gap(from));
    for (let k = from; k < to; k++) {
      const i = this.order[k], row = make('tr', {tabIndex: -1, ariaSelected: i === this.selected});
      row.dataset.element = this.offset + i;
      row.style.height = ROW + 'px';
      row.append(make('td', {className: 'dim', textContent: this.offset + i}));
      for (const held of arrays.held) row.append(cell(held[i], ok.integer_in));
      row.append(cell(arrays.got[i], ok.integer_out));
      if (this.compared)
        row.append(cell(arrays.expected[i], ok.integer_out), make('td',
          {textContent: ulpText(arrays.ulp[i]), className: arrays.ulp[i] > 0 ? 'bad' : ''}));
      row.onclick = () => { this.select(i); };
      rows.push(row);
    }
    if (to < this.order.length) rows.push(gap(this.order.length - to));
    this.body.replaceChildren(...rows);
  }
  select(i) {
    this.selected = i;
    this.draw(true);
    this.choose(this.offset + i);
  }
  // Handles arrow keys and Enter.
  key(event) {
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15}[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.order.indexOf(this.selected);
    const next = Math.min(Math.max(at + step, 0), this.order.length - 1);
    this.select(this.order[next]);
    const top = next * ROW, {scrollTop, clientHeight} = this.node;
    if (top < scrollTop || top > scrollTop + clientHeight - 3 * ROW)
      this.node.scrollTop = top - clientHeight / 2;
  }
}

// Shows a tile of 32 x 32 as colours: the errors if there is a reference, else the results.
function map(tile, elements, colors) {
  const canvas = make('canvas', {width: 32, height: 32, tabIndex: 0, role: 'img',
    ariaLabel: 'The tile, darker where the error is larger'});
  const g = canvas.getContext('2d'), {arrays, ok} = tile, compared = ok.reference !== null;
  const value = i => {
    if (compared) return Number.isFinite(arrays.ulp[i]) ? arrays.ulp[i] : NaN;
    const x = ok.integer_out ? arrays.got[i] | 0 : Number(wordText(arrays.got[i], false));
    return Math.abs(x);
  };
  const draw = () => {
    const {accent, bad, panel} = colors(canvas);
    const all = Array.from({length: 1024}, (_, i) => value(i));
    const most = all.reduce((m, x) => Number.isFinite(x) ? Math.max(m, x) : m, 0);
    g.globalAlpha = 1;
    g.fillStyle = panel;
    g.fillRect(0, 0, 32, 32);
    all.forEach((x, i) => {
      g.globalAlpha = Number.isFinite(x) ? (most > 0 ? 0.9 * x / most : 0) : 1;
      g.fillStyle = Number.isFinite(x) ? accent : bad;
      g.fillRect(i % 32, i >> 5, 1, 1);
    });
  };
  const at = event => {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / box.width * 32);
    const y = Math.floor((event.clientY - box.top) / box.height * 32);
    return x < 0 || y < 0 || x > 31 || y > 31 ? -1 : 32 * y + x;
  };
  const about = make('span', {className: 'dim', textContent: '\u00a0'});
  const tell = i => {
    about.textContent = i < 0 || i >= elements.order.length ? '\u00a0' :
      `row ${i >> 5}, column ${i % 32}: ${wordText(arrays.got[i], ok.integer_out)}` +
      (compared ? `, ${ulpText(arrays.ulp[i])} ULP` : '');
  };
  canvas.onmousemove = event => tell(at(event));
  canvas.onclick = event => {
    const i = at(event);
    if (i >= 0 && i < elements.order.length) elements.select(i);
  };
  canvas.onkeydown = event => {
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 32, ArrowUp: -32}[event.key];
    if (!step) return;
    event.preventDefault();
    const i = Math.min(Math.max(Math.max(elements.selected, 0) + step, 0),
      elements.order.length - 1);
    elements.select(i);
    tell(i);
  };
  return {draw, node: make('div', {className: 'map'},
    make('span', {className: 'dim', textContent: compared ? 'Errors in the tile' :
      'Magnitudes in the tile'}), canvas, about)};
}

// The tile's results over its inputs, where these are numbers of one kind.
function graph({ok, arrays}, elements, colors) {
  if (arrays.held.length !== 1) return null;
  const number = (word, integer) => integer ? word | 0 : float(word);
  const points = elements.order.map(i => ({x: number(arrays.held[0][i], ok.integer_in),
    y: number(arrays.got[i], ok.integer_out),
    want: ok.reference !== null ? number(arrays.expected[i], ok.integer_out) : NaN}));
  return curve(points, `Results of this tile over their inputs${ok.reference !== null ?
    `; the line beneath is ${ok.reference}` : ''}`, colors);
}

// result: {run, cycles, tile, other, milliseconds}; hooks: place(line), explain(id), choose(element),
// tile(number), save(), colors(node)
export function results(panel, result, hooks) {
  const {run, tile} = result, accuracy = run.accuracy;
  const nodes = [figures([
    [count(run.elements), run.elements === 1 ? 'element' : 'elements'],
    [run.cycles_per_row === undefined ? '' : String(+run.cycles_per_row.toFixed(2)),
      'cycles a row of 32'],
    [count(+run.cycles_per_tile.toFixed(1)), 'cycles a tile'],
    accuracy && [accuracy.mismatched ? 'mismatch' : ulpText(accuracy.max_ulp),
      accuracy.tile ? 'max ULP in this tile' : 'max ULP',
      accuracy.mismatched ? 'bad' : ''],
    accuracy && [ulpText(accuracy.mean_ulp), 'mean ULP'],
    accuracy && [count(accuracy.exact), `of ${count(accuracy.compared)} exact`,
      accuracy.exact === accuracy.compared ? 'good' : ''],
    run.findings.length > 0 && [String(run.findings.length), 'findings', 'bad']
  ])];
  nodes.push(...findings(run.findings, hooks), make('p', {className: 'told other', textContent: result.other || ''}));
  const why = make('div', {className: 'why'});
  const offset = 1024 * result.tileNumber;
  const elements = new Elements(tile, {offset, reveal: result.selected,
    choose: element => hooks.choose(element, why)});
  elements.node.onkeydown = event => elements.key(event);
  const tiles = Math.max(1, tile.ok.tiles), tools = make('div', {className: 'tools'});
  if (tiles > 1) {
    const number = make('input', {type: 'number', min: 0, max: tiles - 1,
      value: result.tileNumber, ariaLabel: 'Tile'});
    number.onchange = () => hooks.tile(Math.min(Math.max(0, +number.value || 0), tiles - 1));
    tools.append(make('label', {}, 'Tile', number, `of ${count(tiles)}`));
  }
  if (elements.compared) {
    const worst = make('input', {type: 'checkbox'});
    worst.onchange = () => elements.sort(worst.checked);
    tools.append(make('label', {}, worst, 'worst first'));
  }
  const patterns = make('input', {type: 'checkbox'});
  patterns.onchange = () => { elements.hex = patterns.checked; elements.draw(true); };
  tools.append(make('label', {}, patterns, 'patterns'), button('Save .npy', hooks.save));
  nodes.push(tools);
  const picture = map(tile, elements, hooks.colors), drawn = graph(tile, elements, hooks.colors);
  nodes.push(...drawn ? [drawn.node] : [],
    make('div', {className: 'cols'}, elements.node, picture.node), why);
  panel.replaceChildren(...nodes);
  const redraw = () => {
    picture.draw();
    if (drawn) drawn.draw();
  };
  setTimeout(redraw); // the numbers first
  return {redraw, select: element => elements.select(element - offset)};
}
