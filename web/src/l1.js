// SPDX-License-Identifier: Apache-2.0
// Programs from L1 to L1: which arrays go in and come out, as one writes them for the command, and
// what came out.
import {npyHead, shortest} from './numbers.js';
import {button, count, figures, findings, make} from './results.js';

const PLAIN = {in: '0x10000:bf16', out: '0x20000:bf16:32x32'};

// The options in the head comment of a program, "tensix run ... --l1 0x10000=x.npy:bf16", without
// its files, of which names tells; null: there are none.
export function l1Of(text) {
  const head = text.split('\n').filter(line => line.startsWith('#')).join(' ');
  const of = option => [...head.matchAll(new RegExp(`--${option} (\\S+)`, 'g'))]
    .map(([, all]) => all);
  const names = of('l1').map(one => (/=([^:]*)/.exec(one) || [])[1] || '');
  const into = of('l1').map(one => one.replace(/=[^:]*/, ''));
  const out = of('l1-out').map(one => one.replace(/=.*/, ''));
  return into.length && out.length ? {in: into.join(' '), out: out.join(' '), names} : null;
}
export const isThreaded = program =>
  [...program.init, ...program.tile].some(one => one.thread !== undefined);
export const wantsL1 = (program, text) => l1Of(text) !== null || isThreaded(program);
export const firstL1 = text => l1Of(text) || PLAIN;

const list = text => text.split(/[\s,]+/).filter(Boolean);
// [{address, rest, integer}] of places; throws what is wrong with one.
export function places(text) {
  return list(text).map(one => {
    const found = /^(0x[0-9a-f]+|\d+)((?::[\w-]+)*)$/i.exec(one);
    if (!found) throw new Error(`L1: '${one}' is not ADDRESS:FORMAT, such as 0x10000:bf16`);
    return {address: found[1], rest: found[2],
      integer: /:u/i.test(found[2]) ? 'unsigned' : /:int/i.test(found[2])};
  });
}
// Rows and columns of the first array that comes out: what goes in is laid out like it.
export function shapeOf(l1) {
  const found = /:(\d+(?:x\d+)*)(?::|\s|,|$)/.exec(l1.out);
  return found ? found[1].split('x').map(Number) : [];
}
// The shape of so many numbers at a place: as what comes out, else whole tiles, else a row.
export function laidOut(count, place, l1) {
  const shape = shapeOf(l1);
  if (shape.length > 1 && shape.reduce((a, b) => a * b) === count) return shape;
  return count % 1024 === 0 && !/:rows\b/.test(place.rest) ? [count / 32, 32] : [count];
}
// The options as the engine takes them, its files, and names for what comes out.
export function l1Options(l1) {
  const outs = places(l1.out).map((one, i) => ({...one, file: `/out${i}.npy`}));
  return {
    l1_in: places(l1.in).map((one, i) => `${one.address}=/in${i}.npy${one.rest}`),
    l1_out: outs.map(one => `${one.address}${one.rest}=${one.file}`),
    outputs: outs.map(one => one.file)
  };
}

/* ---- what came out ---- */

const READ = {
  '<f4': (view, i) => shortest(view.getUint32(4 * i, true)),
  '<f8': (view, i) => String(view.getFloat64(8 * i, true)),
  '<i4': (view, i) => String(view.getInt32(4 * i, true)),
  '<u4': (view, i) => String(view.getUint32(4 * i, true)),
  '<i2': (view, i) => String(view.getInt16(2 * i, true)),
  '<u2': (view, i) => String(view.getUint16(2 * i, true)),
  '|i1': (view, i) => String(view.getInt8(i)),
  '|u1': (view, i) => String(view.getUint8(i))
};
const ROWS = 256;

function matrix(file, label) {
  const {descr, shape, data} = npyHead(file);
  const read = READ[descr], view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const columns = shape.length > 1 ? shape[shape.length - 1] : Math.min(16, shape[0] || 1);
  const all = shape.reduce((a, b) => a * b, 1), rows = Math.ceil(all / columns);
  const table = make('table', {}), head = make('tr', {}, make('th', {textContent: ''}));
  for (let c = 0; c < columns; c++) head.append(make('th', {textContent: c, scope: 'col'}));
  table.append(make('thead', {}, head));
  const body = table.appendChild(make('tbody', {}));
  for (let r = 0; r < Math.min(rows, ROWS); r++) {
    const row = body.appendChild(make('tr', {}, make('th', {textContent: r, scope: 'row'})));
    for (let c = 0; c < columns && r * columns + c < all; c++)
      row.append(make('td', {textContent: read ? read(view, r * columns + c) : '?'}));
  }
  return make('div', {className: 'rows matrix', tabIndex: 0, role: 'region', ariaLabel: label},
    table);
}

// result: {run, l1, files: [[name, bytes], ...], other}; hooks: explain(id), save(name, bytes)
export function l1Results(panel, result, hooks) {
  const {run} = result, total = run.tile_total;
  const nodes = [figures([
    [count(total.cycles), 'cycles' + (run.at_least ? ', at least' : '')],
    [count(total.instructions), 'instructions'],
    [count(total.stall_cycles), 'cycles held, of all threads'],
    run.findings.length > 0 && [String(run.findings.length), 'findings', 'bad']
  ]), ...findings(run.findings, hooks),
  make('p', {className: 'told other', textContent: result.other || ''})];
  const out = places(result.l1.out);
  result.files.forEach(([, data], i) => {
    const name = `L1 at ${out[i].address}${out[i].rest}`;
    nodes.push(make('div', {className: 'tools'}, make('b', {textContent: name}),
      button('Save .npy', () => hooks.save(i, data))), matrix(data, name));
  });
  panel.replaceChildren(...nodes);
}
