// SPDX-License-Identifier: Apache-2.0
// Plots error over input: tensixViews.accuracy(element, models, options), with models from
// sweepModel. Events: look(point or null) when the pointer is on a point, pick(point) on a click or
// Enter; a point is {model, row, inputs, ...}.
(views => {
'use strict';
const {make} = views;
const LEFT = 58, RIGHT = 14, TOP = 8, BOTTOM = 30, STRIP = 18;

const HTML = `<div class='tx-title'><h2>Error over input</h2>
<label>Inputs by <select class='axis' data-part='axis'><option value='pattern'>bit pattern
<option value='value'>value</select></label>
<button class='in' data-part='in' type='button' title='Closer (+)' aria-label='Closer'>+</button>
<button class='out' data-part='out' type='button' title='Further off (-)'
aria-label='Further off'>&minus;</button>
<button class='all' data-part='all' type='button' title='All inputs (0)'>all</button>
<button class='worst' data-part='worst' type='button' title='Largest error in sight (w)'>worst
</button><label class='tx-key'><input class='mean' data-part='mean' type='checkbox'>mean</label>
<span class='dim shown' data-part='shown'></span><span class='grow'></span>
<span class='dim tx-wide'>drag to zoom, <kbd>Shift</kbd> to move, <kbd>&larr;</kbd>
<kbd>&rarr;</kbd> from point to point</span></div>
<div class='plot tx-panel'><canvas class='points' data-part='canvas' tabindex='0' role='img'>
</canvas><div class='band' data-part='band' hidden></div><div class='spot' data-part='spot' hidden>
</div></div><p class='dim about' data-part='about'></p>`;

/* Superscript digits, for exponents. */
const DIGITS = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
const raised = k => String(k).replace(/[0-9]/g, d => DIGITS[d]);

/* Returns round positions for ticks, not more than fit. */
function ticksOf(low, high, count) {
  const raw = (high - low) / count, ten = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(k => k * ten).find(k => k >= raw), list = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) list.push(+(n * step).toPrecision(12));
  return list;
}

views.accuracy = (element, models, options = {}) => {
  const bus = views.events(), p = views.build(element, 'tx-accuracy', HTML);
  const tip = views.tip(element);
  let range = [0, 1], full = [0, 1], drag = null, at = null, size = {}, top = 4;
  let least = 0.5;

  const byValue = () => p.axis.value === 'value';
  const positions = new Map();
  /* The position of each row on the axis; NaN: it cannot be shown on this axis. */
  function positionsOf(m) {
    const key = p.axis.value, kept = positions.get(m) || {};
    if (!kept[key])
      kept[key] = Float64Array.from(m.points.x0, byValue() ? w => m.number(w, false) : m.place);
    positions.set(m, kept);
    return kept[key];
  }
  const shown = () => models.filter(m => m.shown);
  function measure() {
    let low = Infinity, high = -Infinity;
    [top, least] = [1, 1];
    for (const m of models) {
      for (const x of positionsOf(m)) {
        if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
      }
      for (const u of m.points.ulp) {
        if (Number.isFinite(u) && u > top) top = u;
        if (u > 0 && u < least) least = u;
      }
      if (m.points.each > 1 && m.bins)
        for (const u of m.bins.mean) if (u > 0 && u < least) least = u;
    }
    top = Math.pow(2, Math.ceil(Math.log2(top) + 0.25));
    least = Math.max(1 / 64, Math.pow(2, Math.floor(Math.log2(least) - 0.25)));
    full = low < high ? [low, high] : [(low || 0) - 1, (low || 0) + 1];
  }
  const xOf = v => LEFT + (v - range[0]) / (range[1] - range[0]) * size.width;
  const vOf = x => range[0] + (x - LEFT) / size.width * (range[1] - range[0]);
  function yOf(ulp) {
    if (!Number.isFinite(ulp)) return TOP + STRIP / 2;
    const low = TOP + STRIP + size.height;
    if (ulp === 0) return low + STRIP / 2;
    const part = Math.log2(Math.max(ulp, least) / least) / Math.log2(top / least);
    return low - Math.min(1, part) * size.height;
  }
  /* Returns the first of the sorted rows whose position is not below v. */
  function firstFrom(m, list, v) {
    let low = 0, high = m.order.length;
    while (low < high) {
      const middle = low + high >> 1, x = list[m.order[middle]];
      if (x < v || Number.isNaN(x) && middle < m.order.length / 2) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /* ---- drawing ---- */
  function tickText(v) {
    if (byValue() || models[0].view.integer_in) return views.short(v, 6);
    const word = v < 0 || Object.is(v, -0) ? (-v | 0x80000000) >>> 0 : v;
    return views.general(views.float(word), 3).replace('e+', 'e');
  }
  function xTicks() {
    const room = Math.max(3, Math.floor(size.width / 90));
    if (byValue() || models[0].view.integer_in) return ticksOf(range[0], range[1], room);
    const value = v => views.float(v < 0 ? (-v | 0x80000000) >>> 0 : v);
    const place = x => {
      const buffer = new DataView(new ArrayBuffer(4));
      buffer.setFloat32(0, x);
      return models[0].place(buffer.getUint32(0));
    };
    const low = value(Math.ceil(range[0])), high = value(Math.floor(range[1]));
    const same = low > 0 || high < 0;
    if (same && Math.abs(Math.log10(high / low)) < 1.5)
      return ticksOf(low, high, room).map(place);
    /* Ticks at powers of ten, as many as fit, and at zero between the two signs. */
    const list = [], span = range[1] - range[0], decade = 0x800000 * Math.log2(10);
    const every = Math.max(1, Math.ceil(span / decade / room));
    for (let k = -45; k <= 38; k++) {
      if (k % every) continue;
      for (const sign of [1, -1]) list.push(place(sign * Math.pow(10, k)));
    }
    list.push(0);
    const beside = span / room * 0.6, kept = [];
    for (const v of list.filter(x => x >= range[0] && x <= range[1]).sort((a, b) => a - b))
      if (v === 0 || Math.abs(v) > beside || !(range[0] < 0 && range[1] > 0)) kept.push(v);
    return kept;
  }
  function axes(g, colors) {
    const right = LEFT + size.width, bottom = TOP + 2 * STRIP + size.height;
    g.font = '11px ' + getComputedStyle(document.body).fontFamily;
    g.textBaseline = 'middle';
    g.fillStyle = colors['bad-soft'];
    g.fillRect(LEFT, TOP, size.width, STRIP);
    g.fillStyle = colors.raised;
    g.fillRect(LEFT, bottom - STRIP, size.width, STRIP);
    g.fillStyle = colors.dim;
    g.textAlign = 'right';
    g.fillText('NaN, inf', LEFT - 6, TOP + STRIP / 2);
    g.fillText('exact', LEFT - 6, bottom - STRIP / 2);
    const low = Math.log2(least), high = Math.log2(top);
    const each = Math.ceil((high - low) / (size.height / 28));
    for (let k = low; k <= high; k++) {
      if (k % each) continue;
      const y = Math.round(yOf(Math.pow(2, k))) + 0.5;
      g.fillStyle = k === 0 ? colors.dim : colors.line;
      g.fillRect(LEFT, y - 0.5, size.width, 1);
      if (y < TOP + STRIP + 8 || y > bottom - STRIP - 8) continue; /* these are labelled already */
      g.fillStyle = colors.dim;
      g.fillText(k < 17 ? views.short(Math.pow(2, k), 6) : '2' + raised(k), LEFT - 6, y);
    }
    g.textAlign = 'center';
    g.textBaseline = 'alphabetic';
    for (const v of xTicks()) {
      const x = Math.round(xOf(v));
      g.fillStyle = colors.line;
      g.fillRect(x, TOP, 1, bottom - TOP + 4);
      g.fillStyle = colors.dim;
      g.fillText(tickText(v), Math.max(LEFT, Math.min(right - 14, x)), bottom + 17);
    }
  }
  /* Draws the largest and smallest error of each pixel column, or single points if they fit. */
  function drawModel(g, m, color) {
    const list = positionsOf(m), {ulp} = m.points, wide = size.width;
    const first = firstFrom(m, list, range[0]), end = firstFrom(m, list, range[1]);
    const few = end - first < 2.5 * wide, side = few ? 3 : 1.6;
    g.fillStyle = color;
    g.globalAlpha = few ? 0.95 : models.length > 1 ? 0.45 : 0.55;
    for (let i = first; i < m.order.length; i++) {
      const row = m.order[i], x = list[row];
      if (!(x <= range[1])) break;
      if (ulp[row] === 0 && !few) continue; /* the line at 0 stands for them */
      g.fillRect(xOf(x) - side / 2, yOf(ulp[row]) - side / 2, side, side);
    }
    g.globalAlpha = 1;
    if (few) return;
    const columns = new Uint8Array(Math.ceil(wide) + 2), tops = new Float64Array(columns.length);
    for (let i = first; i < end; i++) {
      const row = m.order[i], k = Math.floor(xOf(list[row]) - LEFT);
      if (k < 0 || k >= columns.length) continue;
      columns[k] |= ulp[row] === 0 ? 1 : Number.isFinite(ulp[row]) ? 2 : 0;
      if (Number.isFinite(ulp[row]) && ulp[row] > tops[k]) tops[k] = ulp[row];
    }
    const base = TOP + STRIP + size.height;
    for (let k = 0; k < columns.length; k++) {
      const lane = base + 3 + (STRIP - 6) / models.length * m.index;
      if (columns[k] & 1) g.fillRect(LEFT + k, lane, 1, (STRIP - 6) / models.length);
      if (columns[k] & 2) g.fillRect(LEFT + k, yOf(tops[k]) - 1, 1, 2);
    }
  }
  function drawMean(g, m, color) {
    if (!m.bins) return;
    g.strokeStyle = color;
    g.lineWidth = 1.5;
    g.setLineDash([5, 3]);
    g.beginPath();
    let begun = false;
    for (let i = 0; i < m.bins.rows; i++) {
      const word = m.bins.x0[i], v = byValue() ? m.number(word, false) : m.place(word);
      const x = xOf(v);
      if (!Number.isFinite(v) || !Number.isFinite(m.bins.mean[i])) { begun = false; continue; }
      if (begun) g.lineTo(x, yOf(m.bins.mean[i])); else g.moveTo(x, yOf(m.bins.mean[i]));
      begun = true;
    }
    g.stroke();
    g.setLineDash([]);
  }
  function draw() {
    const canvas = p.canvas, ratio = devicePixelRatio || 1;
    const outer = canvas.parentNode.clientWidth - 20, high = outer < 560 ? 300 : 400;
    if (outer < 60) return;
    size = {width: outer - LEFT - RIGHT, height: high - TOP - BOTTOM - 2 * STRIP};
    canvas.width = Math.round(outer * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.width = outer + 'px';
    canvas.style.height = high + 'px';
    const colors = views.colors(element, ['dim', 'line', 'raised', 'panel', 'bad-soft',
      ...models.map(m => m.color)]);
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.fillStyle = colors.panel;
    g.fillRect(0, 0, outer, high);
    axes(g, colors);
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, size.width, high);
    g.clip();
    for (const m of shown()) drawModel(g, m, colors[m.color]);
    if (p.mean.checked) for (const m of shown()) drawMean(g, m, colors[m.color]);
    g.restore();
    p.shown.textContent = range[0] === full[0] && range[1] === full[1] ? '' :
      `${tickText(range[0])} to ${tickText(range[1])}`;
    canvas.setAttribute('aria-label', 'Error in ULP over the input, ' +
      shown().map(m => `${m.label}: at most ${views.short(m.view.accuracy.max_ulp)}`).join('; '));
    mark();
  }

  /* ---- the selected point ---- */
  function pointOf(m, row) {
    return {model: m, ...m.point(row)};
  }
  function mark() {
    p.spot.hidden = at === null;
    if (!at) return tip.hide();
    const {model: m, row} = at, v = positionsOf(m)[row], x = xOf(v), y = yOf(m.points.ulp[row]);
    if (!(v >= range[0] && v <= range[1])) {
      p.spot.hidden = true;
      return tip.hide();
    }
    const origin = p.canvas.offsetLeft, up = p.canvas.offsetTop;
    p.spot.style.left = origin + x + 'px';
    p.spot.style.top = up + y + 'px';
    const t = at.texts, table = make('table');
    const line = (name, value, word) => {
      const tr = table.insertRow();
      for (const [text, kind] of [[name, 'dim'], [value, 'value ' + name.split(' ')[0]],
        [word === undefined ? '' : '0x' + views.hex(word, 8), 'dim']]) {
        const td = tr.insertCell();
        [td.textContent, td.className] = [text, kind];
      }
    };
    t.inputs.forEach((text, k) =>
      line(t.inputs.length > 1 ? 'input ' + k : 'input', text, at.inputs[k]));
    line('result', t.got, at.got);
    line('expected', t.expected, at.expected);
    line('ulp', t.ulp);
    line('outcome', at.outcome);
    const head = models.length > 1 ? [make('b', '', m.label)] : [];
    if (m.points.each > 1)
      head.push(make('div', 'dim', `the worst of ${views.count(m.points.each)} neighbours`));
    const box = p.canvas.getBoundingClientRect();
    tip.show({left: box.left + x + 14, bottom: box.top + y + 8, top: box.top + y - 8}, ...head,
      table);
  }
  function choose(point) {
    at = point;
    mark();
    bus.emit('look', at);
  }
  function nearest(x, y) {
    let best = null, least = 28 * 28;
    for (const m of shown()) {
      const list = positionsOf(m), reach = Math.abs(vOf(LEFT + 14) - vOf(LEFT));
      const centre = vOf(x);
      for (let i = firstFrom(m, list, centre - reach); i < m.order.length; i++) {
        const row = m.order[i];
        if (!(list[row] <= centre + reach)) break;
        const dx = xOf(list[row]) - x, dy = yOf(m.points.ulp[row]) - y;
        if (dx * dx + dy * dy < least) [least, best] = [dx * dx + dy * dy, [m, row]];
      }
    }
    return best && pointOf(...best);
  }
  /* Moves the selection along one sweep, in the order of inputs. */
  function step(by) {
    const m = at ? at.model : shown()[0];
    if (!m) return;
    const list = positionsOf(m), first = firstFrom(m, list, range[0]);
    const end = Math.max(first + 1, firstFrom(m, list, range[1]));
    const from = at ? m.order.indexOf(at.row) : by > 0 ? first - 1 : end;
    const next = Math.max(0, Math.min(m.order.length - 1, from + by));
    choose(pointOf(m, m.order[next]));
    const v = list[m.order[next]];
    if (v < range[0] || v > range[1]) {
      const half = (range[1] - range[0]) / 2;
      zoom(v - half, v + half);
    }
  }
  function worst() {
    let best = null, most = -1;
    for (const m of shown()) {
      const list = positionsOf(m);
      for (let i = firstFrom(m, list, range[0]); i < m.order.length; i++) {
        const row = m.order[i], u = m.points.ulp[row];
        if (!(list[row] <= range[1])) break;
        if (Number.isFinite(u) && u > most) [most, best] = [u, [m, row]];
      }
    }
    if (best) choose(pointOf(...best));
  }

  /* ---- the visible range ---- */
  function zoom(low, high) {
    const closest = byValue() ? (full[1] - full[0]) * 1e-12 : 4;
    let length = Math.min(full[1] - full[0], Math.max(closest, high - low));
    low = Math.max(full[0], Math.min(low, full[1] - length));
    range = [low, low + length];
    draw();
  }
  function about(factor, centre = (range[0] + range[1]) / 2) {
    zoom(centre - (centre - range[0]) * factor, centre + (range[1] - centre) * factor);
  }
  function reset() {
    measure();
    range = full.slice();
    if (byValue() && !models[0].view.integer_in)
      range = [Math.max(full[0], -10), Math.min(full[1], 10)];
    at = null;
    draw();
  }

  const view = {
    zoom, worst,
    get range() { return range; },
    get point() { return at; },
    // Shows and selects the input with these words.
    go(model, words) {
      const names = ['x0', 'x1', 'x2'];
      for (let row = 0; row < model.points.rows; row++)
        if (words.every((w, k) => model.points[names[k]][row] === w)) {
          const v = positionsOf(model)[row], half = (full[1] - full[0]) / 64;
          if (Number.isFinite(v)) zoom(v - half, v + half);
          choose(pointOf(model, row));
          return true;
        }
      return false;
    },
    draw,
    png: () => new Promise(done => p.canvas.toBlob(done)),
    on: bus.on,
    update(next) {
      models = next;
      positions.clear();
      reset();
    },
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  p.about.textContent = options.about || '';
  p.axis.onchange = reset;
  p.mean.onchange = draw;
  p.mean.parentNode.hidden = !models.some(m => m.bins && m.points.each > 1);
  p.mean.checked = !p.mean.parentNode.hidden;
  p.in.onclick = () => about(0.5);
  p.out.onclick = () => about(2);
  p.all.onclick = () => { zoom(...full); };
  p.worst.onclick = worst;
  const inside = e => {
    const box = p.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  p.canvas.onpointerdown = e => {
    const [x] = inside(e);
    drag = {x, range: range.slice(), move: e.shiftKey, far: false};
    p.canvas.setPointerCapture(e.pointerId);
  };
  p.canvas.onpointermove = e => {
    const [x, y] = inside(e);
    if (!drag) return choose(nearest(x, y));
    drag.far = drag.far || Math.abs(x - drag.x) > 4;
    if (!drag.far) return;
    if (drag.move) {
      const shift = (drag.x - x) / size.width * (drag.range[1] - drag.range[0]);
      return zoom(drag.range[0] + shift, drag.range[1] + shift);
    }
    p.band.hidden = false;
    p.band.style.left = p.canvas.offsetLeft + Math.max(LEFT, Math.min(x, drag.x)) + 'px';
    p.band.style.width = Math.abs(x - drag.x) + 'px';
  };
  p.canvas.onpointerup = e => {
    const [x] = inside(e), was = drag;
    drag = null;
    p.band.hidden = true;
    if (!was) return;
    if (was.far && !was.move) zoom(vOf(Math.min(x, was.x)), vOf(Math.max(x, was.x)));
    else if (!was.far && at) bus.emit('pick', at);
  };
  p.canvas.onpointerleave = () => { if (!drag) choose(null); };
  p.canvas.ondblclick = () => zoom(...full);
  bus.listen(p.canvas, 'wheel', e => {
    if (!e.ctrlKey && !e.shiftKey && document.activeElement !== p.canvas) return;
    e.preventDefault();
    about((e.deltaY || e.deltaX) > 0 ? 1.25 : 0.8, vOf(inside(e)[0]));
  }, {passive: false});
  bus.listen(p.canvas, 'keydown', e => {
    const far = e.shiftKey ? 10 : 1, width = range[1] - range[0];
    const keys = {ArrowRight: () => step(far), ArrowLeft: () => step(-far), '+': () => about(0.5),
      '-': () => about(2), 0: () => zoom(...full), w: worst, Escape: () => choose(null),
      PageDown: () => zoom(range[0] + width / 2, range[1] + width / 2),
      PageUp: () => zoom(range[0] - width / 2, range[1] - width / 2),
      Enter: () => { if (at) bus.emit('pick', at); }};
    if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
    keys[e.key]();
    e.preventDefault();
    e.stopPropagation();
  });
  bus.listen(window, 'scroll', () => tip.hide(), {passive: true});
  bus.redraw(element, draw);
  reset();
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
