// SPDX-License-Identifier: Apache-2.0
// Cycles against the largest error of several kernels for the same function and inputs:
// tensixViews.front(element, models). The line is the front: kernels that no other one beats in
// both. Hidden where there are not two that differ.
(views => {
'use strict';
const {make} = views;
const WIDE = 880, HIGH = 250, LEFT = 64, RIGHT = 150, TOP = 14, BOTTOM = 40;

const errorOf = m => m.view.accuracy.max_ulp_unrounded ?? m.view.accuracy.max_ulp;
const kind = m => [m.view.arch, m.view.dst, m.view.reference, m.view.inputs].join();
const beats = (a, b) => a.cycles <= b.cycles && a.error <= b.error &&
  (a.cycles < b.cycles || a.error < b.error);

// The kernels that can be compared with the first one, the shortest first; beaten: by another.
views.frontOf = models => {
  const all = models.filter(m => kind(m) === kind(models[0]))
    .map(m => ({model: m, cycles: m.view.cycles_per_tile, error: errorOf(m)}))
    .filter(one => Number.isFinite(one.error) && one.cycles > 0);
  for (const one of all) one.beaten = all.some(other => beats(other, one));
  return all.sort((a, b) => a.cycles - b.cycles || a.error - b.error);
};

function add(parent, name, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return parent.appendChild(node);
}

views.front = (element, models) => {
  const all = views.frontOf(models);
  element.replaceChildren();
  const first = all[0];
  element.hidden = !all.some(one => one.cycles !== first.cycles || one.error !== first.error);
  if (element.hidden) return all;
  element.append(make('div', 'tx-title'));
  element.firstChild.append(make('h2', '', 'Cycles and error'), make('span', 'dim',
    'the line: kernels that no other one beats in both'));
  const panel = element.appendChild(make('div', 'tx-panel'));
  const svg = add(panel, 'svg', {viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', class: 'tx-front',
    'aria-label': 'Cycles of a tile against the largest error in ULP'});
  const least = Math.min(...all.map(one => one.error).filter(e => e > 0), 1);
  const level = one => Math.log2(Math.max(one.error, least / 2));
  const low = Math.floor(Math.min(...all.map(level))), high = Math.ceil(Math.max(...all.map(level)));
  const from = all[0].cycles, to = Math.max(all[all.length - 1].cycles, from + 1);
  const x = cycles => LEFT + (cycles - from) / (to - from) * (WIDE - LEFT - RIGHT);
  const y = l => TOP + (high - l) / Math.max(high - low, 1) * (HIGH - TOP - BOTTOM);
  for (let l = low; l <= high; l++) {
    add(svg, 'line', {x1: LEFT, x2: WIDE - RIGHT, y1: y(l), y2: y(l), class: 'grid'});
    add(svg, 'text', {x: LEFT - 8, y: y(l) + 4, class: 'end'}, views.short(2 ** l, 4));
  }
  add(svg, 'text', {x: LEFT, y: HIGH - 6}, `${from} cycles a tile`);
  add(svg, 'text', {x: WIDE - RIGHT, y: HIGH - 6, class: 'end'}, `${to}`);
  const front = all.filter(one => !one.beaten);
  let path = '';
  front.forEach((one, i) => {
    path += i ? `H${x(one.cycles)}V${y(level(one))}` : `M${x(one.cycles)} ${y(level(one))}`;
  });
  add(svg, 'path', {d: path, class: 'edge'});
  for (const one of all) {
    const dot = add(svg, 'circle', {cx: x(one.cycles), cy: y(level(one)), r: one.beaten ? 3.5 : 5.5,
      fill: `var(--${one.model.color})`, class: one.beaten ? 'beaten' : 'best'});
    add(dot, 'title', {}, `${one.model.name}: ${one.cycles} cycles, ` +
      `${views.general(one.error, 6)} ULP`);
  }
  front.forEach((one, i) => {
    const same = i && front[i - 1].cycles === one.cycles && front[i - 1].error === one.error;
    if (!same) /* above and below by turns, so that neighbours do not meet */
      add(svg, 'text', {x: x(one.cycles) + 9, y: y(level(one)) + (i % 2 ? 15 : -6)},
        one.model.name);
  });
  return all;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
