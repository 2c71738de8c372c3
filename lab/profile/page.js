// SPDX-License-Identifier: Apache-2.0
// Lanes of PROFILE on a canvas: what is narrower than a pixel is drawn as the share of its pixel.
'use strict';
const $ = id => document.getElementById(id);
const ROW = 28, TOP = 22, KINDS = ['works', 'waits', 'idle'];
let first = 0, last = PROFILE.cycles, drag = null;

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

// Index of the span that holds a cycle.
function spanAt(lane, cycle) {
  let low = 0, high = lane.spans.length / 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lane.spans[2 * middle] <= cycle) low = middle; else high = middle;
  }
  return low;
}

function spanEnd(lane, i) {
  return 2 * i + 2 < lane.spans.length ? lane.spans[2 * i + 2] : PROFILE.cycles;
}

function drawLane(g, lane, y, width) {
  const scale = width / (last - first), share = [new Float64Array(width), new Float64Array(width)];
  for (let i = spanAt(lane, first); 2 * i < lane.spans.length && lane.spans[2 * i] < last; i++) {
    const kind = lane.states[lane.spans[2 * i + 1]][0];
    if (kind > 1) continue;
    const a = Math.max(0, (lane.spans[2 * i] - first) * scale);
    const b = Math.min(width, (spanEnd(lane, i) - first) * scale);
    for (let x = Math.floor(a); x < b; x++)
      share[kind][x] += Math.min(b, x + 1) - Math.max(a, x);
  }
  for (let kind = 0; kind < 2; kind++) {
    g.fillStyle = color(KINDS[kind]);
    for (let x = 0; x < width; x++) {
      if (share[kind][x] <= 0) continue;
      const top = kind === 0 ? 18 * (1 - share[0][x]) : 18 * (1 - share[0][x] - share[1][x]);
      g.fillRect(x, y + 3 + Math.max(0, top), 1, 18 * share[kind][x]);
    }
  }
}

function step() {
  const raw = (last - first) / 8, ten = Math.pow(10, Math.floor(Math.log10(raw)));
  return Math.max(1, [1, 2, 5, 10].map(k => k * ten).find(k => k >= raw));
}

function drawAxis(g, width, height) {
  const every = step();
  g.font = '11px system-ui,sans-serif';
  for (let t = Math.ceil(first / every) * every; t < last; t += every) {
    const x = (t - first) / (last - first) * width;
    g.fillStyle = color('line');
    g.fillRect(x, TOP - 4, 1, height);
    g.fillStyle = color('dim');
    g.fillText(String(t), x + 3, 13);
  }
}

function draw() {
  const canvas = $('lanes'), ratio = window.devicePixelRatio || 1;
  const width = Math.max(100, $('view').clientWidth - $('names').offsetWidth);
  const height = TOP + ROW * PROFILE.lanes.length;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + 'px';
  const g = canvas.getContext('2d');
  g.scale(ratio, ratio);
  drawAxis(g, width, height);
  PROFILE.lanes.forEach((lane, n) => drawLane(g, lane, TOP + n * ROW, Math.floor(width)));
  g.fillStyle = color('path');
  for (const [from, to, name] of PROFILE.path) {
    if (to <= first || from >= last) continue;
    const n = PROFILE.lanes.findIndex(lane => lane.name === name);
    const x = (from - first) / (last - first) * width;
    if (n >= 0)
      g.fillRect(x, TOP + n * ROW + 22, Math.max(1, (to - from) / (last - first) * width), 4);
  }
  $('range').textContent = `cycles ${first} to ${last}`;
}

function zoom(from, to) {
  const least = Math.min(20, PROFILE.cycles), length = Math.max(least, Math.round(to - from));
  first = Math.max(0, Math.min(Math.round(from), PROFILE.cycles - length));
  last = Math.min(PROFILE.cycles, first + length);
  draw();
}

function about(factor) {
  const middle = (first + last) / 2, half = (last - first) / 2 * factor;
  zoom(middle - half, middle + half);
}

function cycleOf(event) {
  const box = $('lanes').getBoundingClientRect();
  return first + (event.clientX - box.left) / box.width * (last - first);
}

function tell(event) {
  const n = Math.floor((event.clientY - $('lanes').getBoundingClientRect().top - TOP) / ROW);
  const lane = PROFILE.lanes[n], cycle = Math.floor(cycleOf(event));
  if (!lane || cycle < 0 || cycle >= PROFILE.cycles) return;
  const i = spanAt(lane, cycle), [kind, , text] = lane.states[lane.spans[2 * i + 1]];
  $('tip').textContent = `${lane.name}, cycles ${lane.spans[2 * i]} to ${spanEnd(lane, i) - 1}: ` +
    (kind === 1 ? 'waits for ' : '') + text;
}

function row(table, cells, className) {
  const tr = document.createElement('tr');
  tr.className = className || '';
  cells.forEach(cell => {
    const td = document.createElement(className === 'head' ? 'th' : 'td');
    td.textContent = cell;
    if (/^[0-9. %]+$/.test(cell)) td.className = 'n';
    tr.appendChild(td);
  });
  table.appendChild(tr);
}

function percent(part) {
  return (100 * part / Math.max(1, PROFILE.cycles)).toFixed(1) + ' %';
}

function tables() {
  const sums = new Map();
  for (const [from, to, lane, kind, text] of PROFILE.path) {
    const key = lane + '\n' + (kind === 1 ? 'waits for ' : '') + text;
    sums.set(key, (sums.get(key) || 0) + to - from);
  }
  row($('path'), ['lane', 'cycles', 'share', 'where'], 'head');
  [...sums].sort((a, b) => b[1] - a[1]).slice(0, 14).forEach(([key, cycles]) =>
    row($('path'), [key.split('\n')[0], String(cycles), percent(cycles), key.split('\n')[1]]));
  row($('table'), ['lane', 'works', 'waits', 'idle', ''], 'head');
  for (const lane of PROFILE.lanes) {
    row($('table'), [lane.name, ...lane.cycles.map(String), '']);
    lane.states.filter(s => s[0] === 1 && s[1] * 200 >= PROFILE.cycles)
      .sort((a, b) => b[1] - a[1]).slice(0, 4)
      .forEach(s => row($('table'), ['', '', String(s[1]), '', 'for ' + s[2]], 'sub'));
  }
}

function start() {
  const dark = window.matchMedia && window.matchMedia('(prefers-color-scheme: dark)').matches;
  const hash = location.hash.slice(1);
  document.documentElement.dataset.theme =
    hash === 'dark' || hash === 'light' ? hash : dark ? 'dark' : 'light';
  $('sum').textContent = `${PROFILE.arch}, ${PROFILE.atLeast ? 'at least ' : ''}${PROFILE.cycles} ` +
    `cycles, bound by ${PROFILE.bound} (${percent(PROFILE.boundCycles)} of the path)`;
  $('change').textContent = 'Change first: ' + PROFILE.change;
  $('names').innerHTML = '<div></div>';
  PROFILE.lanes.forEach(lane => {
    const div = document.createElement('div');
    div.textContent = lane.name;
    $('names').appendChild(div);
  });
  tables();
  $('in').onclick = () => about(0.5);
  $('out').onclick = () => about(2);
  $('all').onclick = () => zoom(0, PROFILE.cycles);
  $('theme').onclick = () => {
    const root = document.documentElement.dataset;
    root.theme = root.theme === 'dark' ? 'light' : 'dark';
    draw();
  };
  $('lanes').onpointerdown = e => {
    drag = {x: e.clientX, first, last};
    $('lanes').setPointerCapture(e.pointerId);
  };
  $('lanes').onpointerup = () => { drag = null; };
  $('lanes').onpointermove = e => {
    tell(e);
    if (!drag) return;
    const shift = (drag.x - e.clientX) / $('lanes').clientWidth * (drag.last - drag.first);
    zoom(drag.first + shift, drag.last + shift);
  };
  $('lanes').addEventListener('wheel', e => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    const at = cycleOf(e), factor = e.deltaY > 0 ? 1.25 : 0.8;
    zoom(at - (at - first) * factor, at + (last - at) * factor);
  }, {passive: false});
  window.addEventListener('resize', draw);
  window.addEventListener('keydown', e => {
    const width = last - first;
    const keys = {'+': () => about(0.5), '-': () => about(2), '0': () => zoom(0, PROFILE.cycles),
      ArrowLeft: () => zoom(first - width / 4, last - width / 4),
      ArrowRight: () => zoom(first + width / 4, last + width / 4)};
    if (keys[e.key]) keys[e.key]();
  });
  draw();
}
start();
