// SPDX-License-Identifier: Apache-2.0
// What programs did on an emulated card: tensixViews.card(element, data). data is the content of
// the page of tensix card --report: command, status, seconds and sessions, one for each chip that a
// process had; a session has the grid's tiles, samples over time, launches and findings, and
// may have a profile: sums over the launches of the same kernels. races, of all sessions, is what
// tensix race --json prints.
(views => {
'use strict';
const {make} = views;
const SVG = 'http://www.w3.org/2000/svg';

const HTML = `
<header class='tx-head'><h1>A session on an emulated card</h1>
<span class='dim mono' data-part='command'></span><span class='grow'></span>
<button class='theme' data-part='theme' type='button'></button></header>
<nav class='tx-bar'><label data-part='which'>chip <select data-part='session'></select></label>
<span data-part='facts'></span></nav>
<div class='parts'>
<section class='tx-panel'><div class='tx-title'><h2>Grid</h2>
<label class='dim'>shaded by <select data-part='measure'></select></label>
<span class='dim' data-part='most'></span></div>
<div class='tx-scroll'><div class='grid' data-part='grid' role='img'></div></div></section>
<section class='tx-panel'><div class='tx-title'><h2>Over time</h2>
<span class='dim'>seconds of the host</span></div><div data-part='time'></div></section>
<section class='tx-panel wide'><div class='tx-title'><h2>Programs</h2>
<span class='dim' data-part='programs'></span></div>
<div class='tx-scroll'><table data-part='launches'></table></div></section>
<section class='tx-panel wide'><div class='tx-title'><h2>Findings</h2>
<span class='dim' data-part='found'></span></div>
<div class='tx-scroll'><table data-part='findings'></table></div></section>
<section class='tx-panel wide' data-part='raced'><div class='tx-title'><h2>Races</h2>
<span class='dim' data-part='racesText'></span></div>
<div class='tx-scroll'><table data-part='races'></table></div></section>
<section class='tx-panel wide' data-part='used'><div class='tx-title'><h2>Profile</h2>
<span class='dim' data-part='usedText'></span></div>
<div class='tx-scroll'><table data-part='profile'></table></div>
<label class='dim' data-part='opLabel'>one launch of <select data-part='ops'></select></label>
<div data-part='op'></div></section>
<section class='tx-panel wide' data-part='more'></section></div>`;

const bytes = n => n < 1e4 ? `${n} B` : n < 1e7 ? `${(n / 1e3).toFixed(1)} kB`
  : n < 1e10 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(1)} GB`;
const MEASURES = {
  instructions: ['Tensix instructions', views.count],
  noc: ['bytes loaded and stored over the NoCs', bytes],
  dram: ['bytes that DRAM gave and took', bytes],
  found: ['findings', views.count]
};

// On the cells of the grid; Tensix tiles and bare routers have none.
const LETTERS = {Ethernet: 'E', DRAM: 'D', PCIe: 'P', ARC: 'A', L2CPU: 'L', security: 'S'};

// Numbers, with their unit too, stay on one line.
const NUMBER = /^(at least )?[\d.\u202f]+( [s%])?$/;

function row(table, cells, tag = 'td') {
  const line = table.appendChild(make('tr'));
  for (const cell of cells) {
    const node = line.appendChild(make(tag, NUMBER.test(cell) ? 'number' : ''));
    node.textContent = typeof cell === 'number' ? views.count(cell) : cell;
  }
  return line;
}

// Launches that follow each other with the same kernels on as many tiles are one row.
function folded(launches) {
  const rows = [];
  for (const launch of launches) {
    const last = rows[rows.length - 1], cycles = launch.last - launch.first;
    const name = launch.kernels.join(', ');
    if (last && last.name === name && last.tiles === launch.tiles && !launch.running) {
      last.times++;
      last.cycles += cycles;
    } else rows.push({name, cycles, times: 1, ...launch});
  }
  return rows;
}

views.card = (element, data) => {
  const bus = views.events(), p = views.build(element, 'tx-card', HTML);
  const tip = views.tip(element);
  let session = null;

  function drawGrid() {
    const [name, format] = MEASURES[p.measure.value];
    const of = tile => p.measure.value === 'found' ? (tile.findings || []).length
      : tile[p.measure.value] || 0;
    const most = Math.max(0, ...session.tiles.map(of));
    p.grid.replaceChildren();
    p.grid.style.gridTemplateColumns = `repeat(${session.width},1fr)`;
    p.grid.setAttribute('aria-label', `Grid of the chip by ${name}`);
    p.most.textContent = most > 0 ? `at most ${format(most)}` : 'none anywhere';
    for (const tile of session.tiles) {
      const cell = p.grid.appendChild(make('div', tile.off ? 'off' : ''));
      const share = most > 0 ? of(tile) / most : 0;
      cell.textContent = LETTERS[tile.kind] || '';
      if (share > 0) {
        cell.style.background =
          `color-mix(in srgb, var(--shade) ${12 + 55 * Math.sqrt(share)}%, var(--panel))`;
        cell.style.color = 'var(--fg)';
      }
      if ((tile.findings || []).length) cell.classList.add('found');
      cell.style.gridColumn = tile.column + 1;
      cell.style.gridRow = tile.row + 1;
      cell.onpointerenter = () => {
        const table = make('table');
        const put = (a, b) => row(table, [a, b]);
        put('place on NoC 0', `${tile.column}, ${tile.row}`);
        put('name for software', `${tile.x}, ${tile.y}`);
        if (tile.instructions !== undefined)
          put('Tensix instructions', views.count(tile.instructions));
        put('over the NoCs', bytes(tile.noc));
        if (tile.kind === 'DRAM') put('of DRAM', bytes(tile.dram));
        if (tile.fault) put('stopped', tile.fault);
        tip.show(cell.getBoundingClientRect(),
          make('b', '', `${tile.kind}${tile.off ? ', off' : ''}`), table);
      };
      cell.onpointerleave = () => tip.hide();
    }
  }

  function line(name, values, times, format) {
    const width = 560, height = 56, most = Math.max(...values, 0);
    const block = p.time.appendChild(make('div', 'line'));
    block.append(make('span', '', name), make('span', 'dim', `at most ${format(most)}`));
    const svg = block.appendChild(document.createElementNS(SVG, 'svg'));
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${name} over time, at most ${format(most)}`);
    const end = times[times.length - 1] || 1;
    let path = `M0,${height}`;
    values.forEach((v, i) => {
      const x = (i ? times[i - 1] : 0) / end * width, y = height - (most ? v / most : 0) * (height - 3);
      path += `L${x.toFixed(1)},${y.toFixed(1)}L${(times[i] / end * width).toFixed(1)},${y.toFixed(1)}`;
    });
    const shape = svg.appendChild(document.createElementNS(SVG, 'path'));
    shape.setAttribute('d', path + `L${width},${height}Z`);
  }
  function drawTime() {
    const samples = session.samples, times = samples.map(s => s[0]);
    p.time.replaceChildren();
    if (samples.length < 2) {
      p.time.append(make('p', 'dim', 'The session was too short to be drawn.'));
      return;
    }
    const rate = k => samples.map((s, i) => Math.max(0, i
      ? (s[k] - samples[i - 1][k]) / Math.max(1e-6, s[0] - samples[i - 1][0])
      : s[k] / Math.max(1e-6, s[0])));
    line('tiles at work', samples.map(s => s[2]), times, views.count);
    line('cycles a second', rate(1), times, x => views.count(Math.round(x)));
    line('NoC, a second', rate(3), times, x => bytes(Math.round(x)));
    line('DRAM, a second', rate(4), times, x => bytes(Math.round(x)));
    const axis = p.time.appendChild(make('div', 'axis dim'));
    axis.append(make('span', '', '0 s'), make('span', '', `${views.short(times.at(-1), 3)} s`));
  }

  function drawLaunches() {
    const rows = folded(session.launches);
    p.launches.replaceChildren();
    p.programs.textContent = session.launches.length === 0
      ? 'None was seen: programs are known by the ELF files that a host of tt-metal opens.'
      : `${session.launches.length} launches, in order. Their ends are looked for between pieces ` +
        'of the chip\u2019s time, so a time is at most that much.';
    if (rows.length === 0) return;
    row(p.launches, ['', 'kernels', 'tiles', 'times', 'from cycle', 'cycles', 'at'], 'th');
    rows.forEach((r, i) => row(p.launches, [i + 1, r.name, r.tiles, r.times, r.first,
      r.running ? 'not ended' : r.cycles, `${r.seconds.toFixed(2)} s`]));
  }

  function drawFindings() {
    const all = session.findings.map(f => ['chip', f]);
    for (const tile of session.tiles)
      for (const f of tile.findings || []) all.push([`${tile.kind} (${tile.x}, ${tile.y})`, f]);
    for (const tile of session.tiles.filter(t => t.fault))
      all.push([`${tile.kind} (${tile.x}, ${tile.y})`,
        {cycle: tile.cycles, count: 1, message: tile.fault, category: 'stopped', rule: ''}]);
    all.sort((a, b) => a[1].cycle - b[1].cycle);
    // Many tiles run one kernel, and find one thing.
    const kinds = new Map();
    for (const [where, f] of all) {
      const key = `${f.rule} ${f.message} ${f.source || ''}`, before = kinds.get(key);
      if (before) {
        before.places.push(where);
        before.count += f.count;
      } else kinds.set(key, {...f, places: [where]});
    }
    p.findings.replaceChildren();
    p.found.textContent = all.length
      ? `${kinds.size} of ${all.length} differ; by the cycle in which each came first` : 'None.';
    if (all.length)
      row(p.findings, ['where', 'cycle', 'times', 'what', 'source', 'category', 'rule'], 'th');
    for (const f of kinds.values()) {
      const more = f.places.length - 1;
      const where = f.places[0] + (more > 0 ? ` and ${more} more` : '');
      const line = row(p.findings, [where, f.cycle, f.count, f.message, f.source || '', f.category,
        f.rule]);
      line.children[0].title = f.places.join(', ');
      line.children[4].title = f.elf || '';
      line.children[3].className = 'text';
    }
  }

  // What no program orders, of all chips; sites with source lines where they are known.
  function drawRaces() {
    const place = s => s.core === 'host' ? 'the host' : `(${s.tile}) ${s.core} ` +
      (s.file ? `${s.file}:${s.line}${s.inner ? ` in ${s.inner}` : ''}` : s.pc);
    p.raced.hidden = !data.races;
    if (!data.races) return;
    const found = data.races.findings;
    p.racesText.textContent = found.length
      ? `${found.length}, of all chips; level ${data.races.level}` : `None; level ${data.races.level}.`;
    if (found.length) row(p.races, ['kind', 'times', 'places', 'why', 'test'], 'th');
    for (const f of found) {
      const line = row(p.races, [f.kind + (f.known ? ' (known)' : ''), f.times,
        f.sites.map(place).join(' and '), f.why, f.test || '']);
      line.children[2].className = line.children[3].className = 'text';
    }
  }

  // What the tiles of launches did: of the cycles of all tiles, how many a lane worked, and the
  // most frequent things that lanes waited for.
  function drawProfile() {
    const sums = session.profile || [], all = sums.reduce((n, s) => n + s.cycles, 0);
    const percent = (a, b) => `${(b ? 100 * a / b : 0).toFixed(1)} %`;
    p.used.hidden = sums.length === 0;
    p.profile.replaceChildren();
    if (sums.length === 0) return;
    p.usedText.textContent = `${views.count(all)} cycles of launches. Shares of units are those of ` +
      'the busiest of its kind, on the tile where it has most to do.';
    const units = Object.keys(sums[0].busy);
    row(p.profile, ['kernels', 'launches', 'tiles', 'cycles', 'share', ...units,
      'lanes: work, and what they wait for most'], 'th');
    for (const s of sums) {
      const line = row(p.profile, [s.name, s.launches, s.tiles,
        `${s.at_least ? 'at least ' : ''}${views.count(s.cycles)}`, percent(s.cycles, all),
        ...units.map(unit => percent(s.busy[unit], s.cycles)), '']);
      const cell = line.lastElementChild;
      cell.className = 'lanes';
      line.firstElementChild.className = 'names';
      for (const lane of s.lanes) {
        const wait = lane.for[0];
        const text = `${lane.lane}: ${percent(lane.works, s.tile_cycles)}` + (wait
          ? `; ${percent(wait.cycles, s.tile_cycles)} waits for ${wait.text}` : '');
        const part = cell.appendChild(make('div', '', text));
        part.title = lane.for.map(w => `${views.count(w.cycles)} ${w.text}`).join('\n');
      }
    }
  }

  // Launches whose path is known, one for each set of kernels.
  function drawOps() {
    const sums = (session.profile || []).filter(s => s.op);
    p.opLabel.hidden = sums.length === 0;
    p.ops.replaceChildren(...sums.map((s, i) => new Option(s.name, i)));
    p.ops.onchange = () => views.cardOp(p.op, session, sums[+p.ops.value]);
    p.op.replaceChildren();
    if (sums.length) p.ops.onchange();
  }

  function drawMore() {
    p.more.replaceChildren();
    for (const [name, list] of [['Races', session.races]]) {
      if (!list) continue;
      p.more.append(make('h2', '', name));
      const items = p.more.appendChild(make('ul'));
      for (const text of list.length ? list : ['None.']) items.append(make('li', '', text));
    }
    p.more.hidden = p.more.childElementCount === 0;
  }

  function show() {
    session = data.sessions[+p.session.value || 0];
    const ended = data.status === 0 ? 'ended well' : `ended with status ${data.status}`;
    if (!session) {
      p.facts.textContent = `${ended}; no process that ended by itself had opened the card`;
      element.querySelector('.parts').hidden = true;
      return;
    }
    p.facts.replaceChildren();
    for (const [text, value] of [['', `${session.chip} (${session.product})`],
      ['', ended], ['', `${session.seconds.toFixed(1)} s`],
      [' cycles', views.count(session.cycles)], [' over the NoCs', bytes(session.noc)],
      [' of DRAM', bytes(session.dram)]]) {
      const fact = p.facts.appendChild(make('span', 'fact'));
      fact.append(make('b', '', value), text);
    }
    drawGrid();
    drawTime();
    drawLaunches();
    drawFindings();
    drawRaces();
    drawProfile();
    drawOps();
    drawMore();
  }

  p.command.textContent = data.command;
  for (const [key, [name]] of Object.entries(MEASURES)) {
    const option = p.measure.appendChild(make('option', '', name));
    option.value = key;
  }
  data.sessions.forEach((s, i) => {
    const option = p.session.appendChild(make('option', '', `${i + 1}: ${s.program} (${s.pid})`));
    option.value = i;
  });
  p.which.hidden = data.sessions.length < 2;
  p.session.onchange = show;
  p.measure.onchange = drawGrid;
  views.theme.button(p.theme);
  show();
  return {update(next) { data = next; show(); }, destroy: bus.destroy, on: bus.on};
};
views.cardPage = (element, data) => {
  document.title = 'Card: ' + data.command;
  return views.card(element, data);
};
})(globalThis.tensixViews);
