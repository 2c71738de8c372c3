// SPDX-License-Identifier: Apache-2.0
// Gives access to a trace by cycle. Events are turned into cells, bars, values and marks only when
// they are requested, so that the cost depends on what is viewed and not on the trace's length.
(views => {
'use strict';
const TOP = 22, ROW = 54, THIN = 24, FEWEST = 64, KEYS = 256, PARTS = 24;
const UNPACK = 0, PACK = 1, BANK = 2, CORE = 3, GATE = 4;
const UNITS = ['Issue', 'Load', 'Simple', 'MAD', 'Round', 'Store', 'Matrix'];
views.units = UNITS;
views.span = {UNPACK, PACK, BANK, CORE, GATE};
views.insn = {ISSUE: 0, EXECUTE: 1, SECOND: 2, STALL: 3};

/* Lanes, in the order in which data pass through them. */
function lanesOf(meta, used) {
  const lanes = [];
  const add = (key, name, high) => {
    const top = lanes.length ? lanes[lanes.length - 1].bottom : TOP;
    lanes.push({key, name, top, high, thin: high === THIN, bottom: top + high});
  };
  const vector = () => {
    for (let u = 1; u < 6; u++) add('V' + u, UNITS[u], ROW);
  };
  const core = (c, name) => { if (meta.cores >> c & 1) add('C' + c, 'Core ' + name, THIN); };
  const gate = t => {
    core(t + 1, 't' + t);
    if (meta.threads || t === meta.thread) add('T' + t, 'T' + t, ROW);
  };
  if (!meta.units) {
    add('T', 'Issue', ROW);
    vector();
    return lanes;
  }
  core(0, 'b');
  core(4, 'nc');
  gate(0);
  for (const u of [0, 1]) if (used(UNPACK, u)) add('U' + u, 'Unpack ' + u, THIN);
  for (let b = 0; b < 4; b++) add('B' + b, (b < 2 ? 'SrcA ' : 'SrcB ') + b % 2, THIN);
  gate(1);
  add('V6', 'Matrix', ROW);
  if (meta.vector) vector();
  gate(2);
  for (let k = 0; k < 4; k++) if (used(PACK, k)) add('P' + k, 'Pack ' + k, THIN);
  return lanes;
}

// Returns the source lines of an instruction or of a core's place, outermost call first:
// [{file, line}, ...].
const kernelPlaces = (file, line) => line > 0 ? [{file, line}] : [];
const insnOf = (e, table) => ({t: e[1], kind: e[2], id: e[3], unit: e[4], thread: e[5], start: e[6],
  datum: e[7], launch: e[8], sched: e[9] !== 0, label: e[10], text: e[11], word: e[12],
  dis: e[13], lanes: e[14], reads: e[15], vd: e[16], why: e[17], row: e[18],
  dropped: e[19] !== 0, by: e[20], places: e[23] > 0 ? table[e[23] - 1] : kernelPlaces(e[21], e[22])});
const spanOf = (e, table) => ({from: e[1], to: e[2], kind: e[3], index: e[4], id: e[5], thread: e[6],
  phase: e[7], atLeast: e[8], issued: e[9], text: e[10], why: e[11], dis: e[12],
  places: e[13] > 0 ? table[e[13] - 1] : []});
const noteOf = e => ({t: e[1], fault: e[2] !== 0, text: e[3], rule: e[4], id: e[5]});
/* Sort order: instructions that start, by unit, then second cycles. */
const order = i => (i.kind === 2 ? 8 : 0) + (i.kind === 3 ? 0 : i.unit);

function parseWords(text, count, digits, to, from) {
  for (let i = 0; i < count; i++) {
    const p = text.length === digits ? 0 : i * digits;
    to[from + i] = parseInt(text.substr(p, digits), 16);
  }
}
const blank = () =>
  ({lreg: new Uint32Array(17 * 32), dst: new Uint16Array(1024 * 16), lf: 0, use: 0});
const copy = s => ({lreg: s.lreg.slice(), dst: s.dst.slice(), lf: s.lf, use: s.use});
/* Applies an event to the state: a section begins, or something is written. */
function apply(s, e) {
  switch (e[0]) {
  case 'S':
    s.dst.fill(0);
    e[3].forEach((text, i) => parseWords(text, 32, 8, s.lreg, 32 * i));
    [s.lf, s.use] = e[4];
    for (const row of Object.keys(e[5])) parseWords(e[5][row], 16, 4, s.dst, 16 * +row);
    break;
  case 'L':
    parseWords(e[8], 32, 8, s.lreg, 32 * e[2]);
    break;
  case 'D':
    parseWords(e[3], 16, 4, s.dst, 16 * e[2]);
    break;
  case 'F':
    [s.lf, s.use] = [e[2], e[3]];
    break;
  }
}

/* The unpacked events of cycles from..to, both included. */
function partOf(events, from, to, units, table) {
  const spans = events.filter(e => e[0] === 'U').map(e => spanOf(e, table));
  events = events.filter(e => e[0] !== 'U');
  /* Index of the first event of each cycle; events are sorted by cycle. */
  const first = new Uint32Array(to - from + 2);
  for (const e of events) first[e[1] - from + 1]++;
  for (let i = 1; i < first.length; i++) first[i] += first[i - 1];

  /* Consecutive cycles in which a thread waits for the same become one span; others stay cells. */
  const open = new Map();
  for (const e of units ? events : []) {
    if (e[0] !== 'I' || e[2] !== 3) continue;
    const last = open.get(e[5]);
    if (last && last.to === e[1] && last.dis === e[13] && last.why === e[17]) {
      last.to++;
      continue;
    }
    const s = {from: e[1], to: e[1] + 1, kind: GATE, index: e[5], id: e[3], thread: e[5],
      phase: 1, text: e[11], why: e[17], dis: e[13], places: insnOf(e, table).places};
    open.set(e[5], s);
    spans.push(s);
  }
  spans.sort((a, b) => a.from - b.from);
  const longest = spans.reduce((most, s) => Math.max(most, s.to - s.from), 0);

  /* Saved states at intervals, from which the states in between are computed. */
  const step = Math.max(FEWEST, Math.ceil((to - from + 1) / KEYS)), states = [];
  const s = blank();
  for (let t = from, i = 0; t <= to; t += step) {
    for (; i < first[t - from]; i++) apply(s, events[i]);
    states.push(copy(s));
  }
  return {
    events, spans,
    eventsOf: t => events.slice(first[t - from], first[t - from + 1]),
    /* Returns the state after cycle t, or with before: at its start. */
    state(t, before) {
      t = Math.min(t, to);
      const k = Math.floor((t - from) / step), state = copy(states[k]);
      for (let i = first[k * step]; i < first[t - from + 1]; i++) {
        const e = events[i];
        if (!(before && e[1] === t && e[0] !== 'S')) apply(state, e);
      }
      return state;
    },
    spansIn(a, b) {
      let low = 0, high = spans.length;
      while (low < high) {
        const middle = low + high >> 1;
        if (spans[middle].from < a - longest) low = middle + 1; else high = middle;
      }
      const found = [];
      for (let i = low; i < spans.length && spans[i].from <= b; i++)
        if (spans[i].to > a) found.push(spans[i]);
      return found;
    }
  };
}

/* Finds the cycles of events that contain a text: operands, words, causes, findings. */
function matches(events, want, found) {
  const has = part => typeof part === 'string' && part.toLowerCase().includes(want);
  for (const e of events) {
    const hit = e[0] === 'I' ? has(e[10]) || has(e[13]) || has(e[17]) || has(e[12]) :
      e[0] === 'U' ? has(e[10]) || has(e[11]) || has(e[12]) :
        e[0] === 'N' ? has(e[3]) : e[0] === 'S' && has(e[2]);
    if (hit) found.add(e[1]);
  }
}

views.traceModel = data => {
  const meta = data.meta, t0 = meta.first, packed = data.parts || [];
  const table = (data.places || []).map(one => one.map(([file, line]) => ({file, line})));
  const last = list => list.reduce((most, e) =>
    Math.max(most, e[0] === 'U' ? e[2] - 1 : e[1]), t0);
  const plainEnd = packed.length ? packed[0].first - 1 : last(data.events);
  const t1 = packed.length ? data.end.last : last(data.events);
  const plain = partOf(data.events.filter(e => e[0] !== 'U' ? e[1] <= plainEnd : true), t0,
    Math.max(t0, plainEnd), meta.units, table);
  const used = (kind, index) => data.end && data.end.used ?
    data.end.used[kind === PACK ? 1 : 0] >> index & 1 :
    plain.spans.some(s => s.kind === kind && s.index === index);
  const lanes = lanesOf(meta, used);
  const laneAt = new Map(lanes.map(l => [l.key, l]));
  const inside = i => i.kind !== 3 && i.unit > 0 && laneAt.has('V' + i.unit);
  const laneOf = i =>
    laneAt.get(inside(i) ? 'V' + i.unit : meta.units ? 'T' + i.thread : 'T') || lanes[0];
  const spanLane = s =>
    laneAt.get(s.kind === GATE ? 'T' + s.thread : ['U', 'P', 'B', 'C'][s.kind] + s.index);

  /* ---- packed parts, which are unpacked when they are needed ---- */
  const there = new Map(), coming = new Map(), kept = new Map();
  const endOf = n => n + 1 < packed.length ? packed[n + 1].first - 1 : t1;
  const unpack = async n =>
    JSON.parse(new TextDecoder().decode(await views.inflate(packed[n].deflate)));
  async function load(n) {
    const part = partOf(await unpack(n), packed[n].first, endOf(n), meta.units,
      table);
    if (there.size >= PARTS) there.delete(there.keys().next().value);
    there.set(n, part);
    coming.delete(n);
    kept.clear();
  }
  /* Returns the packed part that has a cycle; -1: its events are plain. */
  function numberOf(t) {
    let low = 0, high = packed.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (packed[middle].first <= t) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
  const at = t => {
    const n = numberOf(t);
    return n < 0 ? plain : there.get(n);
  };
  /* Returns the parts needed for cycles a to b; a span is stored where it ends. */
  function partsOf(a, b) {
    const list = [];
    for (let n = Math.max(0, numberOf(a)); n < packed.length; n++)
      if (packed[n].first <= b && endOf(n) >= a || packed[n].spans <= b) list.push(n);
    return list;
  }
  /* Returns null where everything is loaded, otherwise a promise. */
  function need(a, b) {
    const missing = partsOf(a, b).filter(n => !there.has(n));
    if (!missing.length) return null;
    for (const n of missing) if (!coming.has(n)) coming.set(n, load(n));
    return Promise.all(missing.map(n => coming.get(n)));
  }

  const NONE = {insns: [], writes: [], notes: []};
  function cycle(t) {
    const part = t < t0 || t > t1 ? null : at(t);
    if (!part) return NONE;
    let c = kept.get(t);
    if (c) return c;
    c = {insns: [], writes: [], notes: []};
    for (const e of part.eventsOf(t)) {
      if (e[0] === 'S') c.section = e[2];
      else if (e[0] === 'I') c.insns.push(insnOf(e, table));
      else if (e[0] === 'N') c.notes.push(noteOf(e));
      else c.writes.push(e);
    }
    c.insns.sort((a, b) => order(a) - order(b));
    if (kept.size > 4096) kept.clear();
    kept.set(t, c);
    return c;
  }
  function state(t, before) {
    const part = at(Math.max(t0, t));
    return part ? part.state(Math.max(t0, t), before) : blank();
  }
  const spansIn = (a, b) => [plain, ...partsOf(a, b).map(n => there.get(n)).filter(p => p)]
    .flatMap(part => part.spansIn(a, b));

  const notes = plain.events.filter(e => e[0] === 'N').map(noteOf);
  for (const part of packed) for (const t of part.notes) notes.push({t});
  const sorted = found => [...found].sort((a, b) => a - b);
  function search(text) {
    const found = new Set(), want = text.trim().toLowerCase();
    if (want) matches(data.events, want, found);
    return sorted(found);
  }
  /* Searches packed parts, too. progress(fraction done, cycles found) can return false to stop. */
  async function searchAll(text, progress) {
    const found = new Set(search(text)), want = text.trim().toLowerCase();
    for (let n = 0; want && n < packed.length; n++) {
      if (!progress(n / packed.length, found.size)) return null;
      matches(await unpack(n), want, found);
    }
    return sorted(found);
  }
  /* For each "file:line", in the plain events only: the cycles in which its instructions issue, for
     how many they are held, and the cycles in which a core arrives there. */
  const places = new Map(), held = new Map(), stood = new Map();
  const put = (map, key, t) => {
    if (!map.has(key)) map.set(key, []);
    const list = map.get(key);
    if (list[list.length - 1] !== t) list.push(t);
  };
  for (const e of plain.events) {
    if (e[0] !== 'I' || e[2] !== 0 && e[2] !== 3) continue;
    for (const {file, line} of insnOf(e, table).places) {
      const key = file + ':' + line;
      if (e[2] === 0) put(places, key, e[1]);
      else held.set(key, (held.get(key) || 0) + 1);
    }
  }
  for (const s of plain.spans) {
    if (s.kind !== CORE) continue;
    for (const {file, line} of s.places) put(stood, file + ':' + line, s.from);
  }
  const has16 = plain.events.some(e => e[0] === 'L' && e[2] === 16);
  return {data, meta, t0, t1, plainEnd, lanes, laneOf, spanLane, cycle, spansIn, state, need,
    notes, search, searchAll: packed.length ? searchAll : null, places, held, stood, has16,
    atLeast: !!(data.end && data.end.atLeast), source: data.source || []};
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
