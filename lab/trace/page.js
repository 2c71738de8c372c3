'use strict';
const $ = id => document.getElementById(id);
const UNITS = ['Issue', 'Load', 'Simple', 'MAD', 'Round', 'Store', 'Matrix'];
const HUES = [210, 28, 140, 320, 262, 58];
const TOP = 22, ROW = 54, THIN = 24, KEY = 64;
const meta = TRACE.meta, t0 = meta.first;
const cycles = [], spans = [];
let t1 = t0, now = t0, width = 136;

/* ---- events into cycles ---- */
function at(t) {
  t1 = Math.max(t1, t);
  return cycles[t - t0] || (cycles[t - t0] = {insns: [], writes: [], notes: []});
}
for (const e of TRACE.events) {
  const c = at(e[1]);
  if (e[0] === 'S') c.section = {name: e[2], lregs: e[3], flags: e[4], rows: e[5]};
  else if (e[0] === 'I') c.insns.push({t: e[1], kind: e[2], id: e[3], unit: e[4],
    thread: e[5], start: e[6], datum: e[7], launch: e[8], sched: e[9], label: e[10],
    text: e[11], word: e[12], dis: e[13], lanes: e[14], reads: e[15], vd: e[16],
    why: e[17], row: e[18], dropped: e[19], by: e[20]});
  else if (e[0] === 'U') {
    spans.push({from: e[1], to: e[2], kind: e[3], index: e[4], id: e[5], thread: e[6],
      phase: e[7], atLeast: e[8], issued: e[9], text: e[10], why: e[11], dis: e[12]});
    at(e[2] - 1);
  } else if (e[0] === 'N') c.notes.push({fault: e[2], text: e[3]});
  else c.writes.push(e);
}

/* What starts, unit by unit, then second cycles. */
const order = i => (i.kind === 2 ? 8 : 0) + (i.kind === 3 ? 0 : i.unit);
cycles.forEach(c => c && c.insns.sort((a, b) => order(a) - order(b)));

/* ---- lanes, in the order in which data go through them ---- */
const UNPACK = 0, PACK = 1, BANK = 2, CORE = 3, GATE = 4;
const lanes = [];
function addLane(key, name, high) {
  const top = lanes.length ? lanes[lanes.length - 1].bottom : TOP;
  lanes.push({key, name, top, high, bottom: top + high});
}
const used = (kind, index) => spans.some(s => s.kind === kind && s.index === index);
function vectorLanes() {
  for (let u = 1; u < 6; u++) addLane('V' + u, UNITS[u], ROW);
}
if (!meta.units) {
  addLane('T', 'Issue', ROW);
  vectorLanes();
} else {
  const core = (c, name) => { if (meta.cores >> c & 1) addLane('C' + c, 'Core ' + name, THIN); };
  const gate = t => {
    core(t + 1, 't' + t);
    if (meta.threads || t === meta.thread) addLane('T' + t, 'T' + t, ROW);
  };
  core(0, 'b');
  core(4, 'nc');
  gate(0);
  for (const u of [0, 1]) if (used(UNPACK, u)) addLane('U' + u, 'Unpack ' + u, THIN);
  for (let b = 0; b < 4; b++)
    addLane('B' + b, (b < 2 ? 'SrcA ' : 'SrcB ') + b % 2, THIN);
  gate(1);
  addLane('V6', 'Matrix', ROW);
  if (meta.vector) vectorLanes();
  gate(2);
  for (let k = 0; k < 4; k++) if (used(PACK, k)) addLane('P' + k, 'Pack ' + k, THIN);
}
const laneAt = new Map(lanes.map(l => [l.key, l]));
const inside = i => i.kind !== 3 && i.unit > 0 && laneAt.has('V' + i.unit);
const laneOf = i => laneAt.get(inside(i) ? 'V' + i.unit : meta.units ? 'T' + i.thread : 'T') ||
  lanes[0];
const spanLane = s =>
  laneAt.get(s.kind === GATE ? 'T' + s.thread : ['U', 'P', 'B', 'C'][s.kind] + s.index);

/* Cycles in which a thread waits for the same are one span; the rest stay cells. */
if (meta.units) {
  const open = new Map();
  cycles.forEach((c, k) => {
    for (const i of c ? c.insns.filter(n => n.kind === 3) : []) {
      const last = open.get(i.thread);
      if (last && last.to === t0 + k && last.dis === i.dis && last.why === i.why) last.to++;
      else {
        const s = {from: t0 + k, to: t0 + k + 1, kind: GATE, index: i.thread, id: i.id,
          thread: i.thread, phase: 1, text: i.text, why: i.why, dis: i.dis};
        open.set(i.thread, s);
        spans.push(s);
      }
    }
  });
}
spans.sort((a, b) => a.from - b.from);

/* ---- state ---- */
const hex = (v, n) => (v >>> 0).toString(16).padStart(n, '0');
function parseWords(text, count, digits, to, from) {
  for (let i = 0; i < count; i++) {
    const p = text.length === digits ? 0 : i * digits;
    to[from + i] = parseInt(text.substr(p, digits), 16);
  }
}
function blank() {
  return {lreg: new Uint32Array(17 * 32), dst: new Uint16Array(1024 * 16), lf: 0, use: 0};
}
function copy(s) {
  return {lreg: s.lreg.slice(), dst: s.dst.slice(), lf: s.lf, use: s.use};
}
function begin(s, section) {
  s.dst.fill(0);
  section.lregs.forEach((text, i) => parseWords(text, 32, 8, s.lreg, 32 * i));
  [s.lf, s.use] = section.flags;
  for (const row of Object.keys(section.rows))
    parseWords(section.rows[row], 16, 4, s.dst, 16 * +row);
}
function apply(s, c) {
  for (const w of c.writes) {
    if (w[0] === 'L') parseWords(w[8], 32, 8, s.lreg, 32 * w[2]);
    else if (w[0] === 'D') parseWords(w[3], 16, 4, s.dst, 16 * w[2]);
    else [s.lf, s.use] = [w[2], w[3]];
  }
}
const keys = [];
{
  const s = blank();
  for (let t = t0; t <= t1; t++) {
    if ((t - t0) % KEY === 0) keys.push(copy(s));
    const c = cycles[t - t0];
    if (c && c.section) begin(s, c.section);
    if (c) apply(s, c);
  }
}
/* State after cycle t; before: at its start. */
function state(t, before) {
  const k = Math.floor(Math.max(t - t0, 0) / KEY);
  const s = copy(keys[k]);
  for (let u = t0 + k * KEY; u <= t; u++) {
    const c = cycles[u - t0];
    if (c && c.section) begin(s, c.section);
    if (c && !(before && u === t)) apply(s, c);
  }
  return s;
}

/* ---- readings ---- */
const buffer = new DataView(new ArrayBuffer(4));
function float(v) {
  buffer.setUint32(0, v >>> 0);
  return buffer.getFloat32(0);
}
function short(x, digits) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  if (Object.is(x, -0)) return '-0';
  const size = Math.abs(x), n = digits || 6;
  if (size >= 1e7 || size < 0.01 && size > 0)
    return x.toExponential(n - 2).replace('e+', 'e');
  return String(+x.toPrecision(n));
}
const sm = v => (v >>> 31 ? '-' : '+') + (v & 0x7fffffff);
const readings = {
  hex: v => hex(v, 8), fp32: v => short(float(v)), int: v => String(v | 0), sm,
  bf16: v => short(float(v & 0xffff0000), 3) + ' ' + short(float(v << 16), 3)
};
const unmix = y => y & 0x8000 | (y & 0xff) << 7 | y >> 8 & 0x7f;
function half(y) {
  const e = y & 31, m = y >> 5 & 0x3ff;
  return (y & 0x8000 ? -1 : 1) * (e ? (1 + m / 1024) * 2 ** (e - 15) : 0);
}
const dstReadings = {
  hex: y => hex(y, 4), bf16: y => short(float(unmix(y) << 16), 4),
  fp16: y => short(half(y), 5), int16: y => (y & 0x8000 ? '-' : '') + (y & 0x7fff),
  fp32: (y, low) => short(float(unmix(y) << 16 | low)),
  int32: (y, low) => sm(unmix(y) << 16 | low).replace('+', '')
};
const wide = name => name === 'fp32' || name === 'int32';

/* ---- small page pieces ---- */
function make(tag, name, text) {
  const n = document.createElement(tag);
  if (name) n.className = name;
  if (text !== undefined) n.textContent = text;
  return n;
}

/* ---- tooltip ---- */
function valuesText(s, reg) {
  const read = readings[$('reading').value];
  const list = Array.from(s.lreg.subarray(32 * reg, 32 * reg + 32));
  if (list.every(v => v === list[0])) return [read(list[0]) + ' in all lanes'];
  return [...list.slice(0, 8).map(read), '...'];
}
function written(i) {
  const found = [];
  for (let t = i.start; t <= Math.min(i.start + 1, t1); t++)
    for (const w of (cycles[t - t0] || {writes: []}).writes)
      if (w[0] === 'L' && w[3] === i.id && UNITS[w[4]] === UNITS[i.unit] &&
        w[5] === i.sched && w[6] === i.start) found.push([t, w[2], w[7]]);
  return found;
}
function fillTip(i) {
  const tip = $('tip');
  tip.replaceChildren(make('b', '', i.label),
    make('div', 'mono dim', i.dis + '   ' + i.word));
  const kind = ['issued',
    'scheduled by SFPLOADMACRO ' + i.id + ', launched in cycle ' + i.launch,
    'second cycle, started in ' + i.start, 'held: ' + i.why][i.kind];
  tip.append(make('div', '', `${UNITS[i.unit]}, cycle ${i.t}, instruction ${i.id}, ` +
    `thread ${i.thread}${i.datum ? ', datum ' + i.datum : ''}; ${kind}`));
  if (i.dropped) tip.append(make('div', 'note', 'dropped: its sub-unit is taken'));
  if (i.row >= 0) tip.append(make('div', '', 'Dst address ' + i.row));
  const table = make('table');
  const line = (...parts) => {
    const tr = table.insertRow();
    for (const p of parts) tr.insertCell().textContent = p;
    return tr;
  };
  const before = state(i.start, true);
  for (let r = 0; r < 17; r++)
    if (i.reads >>> r & 1) line('reads', 'L' + r, ...valuesText(before, r));
  for (const [t, r, lanes] of written(i)) {
    line('writes', 'L' + r, ...valuesText(state(t), r));
    const cell = line('', '', (lanes === 'ffffffff' ? '' : 'lanes ' + lanes + ', ') +
      'readable in ' + (t + 1)).lastChild;
    [cell.colSpan, cell.className] = [9, 'wrap'];
  }
  if (table.rows.length) tip.append(table);
}
const spanText = s => s.kind === BANK ? s.text : s.text + ['...', ' waits: ' + s.why, ''][s.phase];
function fillSpanTip(s) {
  const tip = $('tip'), count = s.to - s.from;
  tip.replaceChildren(make('b', '', spanLane(s).name + ': ' + spanText(s)));
  if (s.dis) tip.append(make('div', 'mono dim', s.dis));
  const bound = s.atLeast && s.phase === 2 ? 'at least ' : '';
  tip.append(make('div', '', `cycles ${s.from} to ${s.to - 1}: ${bound}${count}`));
  if (s.kind === BANK) {
    tip.append(make('div', '', s.text === 'math' ?
      'the Matrix Unit has it: its data are valid' : 'the unpacker has it'));
    if (s.why) tip.append(make('div', '', s.why));
  } else if (s.kind === CORE) {
    tip.append(make('div', '', `pc ${hex(s.id, 8)}${s.phase === 2 ? ' on, ' + s.why : ''}`));
  } else if (s.kind !== GATE) {
    tip.append(make('div', '', `instruction ${s.id}, thread ${s.thread}, issued in cycle ` +
      s.issued));
  }
}
function showTip(cell) {
  const tip = $('tip'), box = cell.getBoundingClientRect();
  if (cell.span) fillSpanTip(cell.span); else fillTip(cell.insn);
  tip.hidden = false;
  const size = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(box.left, innerWidth - size.width - 8)) + 'px';
  const below = box.bottom + 6;
  tip.style.top = (below + size.height < innerHeight ? below :
    Math.max(4, box.top - size.height - 6)) + 'px';
}
const hideTip = () => { $('tip').hidden = true; };
/* The cells of the instruction that holds what the chosen cycle holds. */
function markHolders() {
  const held = new Set((cycles[now - t0] || {insns: []}).insns.map(i => i.by));
  seen.forEach(group => group.forEach(n => n.classList.toggle('holds',
    n.insn !== undefined && !n.insn.sched && n.insn.kind !== 3 && held.has(n.insn.id))));
}

/* ---- diagram: only what can be seen is in the page ---- */
const seen = new Map();
function addCell(group, i, strip, shrunk) {
  const n = make('div', 'cell', i.kind === 3 ? i.text + '\n' + i.why : i.label);
  const c = n.classList;
  if (i.datum) {
    c.add('d');
    n.style.setProperty('--h', HUES[(i.datum - 1) % HUES.length]);
  }
  if (i.sched) c.add('sched');
  if (i.kind === 2) c.add('second');
  if (i.kind === 3) c.add('stall');
  if (i.dropped) c.add('dropped');
  if (strip) c.add('strip');
  if (shrunk) c.add('short');
  if (width < 64) c.add('tall');
  const lane = laneOf(i), gap = width > 40 ? 2 : 0.5;
  n.style.left = (i.t - t0) * width + gap + 'px';
  n.style.width = width - 2 * gap + 'px';
  n.style.top = lane.top + (strip ? 37 : 2) + 'px';
  n.tabIndex = i.t === now ? 0 : -1;
  n.insn = i;
  n.setAttribute('aria-label', lane.name + ' cycle ' + i.t + ': ' + n.textContent);
  group.push(n);
}
/* A bar over its cycles, whose text stays in sight. */
function addSpan(s) {
  const n = make('div', 'cell bar'), lane = spanLane(s), c = n.classList;
  c.add(s.kind === BANK ? (s.text === 'math' ? 'math' : 'unpack') :
    s.kind === GATE ? 'stall' : ['enter', 'wait', 'work'][s.phase]);
  if (lane.high === THIN) c.add('thin');
  if (s.kind === GATE && (s.to - s.from) * width < 64) c.add('tall');
  n.append(make('span', '', s.kind === GATE ? s.text + '\n' + s.why : spanText(s)));
  n.style.left = (s.from - t0) * width + 1 + 'px';
  n.style.width = (s.to - s.from) * width - 2 + 'px';
  n.style.top = lane.top + 2 + 'px';
  n.tabIndex = -1;
  n.span = s;
  n.setAttribute('aria-label', `${lane.name} cycles ${s.from} to ${s.to - 1}: ${n.textContent}`);
  return n;
}
const bars = new Map();
function drawSpans(a, b) {
  for (const [s, n] of bars) {
    if (s.from <= b && s.to > a) continue;
    n.remove();
    bars.delete(s);
  }
  for (const s of spans) {
    if (s.from > b) break;
    if (s.to <= a || bars.has(s)) continue;
    const n = addSpan(s);
    $('canvas').append(n);
    bars.set(s, n);
  }
}
function cellsOf(t) {
  const c = cycles[t - t0], group = [];
  const step = Math.ceil(36 / width);
  const tick = make('div', 'tick', step > 1 && t % (5 * Math.ceil(step / 5)) ? '' : t);
  tick.style.left = (t - t0) * width + 'px';
  tick.style.width = width + 'px';
  tick.cycle = t;
  if (c && c.notes.length) tick.classList.add('note');
  if (c && c.section) {
    tick.classList.add('sec');
    tick.dataset.s = c.section.name;
  }
  group.push(tick);
  if (!c) return group;
  const starts = new Set(c.insns.filter(i => i.kind !== 2).map(laneOf));
  const ends = new Set(c.insns.filter(i => i.kind === 2).map(laneOf));
  for (const i of c.insns) {
    if (meta.units && i.kind === 3) continue; /* part of a bar */
    const both = starts.has(laneOf(i)) && ends.has(laneOf(i));
    addCell(group, i, both && i.kind === 2, both && i.kind !== 2);
  }
  return group;
}
function draw() {
  const box = $('scroll'), canvas = $('canvas');
  const a = Math.max(t0, t0 + Math.floor(box.scrollLeft / width) - 4);
  const b = Math.min(t1, t0 + Math.ceil((box.scrollLeft + box.clientWidth) / width) + 4);
  for (const [t, group] of seen) {
    if (t >= a && t <= b) continue;
    group.forEach(n => n.remove());
    seen.delete(t);
  }
  for (let t = a; t <= b; t++) {
    if (seen.has(t)) continue;
    const group = cellsOf(t);
    canvas.append(...group);
    seen.set(t, group);
  }
  drawSpans(a, b);
}
function layout() {
  seen.forEach(group => group.forEach(n => n.remove()));
  seen.clear();
  bars.forEach(n => n.remove());
  bars.clear();
  $('canvas').style.width = (t1 - t0 + 1) * width + 'px';
  show(now, true);
}

/* ---- registers ---- */
function grid(table, rows, columns, cell) {
  for (let r = 0; r < rows; r++) {
    const tr = table.insertRow();
    for (let k = 0; k < columns; k++) cell(tr.insertCell(), r, k);
  }
}
function showLregs(s, c) {
  const read = readings[$('reading').value], marked = new Map();
  for (const w of c.writes) if (w[0] === 'L') marked.set(w[2], parseInt(w[7], 16));
  const enabled = s.lf | ~s.use, list = [];
  for (let r = 0; r < 17; r++) {
    if (r > 7 && r < 16 || r === 16 && !meta.l16) continue;
    const card = make('div', 'reg'), table = make('table', 'v');
    const words = s.lreg.subarray(32 * r, 32 * r + 32);
    const same = words.every(v => v === words[0]) && !marked.has(r);
    const line = make('span', 'mono', same ? read(words[0]) + ' in all lanes' : '');
    if (same) line.title = '0x' + hex(words[0], 8);
    card.append(make('b', 'mono', `L${r} `), same ? line : table);
    grid(table, same ? 0 : 4, 8, (td, row, k) => {
      const lane = 8 * row + k, v = s.lreg[32 * r + lane];
      td.textContent = read(v);
      td.title = `L${r} lane ${lane}: 0x${hex(v, 8)}, ${readings.fp32(v)}, ${v | 0}`;
      if (marked.get(r) >>> lane & 1) td.className = 'hot';
      if (!(enabled >>> lane & 1)) td.classList.add('off');
    });
    list.push(card);
  }
  $('lregs').replaceChildren(...list);
  $('flags').textContent = `LaneFlags ${hex(s.lf, 8)} UseLaneFlags ${hex(s.use, 8)}`;
}
function showDst(s, c) {
  const name = $('dreading').value, read = dstReadings[name], is32 = wide(name);
  const stores = c.writes.filter(w => w[0] === 'D').map(w => w[2]);
  if ($('follow').checked && stores.length) $('drow').value = stores[0] & ~15;
  const from = Math.max(0, Math.min(1008, +$('drow').value || 0)) & ~15;
  const table = make('table', 'v'), head = table.insertRow();
  for (let k = -1; k < 16; k++) head.append(make('th', '', k < 0 ? 'row' : k));
  for (let r = from; r < from + 16; r++) {
    if (is32 && r & 8) continue;
    const tr = table.insertRow();
    tr.append(make('th', '', is32 ? `${r}, ${r + 8}` : r));
    for (let k = 0; k < 16; k++) {
      const td = tr.insertCell(), y = s.dst[16 * r + k], low = s.dst[16 * (r + 8) + k];
      td.textContent = read(y, low);
      td.title = `row ${r} column ${k}: ${hex(y, 4)}${is32 ? ' ' + hex(low, 4) : ''}`;
      if (stores.includes(r)) td.className = 'hot';
    }
  }
  $('dst').replaceChildren(table);
}
const pad = name => name.padEnd(meta.units ? 10 : 7, '\u00a0');
function showNow(c) {
  const told = [];
  const tell = (lane, bad, what) =>
    told.push([lane.top, make('div', bad ? 'note' : '', pad(lane.name) + what)]);
  for (const i of c.insns) {
    if (meta.units && i.kind === 3) continue;
    tell(laneOf(i), i.kind === 3, i.kind === 3 ? `stall: ${i.text} waits: ${i.why}` : i.label);
  }
  for (const s of spans)
    if (s.from <= now && s.to > now)
      tell(spanLane(s), s.kind === GATE,
        spanText(s) + (s.kind === BANK || s.kind === GATE ? '' :
          s.kind === CORE ? ` (${hex(s.id, 8)})` : ` (${s.id})`));
  if (meta.units) told.sort((a, b) => a[0] - b[0]);
  const lines = told.map(x => x[1]);
  for (const n of c.notes) lines.push(make('div', 'note', n.text));
  if (!lines.length) lines.push(make('div', 'dim', 'nothing happens'));
  $('now').replaceChildren(...lines);
  $('nowtitle').textContent = 'Cycle ' + now;
}

/* ---- the chosen cycle ---- */
function show(t, stay) {
  now = Math.max(t0, Math.min(t1, Math.round(t) || 0));
  const box = $('scroll'), x = (now - t0) * width, cursor = $('cursor');
  cursor.style.left = x + 'px';
  cursor.style.width = width + 'px';
  if (x < box.scrollLeft + width || x + 2 * width > box.scrollLeft + box.clientWidth)
    box.scrollLeft = x - box.clientWidth / 3;
  draw();
  for (const [u, group] of seen)
    for (const n of group) if (n.insn) n.tabIndex = u === now ? 0 : -1;
  markHolders();
  const s = state(now), c = cycles[now - t0] || {insns: [], writes: [], notes: []};
  $('number').value = $('range').value = now;
  showNow(c);
  showLregs(s, c);
  showDst(s, c);
  if (!stay) hideTip();
}
function focusCell(step) {
  const cells = [...(seen.get(now) || []), ...bars.values()].filter(n => n.insn ||
    n.span && n.span.from <= now && n.span.to > now);
  if (!cells.length) return;
  const index = cells.indexOf(document.activeElement);
  cells[index < 0 ? 0 : (index + step + cells.length) % cells.length].focus();
}
function key(e) {
  const tag = e.target.tagName;
  if (e.key === 'Escape') hideTip();
  if (tag === 'INPUT' || tag === 'SELECT' || e.ctrlKey || e.altKey || e.metaKey) return;
  const step = e.shiftKey ? 10 : 1;
  const to = {ArrowLeft: now - step, ArrowRight: now + step, Home: t0, End: t1}[e.key];
  if (to !== undefined) show(to);
  else if (e.key === 'ArrowDown') focusCell(1);
  else if (e.key === 'ArrowUp') focusCell(-1);
  else return;
  e.preventDefault();
}
function theme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  $('theme').textContent = dark ? 'Light' : 'Dark';
}

function start() {
  $('title').textContent = meta.kernel;
  $('about').textContent = `${meta.title ? meta.title + '; ' : ''}${meta.arch}, ` +
    `Dst ${meta.dst}, ${meta.threads ? 'three threads' : 'thread ' + meta.thread}, cycles ` +
    `${t0} to ${t1}${TRACE.end.atLeast ? ', in silicon at least as many' : ''}`;
  document.title = meta.kernel + ' - tensix trace';
  $('names').append(make('div', '', 'cycle'), ...lanes.map(l =>
    make('div', l.high === THIN ? 'thin' : '', l.name)));
  for (const l of lanes) {
    const line = make('div', 'lane');
    line.style.top = l.top + 'px';
    $('canvas').append(line);
  }
  $('canvas').style.height = lanes[lanes.length - 1].bottom + 'px';
  if (meta.units) $('zoom').value = width = 32;
  document.body.classList.toggle('units', !!meta.units);
  document.body.classList.toggle('plain', !meta.vector);
  const cursor = make('div');
  cursor.id = 'cursor';
  $('canvas').append(cursor);
  for (const id of ['number', 'range']) [$(id).min, $(id).max] = [t0, t1];
  if (meta.dst.startsWith('int')) $('reading').value = 'int';
  $('dreading').value = meta.dst in dstReadings ? meta.dst : 'hex';
  meta.l16 = TRACE.events.some(e => e[0] === 'L' && e[2] === 16);
  const media = matchMedia('(prefers-color-scheme: dark)');
  theme(media.matches);
  media.addEventListener('change', e => theme(e.matches));
  $('theme').onclick = () => theme(document.documentElement.dataset.theme !== 'dark');
  $('first').onclick = () => show(t0);
  $('last').onclick = () => show(t1);
  $('back').onclick = () => show(now - 1);
  $('next').onclick = () => show(now + 1);
  $('number').onchange = $('range').oninput = e => show(+e.target.value);
  $('reading').onchange = $('dreading').onchange = $('drow').onchange =
    $('follow').onchange = () => show(now, true);
  $('zoom').onchange = e => { width = +e.target.value; layout(); };
  $('scroll').addEventListener('scroll', () => {
    draw();
    const cell = document.activeElement;
    if ((cell.insn || cell.span) && !$('tip').hidden) showTip(cell);
    else hideTip();
  });
  addEventListener('resize', draw);
  addEventListener('keydown', key);
  addEventListener('hashchange', fromHash);
  const canvas = $('canvas');
  canvas.addEventListener('click', e => {
    const cell = e.target.closest('.cell, .tick');
    if (!cell) return;
    const x = e.clientX - canvas.getBoundingClientRect().left;
    show(cell.span ? t0 + Math.floor(x / width) : cell.insn ? cell.insn.t : cell.cycle, true);
  });
  for (const name of ['mouseover', 'focusin'])
    canvas.addEventListener(name, e => {
      const cell = e.target.closest('.cell');
      if (cell) showTip(cell);
    });
  for (const name of ['mouseout', 'focusout']) canvas.addEventListener(name, hideTip);
  layout();
  fromHash();
}
function fromHash() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (words.has('theme')) theme(words.get('theme') === 'dark');
  if (words.has('cycle')) show(+words.get('cycle'));
  if (words.has('tip')) focusCell(1);
}
start();
