// SPDX-License-Identifier: Apache-2.0
// Prepares a sweep's results, as txl_sweep_view writes them, for drawing:
// await tensixViews.sweepModel(view). Packed columns are little-endian, deflated, in base64.
(views => {
'use strict';
views.outcomes = ['exact', 'inexact', 'flushed', 'unflushed', 'zeroed', 'overflow', 'undefined',
  'mismatch'];

async function columnsOf(packed) {
  const data = new DataView(await views.inflate(packed.deflate));
  const found = {rows: packed.rows, each: packed.each};
  let at = 0;
  for (const column of packed.columns) {
    const [name, type] = column.split(':'), n = packed.rows;
    const list = found[name] = type === 'f64' ? new Float64Array(n) :
      type === 'u8' ? new Uint8Array(n) : new Uint32Array(n);
    for (let i = 0; i < n; i++, at += list.BYTES_PER_ELEMENT)
      list[i] = type === 'f64' ? data.getFloat64(at, true) :
        type === 'u8' ? data.getUint8(at) : data.getUint32(at, true);
  }
  return found;
}

/* Formats like printf's %.*g. */
views.general = (x, digits) => {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  let [mantissa, power] = x.toExponential(digits - 1).split('e');
  /* printf rounds a tie to the even digit, JavaScript to the larger one. */
  const whole = x.toExponential(60).split('e')[0];
  const cut = whole.indexOf('.') + digits;
  if (/^50*$/.test(whole.slice(cut)) && '13579'.includes(mantissa[mantissa.length - 1])) {
    const even = whole.slice(0, cut);
    mantissa = digits === 1 ? even.replace('.', '') : even;
    power = x.toExponential(60).split('e')[1];
    x = +(mantissa + 'e' + power);
  }
  const trim = text => text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (+power < -4 || +power >= digits)
    return trim(mantissa) + 'e' + power[0] + power.slice(1).padStart(2, '0');
  return trim(x.toFixed(Math.max(0, digits - 1 - +power)));
};
/* Returns the shortest decimal that reads back as the same FP32 number. */
function floatText(x) {
  if (!Number.isFinite(x) || x === 0) return views.general(x, 1);
  let best = '';
  for (let digits = 1; digits <= 9; digits++) {
    const text = views.general(x, digits);
    if (Math.fround(+text) === x && (!best || text.length < best.length)) best = text;
  }
  return best;
}

views.sweepModel = async (view, index = 0) => {
  const points = await columnsOf(view.points);
  const bins = view.bins ? await columnsOf(view.bins) : null;
  const grid = view.grid ? {...await columnsOf(view.grid.axes),
    ...await columnsOf(view.grid.squares)} : null;
  const number = (word, out) => {
    const [integer, unsigned] = out ? [view.integer_out, view.unsigned_out] :
      [view.integer_in, view.unsigned_in];
    return integer ? (unsigned ? word : word | 0) : views.float(word);
  };
  const text = (word, out) => {
    const x = number(word, out);
    return (out ? view.integer_out : view.integer_in) ? String(x) : floatText(x);
  };
  /* Returns a position that grows with the number; all binades of a format have equal width. */
  const place = view.integer_in ? word => number(word, false) :
    word => word >>> 31 ? -(word & 0x7fffffff) : word & 0x7fffffff;
  const order = Uint32Array.from({length: points.rows}, (_, i) => i);
  const key = Float64Array.from(points.x0 || [], place);
  order.sort((a, b) => key[a] - key[b]);
  const inputs = ['x0', 'x1', 'x2'].slice(0, view.operands);
  const name = view.kernel.split('/').pop();
  return {
    view, index, points, bins, grid, order, number, text, place, name,
    color: 'data-' + (index % 6 + 1), shown: true,
    label: `${name} on ${view.arch}`,
    // Returns the values of one CSV line.
    point: row => ({
      row, index, inputs: inputs.map(x => points[x][row]), expected: points.expected[row],
      got: points.got[row], ulp: points.ulp[row], outcome: views.outcomes[points.outcome[row]],
      texts: {
        inputs: inputs.map(x => text(points[x][row], false)),
        expected: text(points.expected[row], true), got: text(points.got[row], true),
        ulp: Number.isFinite(points.ulp[row]) ? views.general(points.ulp[row], 9) : 'nan'
      }
    }),
    // Returns all lines as --points writes them, without columns whose value never changes.
    csv() {
      const head = inputs.length === 1 ? ['x'] : inputs;
      const lines = [[...head, 'y', 'y_ref', 'ulp_error', 'outcome'].join(',')];
      for (let row = 0; row < points.rows; row++) {
        const p = this.point(row);
        lines.push([...p.texts.inputs, p.texts.got, p.texts.expected, p.texts.ulp,
          p.outcome].join(','));
      }
      return lines.join('\n') + '\n';
    }
  };
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
