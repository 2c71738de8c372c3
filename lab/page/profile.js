// SPDX-License-Identifier: Apache-2.0
// Shows where the cycles of a run go: tensixViews.profile(element, data, options). Lanes are drawn
// on a canvas; spans narrower than a pixel are drawn with their share of it. data is the content of
// the page --profile=FILE.html. Events: range(first, last), look(text).
(views => {
'use strict';
const {make} = views;
const ROW = 28, TOP = 22, KINDS = ['works', 'waits', 'idle'];

const HTML = `
<header class='tx-head' data-part='head'><h1>Where the cycles go</h1>
<span class='dim' data-part='sum'></span><span class='grow'></span>
<button class='theme' data-part='theme' type='button'></button></header>
<p data-part='change'></p>
<div class='tx-scroll again'><table data-part='again'></table></div>
<nav class='tx-bar'><button data-part='out' type='button' aria-label='Less detail (-)'
title='Less detail (-)'>&minus;</button>
<button data-part='in' type='button' aria-label='More detail (+)' title='More detail (+)'>+</button>
<button data-part='all' type='button' title='Whole run (0)'>whole run</button>
<span class='tx-key works'>works</span><span class='tx-key waits'>waits</span>
<span class='tx-key path'>on the path</span><span class='dim' data-part='range'></span>
<span class='grow'></span><span class='dim tx-wide'><kbd>&larr;</kbd> <kbd>&rarr;</kbd>
move, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, drag to move</span></nav>
<div class='lanes'><div class='names' data-part='names'></div>
<canvas data-part='canvas' tabindex='0' role='img'></canvas></div>
<p class='tip mono' data-part='tip'></p>
<section><div class='tx-scroll'><h2>Path</h2><table data-part='path'></table></div>
<div class='tx-scroll'><h2>Lanes</h2><table data-part='table'></table></div></section>`;

views.profile = (element, data, options = {}) => {
  const bus = views.events(), p = views.build(element, 'tx-profile', HTML);
  let first = 0, last = 0, drag = null, colors = {};

  // Returns the index of the span that contains a cycle.
  function spanAt(lane, cycle) {
    let low = 0, high = lane.spans.length / 2;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lane.spans[2 * middle] <= cycle) low = middle; else high = middle;
    }
    return low;
  }
  const spanEnd = (lane, i) =>
    2 * i + 2 < lane.spans.length ? lane.spans[2 * i + 2] : data.cycles;

  function drawLane(g, lane, y, width) {
    const scale = width / (last - first);
    const share = [new Float64Array(width), new Float64Array(width)];
    for (let i = spanAt(lane, first); 2 * i < lane.spans.length && lane.spans[2 * i] < last; i++) {
      const kind = lane.states[lane.spans[2 * i + 1]][0];
      if (kind > 1) continue;
      const a = Math.max(0, (lane.spans[2 * i] - first) * scale);
      const b = Math.min(width, (spanEnd(lane, i) - first) * scale);
      for (let x = Math.floor(a); x < b; x++)
        share[kind][x] += Math.min(b, x + 1) - Math.max(a, x);
    }
    for (let kind = 0; kind < 2; kind++) {
      g.fillStyle = colors[KINDS[kind]];
      for (let x = 0; x < width; x++) {
        if (share[kind][x] <= 0) continue;
        const top = kind === 0 ? 18 * (1 - share[0][x]) : 18 * (1 - share[0][x] - share[1][x]);
        g.fillRect(x, y + 3 + Math.max(0, top), 1, 18 * share[kind][x]);
      }
    }
  }
  function drawAxis(g, width, height) {
    const raw = (last - first) / 8, ten = Math.pow(10, Math.floor(Math.log10(raw)));
    const every = Math.max(1, [1, 2, 5, 10].map(k => k * ten).find(k => k >= raw));
    g.font = '11px system-ui,sans-serif';
    for (let t = Math.ceil(first / every) * every; t < last; t += every) {
      const x = (t - first) / (last - first) * width;
      g.fillStyle = colors.line;
      g.fillRect(x, TOP - 4, 1, height);
      g.fillStyle = colors.dim;
      g.fillText(String(t), x + 3, 13);
    }
  }
  function draw() {
    const canvas = p.canvas, ratio = devicePixelRatio || 1;
    const width = Math.max(100, canvas.parentNode.clientWidth - p.names.offsetWidth);
    const height = TOP + ROW * data.lanes.length;
    colors = views.colors(element, ['works', 'waits', 'accent', 'line', 'dim']);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + 'px';
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    drawAxis(g, width, height);
    data.lanes.forEach((lane, n) => drawLane(g, lane, TOP + n * ROW, Math.floor(width)));
    g.fillStyle = colors.accent;
    for (const [from, to, name] of data.path) {
      if (to <= first || from >= last) continue;
      const n = data.lanes.findIndex(lane => lane.name === name);
      const x = (from - first) / (last - first) * width;
      if (n >= 0)
        g.fillRect(x, TOP + n * ROW + 22, Math.max(1, (to - from) / (last - first) * width), 4);
    }
    p.range.textContent = `cycles ${first} to ${last}`;
    canvas.setAttribute('aria-label', `Lanes in cycles ${first} to ${last}`);
  }

  function zoom(from, to) {
    const least = Math.min(20, data.cycles), length = Math.max(least, Math.round(to - from));
    first = Math.max(0, Math.min(Math.round(from), data.cycles - length));
    last = Math.min(data.cycles, first + length);
    draw();
    bus.emit('range', first, last);
  }
  function about(factor) {
    const middle = (first + last) / 2, half = (last - first) / 2 * factor;
    zoom(middle - half, middle + half);
  }
  function cycleOf(event) {
    const box = p.canvas.getBoundingClientRect();
    return first + (event.clientX - box.left) / box.width * (last - first);
  }
  function tell(event) {
    const n = Math.floor((event.clientY - p.canvas.getBoundingClientRect().top - TOP) / ROW);
    const lane = data.lanes[n], cycle = Math.floor(cycleOf(event));
    if (!lane || cycle < 0 || cycle >= data.cycles) return;
    const i = spanAt(lane, cycle), [kind, , text] = lane.states[lane.spans[2 * i + 1]];
    p.tip.textContent = `${lane.name}, cycles ${lane.spans[2 * i]} to ${spanEnd(lane, i) - 1}: ` +
      (kind === 1 ? 'waits for ' : '') + text;
    bus.emit('look', p.tip.textContent);
  }

  function row(table, cells, className) {
    const tr = make('tr', className);
    for (const cell of cells) {
      const td = make(className === 'head' ? 'th' : 'td', '', cell);
      if (/^(at least )?[0-9. %]+$/.test(cell)) td.className = 'n';
      tr.append(td);
    }
    table.append(tr);
  }
  const percent = part => (100 * part / Math.max(1, data.cycles)).toFixed(1) + ' %';
  function tables() {
    const sums = new Map();
    for (const [from, to, lane, kind, text] of data.path) {
      const key = lane + '\n' + (kind === 1 ? 'waits for ' : '') + text;
      sums.set(key, (sums.get(key) || 0) + to - from);
    }
    p.path.replaceChildren();
    p.table.replaceChildren();
    p.again.replaceChildren();
    const least = cycles => (data.atLeast ? 'at least ' : '') + cycles;
    if ((data.again || []).length)
      row(p.again, ['run again without', 'of the path', 'in half the time', 'in no time', 'saved',
        ''], 'head');
    for (const [unit, path, half, none, differs] of data.again || [])
      row(p.again, [unit, least(path), half ? least(half) : '', none ? least(none) : 'does not end',
        none ? percent(data.cycles - none) : '', differs ? 'results depend on time' : '']);
    row(p.path, ['lane', 'cycles', 'share', 'where'], 'head');
    [...sums].sort((a, b) => b[1] - a[1]).slice(0, 14).forEach(([key, cycles]) =>
      row(p.path, [key.split('\n')[0], String(cycles), percent(cycles), key.split('\n')[1]]));
    row(p.table, ['lane', 'works', 'waits', 'idle', ''], 'head');
    for (const lane of data.lanes) {
      row(p.table, [lane.name, ...lane.cycles.map(String), '']);
      lane.states.filter(s => s[0] === 1 && s[1] * 200 >= data.cycles)
        .sort((a, b) => b[1] - a[1]).slice(0, 4)
        .forEach(s => row(p.table, ['', '', String(s[1]), '', 'for ' + s[2]], 'sub'));
    }
  }

  const view = {
    zoom,
    get range() { return [first, last]; },
    on: bus.on,
    update(next) {
      data = next;
      [first, last] = [0, data.cycles];
      p.sum.textContent = `${data.arch}, ${data.atLeast ? 'at least ' : ''}${data.cycles} ` +
        `cycles, bound by ${data.bound} (${percent(data.boundCycles)} of the path)`;
      p.change.textContent = 'Change first: ' + data.change;
      p.names.replaceChildren(make('div'), ...data.lanes.map(lane => make('div', '', lane.name)));
      tables();
      draw();
    },
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  if (options.head === false) p.head.remove();
  views.theme.button(p.theme);
  p.in.onclick = () => about(0.5);
  p.out.onclick = () => about(2);
  p.all.onclick = () => zoom(0, data.cycles);
  p.canvas.onpointerdown = e => {
    drag = {x: e.clientX, first, last};
    p.canvas.setPointerCapture(e.pointerId);
  };
  p.canvas.onpointerup = () => { drag = null; };
  p.canvas.onpointermove = e => {
    tell(e);
    if (!drag) return;
    const shift = (drag.x - e.clientX) / p.canvas.clientWidth * (drag.last - drag.first);
    zoom(drag.first + shift, drag.last + shift);
  };
  bus.listen(p.canvas, 'wheel', e => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    const at = cycleOf(e), factor = (e.deltaY || e.deltaX) > 0 ? 1.25 : 0.8;
    zoom(at - (at - first) * factor, at + (last - at) * factor);
  }, {passive: false});
  bus.redraw(element, draw);
  bus.listen(options.keys === false ? p.canvas : window, 'keydown', e => {
    const width = last - first;
    const keys = {'+': () => about(0.5), '-': () => about(2), '0': () => zoom(0, data.cycles),
      ArrowLeft: () => zoom(first - width / 4, last - width / 4),
      ArrowRight: () => zoom(first + width / 4, last + width / 4)};
    if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
    keys[e.key]();
    e.preventDefault();
  });
  view.update(data);
  return view;
};

// The page of --profile=FILE.html: #dark
views.profilePage = (element, data) => {
  const name = location.hash.slice(1);
  if (name === 'dark' || name === 'light') views.theme.set(name);
  document.title = 'tensix profile';
  return views.profile(element, data);
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
