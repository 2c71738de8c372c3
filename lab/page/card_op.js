// SPDX-License-Identifier: Apache-2.0
// One launch of an emulated card: tensixViews.cardOp(element, session, sum). sum is a member of the
// session's profile whose "op" has the launch's path, what was run again, and how much of their
// time units of tiles, links and banks of DRAM work. Where "op" has at_least, all of it is that.
(views => {
'use strict';
const {make} = views;

// The loads that the grid can be shaded by: of units by tile, of links by the router they leave.
const LINKS = [['in', 'from the interface'], ['out', 'to the interface'], ['row', 'along the row'],
  ['column', 'along the column']];
const UNITS = ['unpack', 'matrix', 'vector', 'pack', 'cores'];

const percent = share => `${(100 * share).toFixed(1)} %`;

function line(table, cells, tag = 'td') {
  const row = table.appendChild(make('tr'));
  for (const cell of cells) {
    const node = row.appendChild(make(tag, typeof cell === 'number' ? 'number' : ''));
    node.textContent = typeof cell === 'number' ? views.count(cell) : cell;
  }
}

// Shares by endpoint, "column,row" on NoC 0.
function loads(session, op, measure) {
  const shares = new Map();
  const [kind, noc, direction] = measure.split(' ');
  if (kind === 'link') {
    for (const l of op.links)
      if (l.noc === +noc && l.direction === direction) shares.set(`${l.x},${l.y}`, l.busy);
  } else {
    const places = new Map(session.tiles.map(t => [`${t.x},${t.y}`, `${t.column},${t.row}`]));
    for (const t of op.tiles) shares.set(places.get(t.tile.join(',')), t[kind]);
  }
  return shares;
}

function drawGrid(element, session, op, measure, most) {
  const shares = loads(session, op, measure);
  const top = Math.max(0, ...shares.values());
  element.replaceChildren();
  element.style.gridTemplateColumns = `repeat(${session.width},1fr)`;
  most.textContent = top > 0 ? `${op.at_least ? 'at least ' : ''}${percent(top)}, the busiest`
    : 'none works';
  for (const tile of session.tiles) {
    const cell = element.appendChild(make('div', tile.off ? 'off' : ''));
    const share = shares.get(`${tile.column},${tile.row}`) || 0;
    cell.style.gridColumn = tile.column + 1;
    cell.style.gridRow = tile.row + 1;
    cell.title = `${tile.kind} (${tile.x}, ${tile.y}): ${percent(share)}`;
    if (share > 0) {
      cell.style.background =
        `color-mix(in srgb, var(--shade) ${12 + 55 * Math.sqrt(share / top)}%, var(--panel))`;
      cell.style.color = 'var(--fg)';
    }
  }
}

views.cardOp = (element, session, sum) => {
  const op = sum.op, least = op.at_least ? 'at least ' : '';
  const cycles = n => least + views.count(n);
  element.replaceChildren();
  const say = (label, text) => {
    const p = element.appendChild(make('p'));
    p.append(make('b', '', label), ` ${text}`);
  };
  say('Launch', `${op.launch + 1}: ${cycles(op.cycles)} cycles, bound by ${op.bound} ` +
    `(${percent(op.bound_cycles / op.cycles)} of the path)${sum.cut ? ', watched in part' : ''}`);
  if (op.at_least) say('At least', `because of ${op.at_least_because.join(', ')}`);
  say('Change first', op.change);
  const tables = element.appendChild(make('div', 'tx-scroll'));
  if (op.again.length) {
    const table = tables.appendChild(make('table', 'again'));
    line(table, ['run again without the time of', 'of the path', 'half of it', 'none of it',
      'saved'], 'th');
    for (const t of op.again)
      line(table, [t.unit, cycles(t.path), t.half ? cycles(t.half) : '', t.stuck
        ? 'does not end: ordered by time alone' : cycles(t.none), t.stuck ? ''
        : percent((op.cycles - t.none) / op.cycles) + (t.differs ? '; results depend on time' : '')]);
  } else say('Run again', `no: ${op.again_not}`);
  const path = tables.appendChild(make('table', 'path'));
  line(path, ['the path', 'cycles', 'share', 'where'], 'th');
  for (const s of op.path)
    line(path, [s.lane, cycles(s.cycles), percent(s.cycles / op.cycles),
      (s.kind === 'waits' ? 'waits for ' : '') + s.text]);
  const roof = tables.appendChild(make('table', 'roof'));
  line(roof, ['of the time, the busiest works', ''], 'th');
  for (const [unit, share] of Object.entries(op.roofline)) {
    line(roof, [unit, least + percent(share)]);
    const bar = roof.lastElementChild.lastElementChild.appendChild(make('div', 'bar'));
    bar.style.width = `${Math.min(100, 100 * share)}%`;
  }
  const title = element.appendChild(make('div', 'tx-title'));
  const label = title.appendChild(make('label', 'dim', 'tiles and links by '));
  const choice = label.appendChild(make('select'));
  for (const unit of UNITS) choice.append(new Option(unit, unit));
  for (const noc of [0, 1])
    for (const [key, text] of LINKS) choice.append(new Option(`NoC ${noc}, ${text}`,
      `link ${noc} ${key}`));
  const most = title.appendChild(make('span', 'dim'));
  const grid = element.appendChild(make('div', 'tx-scroll')).appendChild(make('div', 'grid'));
  choice.onchange = () => drawGrid(grid, session, op, choice.value, most);
  choice.onchange();
};
})(globalThis.tensixViews);
