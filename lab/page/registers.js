// SPDX-License-Identifier: Apache-2.0
// LRegs as the hardware's 4 x 8 lanes, and Dst row by row or as tiles:
// tensixViews.lregs(element, options), tensixViews.dst(element, options); each has
// show(state, writes), where state is a model's and writes are the L and D events of the cycle.
(views => {
'use strict';
const {make, short, float, hex} = views;

const sm = v => (v >>> 31 ? '-' : '+') + (v & 0x7fffffff);
views.readings = {
  fp32: v => short(float(v)), hex: v => hex(v, 8), int: v => String(v | 0), sm,
  bf16: v => short(float(v & 0xffff0000), 3) + ' ' + short(float(v << 16), 3)
};
const names = {fp32: 'FP32', hex: 'hex', int: "two's complement", sm: 'sign and magnitude',
  bf16: 'BF16 pair'};
/* A Dst cell stores sign, mantissa and exponent in this order. */
const unmix = y => y & 0x8000 | (y & 0xff) << 7 | y >> 8 & 0x7f;
function half(y) {
  const e = y & 31, m = y >> 5 & 0x3ff;
  return (y & 0x8000 ? -1 : 1) * (e ? (1 + m / 1024) * 2 ** (e - 15) : 0);
}
views.dstReadings = {
  hex: y => hex(y, 4), bf16: y => short(float(unmix(y) << 16), 4),
  fp16: y => short(half(y), 5), int16: y => (y & 0x8000 ? '-' : '') + (y & 0x7fff),
  fp32: (y, low) => short(float(unmix(y) << 16 | low)),
  int32: (y, low) => sm(unmix(y) << 16 | low).replace('+', '')
};
const dstNames = {hex: 'hex cells', bf16: 'BF16', fp16: 'FP16', int16: 'INT16', fp32: 'FP32',
  int32: 'INT32'};
const wide = name => name === 'fp32' || name === 'int32';

function choices(select, list) {
  for (const [value, text] of Object.entries(list)) {
    const option = make('option', '', text);
    option.value = value;
    select.append(option);
  }
}

views.lregs = (element, options = {}) => {
  const bus = views.events();
  const parts = views.build(element, 'tx-lregs',
    `<div class='tx-title'><h2>LRegs after this cycle</h2>
     <label>Read as <select class='reading' data-part='reading'></select></label>
     <label class='tx-key'><input type='checkbox' data-part='constants'>L11 to L14</label>
     <span class='dim'>lane = 8 row + column; faint: lane disabled; marked: written in this
     cycle; <span class='flags mono' data-part='flags'></span></span></div>
     <div class='regs' data-part='regs'></div>`);
  choices(parts.reading, names);
  if (options.reading) parts.reading.value = options.reading;
  parts.constants.checked = !!options.constants;
  let last = null;
  const view = {
    // writes: ["L", cycle, register, instruction, unit, scheduled, start, lanes, values]
    show(s, writes) {
      last = [s, writes];
      const read = views.readings[parts.reading.value], marked = new Map();
      for (const w of writes) if (w[0] === 'L') marked.set(w[2], parseInt(w[7], 16));
      const enabled = s.lf | ~s.use, list = [];
      for (let r = 0; r < 17; r++) {
        const constant = r > 10 && r < 15;
        if (r > 7 && r < 11 || r === 15 || constant && !parts.constants.checked ||
          r === 16 && !options.has16) continue;
        const card = make('div', 'reg tx-panel'), table = make('table', 'v');
        const words = s.lreg.subarray(32 * r, 32 * r + 32);
        const same = words.every(v => v === words[0]) && !marked.has(r);
        const line = make('span', 'mono', same ? read(words[0]) + ' in all lanes' : '');
        if (same) line.title = '0x' + hex(words[0], 8);
        card.append(make('b', 'mono', `L${r} `), same ? line : table);
        for (let row = 0; row < (same ? 0 : 4); row++) {
          const tr = table.insertRow();
          for (let k = 0; k < 8; k++) {
            const lane = 8 * row + k, v = words[lane], td = tr.insertCell();
            td.textContent = read(v);
            td.title = `L${r} lane ${lane}: 0x${hex(v, 8)}, ${short(float(v))}, ${v | 0}`;
            if (marked.get(r) >>> lane & 1) td.className = 'hot';
            if (!(enabled >>> lane & 1)) td.classList.add('off');
          }
        }
        list.push(card);
      }
      parts.regs.replaceChildren(...list);
      parts.flags.textContent = `LaneFlags ${hex(s.lf, 8)} UseLaneFlags ${hex(s.use, 8)}`;
    },
    read: () => views.readings[parts.reading.value],
    update(next) {
      options = {...options, ...next};
      if (next.reading) parts.reading.value = next.reading;
      if (last) view.show(...last);
    },
    on: bus.on,
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  parts.reading.onchange = parts.constants.onchange = () => {
    if (last) view.show(...last);
    bus.emit('reading', view.read());
  };
  return view;
};

/* Returns the style class of a number: its size relative to the others shown, by sign. */
function shade(value, most) {
  if (!Number.isFinite(value)) return 'odd';
  if (value === 0 || most === 0) return '';
  const part = Math.min(4, Math.max(1, Math.ceil(4 * Math.abs(value) / most)));
  return (value < 0 ? 'n' : 'p') + part;
}

views.dst = (element, options = {}) => {
  const bus = views.events();
  const parts = views.build(element, 'tx-dst',
    `<div class='tx-title'><h2>Dst after this cycle</h2>
     <label>Read as <select class='dreading' data-part='reading'></select></label>
     <label>Show <select class='dshow' data-part='shape'><option value='rows'>16 rows
     <option value='tile'>a tile of 32 x 32</select></label>
     <label>From row <input class='drow' data-part='row' type='number' min='0' max='1008'
     step='16' value='0'></label>
     <label class='tx-key'><input class='follow' data-part='follow' type='checkbox' checked>
     follow stores</label>
     <span class='dim' data-part='about'></span></div>
     <div class='cells tx-panel tx-scroll' data-part='cells' tabindex='0'></div>`);
  choices(parts.reading, dstNames);
  if (options.reading in views.dstReadings) parts.reading.value = options.reading;
  let last = null;
  const at = (s, row, k, is32) => [s.dst[16 * row + k], is32 ? s.dst[16 * (row + 8) + k] : 0];
  function rows(s, stores) {
    const name = parts.reading.value, read = views.dstReadings[name], is32 = wide(name);
    if (parts.follow.checked && stores.length) parts.row.value = stores[0] & ~15;
    const from = Math.max(0, Math.min(1008, +parts.row.value || 0)) & ~15;
    const table = make('table', 'v'), head = table.insertRow();
    for (let k = -1; k < 16; k++) head.append(make('th', '', k < 0 ? 'row' : k));
    for (let r = from; r < from + 16; r++) {
      if (is32 && r & 8) continue;
      const tr = table.insertRow();
      tr.append(make('th', '', is32 ? `${r}, ${r + 8}` : r));
      for (let k = 0; k < 16; k++) {
        const td = tr.insertCell(), [y, low] = at(s, r, k, is32);
        td.textContent = read(y, low);
        td.title = `row ${r} column ${k}: ${hex(y, 4)}${is32 ? ' ' + hex(low, 4) : ''}`;
        if (stores.includes(r)) td.className = 'hot';
      }
    }
    parts.about.textContent =
      'physical rows of 16-bit cells; 32-bit readings join row r and r + 8';
    return table;
  }
  /* Maps elements of a tile to rows: four faces of 16 x 16, each in 16 rows of the format. */
  function tile(s, stores) {
    const name = parts.reading.value, read = views.dstReadings[name], is32 = wide(name);
    const each = is32 ? 128 : 64;
    if (parts.follow.checked && stores.length) parts.row.value = stores[0] - stores[0] % each;
    const from = Math.max(0, Math.min(1024 - each, +parts.row.value || 0));
    const base = from - from % each, table = make('table', 'tile'), list = [];
    const row = n => base + (is32 ? 16 * (n >> 3) + (n & 7) : n);
    for (let y = 0; y < 32; y++)
      for (let x = 0; x < 32; x++) {
        const r = row((y >> 4) * 32 + (x >> 4) * 16 + (y & 15));
        list.push([r, x & 15, ...at(s, r, x & 15, is32)]);
      }
    const numbers = list.map(([, , y, low]) =>
      name === 'hex' ? y : +read(y, low).replace('nan', 'NaN').replace('inf', 'Infinity'));
    const most = numbers.reduce((a, v) => Number.isFinite(v) ? Math.max(a, Math.abs(v)) : a, 0);
    for (let y = 0; y < 32; y++) {
      const tr = table.insertRow();
      for (let x = 0; x < 32; x++) {
        const n = 32 * y + x, [r, k, high, low] = list[n], td = tr.insertCell();
        td.className = shade(numbers[n], most) + (stores.includes(r) ? ' hot' : '');
        td.title = `element ${y}, ${x}: ${read(high, low)} (Dst row ${r}, column ${k})`;
      }
    }
    parts.about.textContent = `tile at rows ${base} to ${base + each - 1}; colour: value, ` +
      `strongest at ${short(most)}; outlined: stored in this cycle`;
    return table;
  }
  const view = {
    show(s, writes) {
      last = [s, writes];
      const stores = writes.filter(w => w[0] === 'D').map(w => w[2]);
      parts.cells.replaceChildren(parts.shape.value === 'tile' ? tile(s, stores) :
        rows(s, stores));
    },
    update(next) {
      if (next.reading in views.dstReadings) parts.reading.value = next.reading;
      if (last) view.show(...last);
    },
    on: bus.on,
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  for (const part of ['reading', 'shape', 'row', 'follow'])
    parts[part].onchange = () => { if (last) view.show(...last); };
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
