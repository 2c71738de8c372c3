// SPDX-License-Identifier: Apache-2.0
// Shows a trace with registers and source: tensixViews.trace(element, data, options). data is the
// output of TXL_TRACE_VIEW. options: keys (false: do not handle the window's keys), theme (false: no
// button for it), head. Events: cycle(number). The view has show(cycle), model, and the functions
// of pipeline and source.
(views => {
'use strict';
const {make} = views, {BANK, CORE, GATE} = views.span;

const HTML = `
<header class='tx-head' data-part='head'><h1 class='title' data-part='title'></h1>
<span class='dim' data-part='about'></span><span class='grow'></span>
<button class='theme' data-part='theme' type='button'></button></header>
<nav class='tx-bar' aria-label='Cycle'>
<button class='first' data-part='first' type='button' title='First cycle (Home)'
aria-label='First cycle'>|&lt;</button>
<button class='back' data-part='back' type='button' title='One back (Left)'
aria-label='One cycle back'>&lt;</button>
<label>Cycle <input class='number' data-part='number' type='number'></label>
<button class='next' data-part='next' type='button' title='One on (Right)'
aria-label='One cycle on'>&gt;</button>
<button class='last' data-part='last' type='button' title='Last cycle (End)'
aria-label='Last cycle'>&gt;|</button>
<span class='over'><input class='range' data-part='range' type='range' aria-label='Cycle'>
<canvas data-part='marks' aria-hidden='true'></canvas></span>
<label>Zoom <select class='zoom' data-part='zoom'><option value='8'>8<option value='16'>16
<option value='32'>32<option value='64'>64<option value='96'>96<option value='136'>136
<option value='200'>200</select></label>
<span class='tx-find'><input class='find' data-part='find' type='search'
placeholder='Find: sfpmad, L3, waits' aria-label='Find in the trace' size='22'>
<output class='found dim' data-part='found'></output></span>
<button class='broken' data-part='broken' type='button' title='Next broken rule (n)'></button>
<span class='dim tx-wide'><kbd>&larr;</kbd> <kbd>&rarr;</kbd> step, <kbd>Shift</kbd> by ten,
<kbd>&uarr;</kbd> <kbd>&darr;</kbd> instructions, <kbd>/</kbd> find, <kbd>n</kbd> broken rule</span>
</nav>
<div class='work'>
<div class='left'><div data-part='pipeline'></div>
<section class='cycle'><div class='tx-title'><h2 class='nowtitle' data-part='nowtitle'></h2>
<span class='dim'><span class='vectors'>a colour a datum<span
class='cell d sched key'>[x]</span>scheduled by SFPLOADMACRO with VD x <span
class='cell d second key'>'</span>second cycle</span>
<span class='cell stall key'>stall</span>held
<span class='units'><span class='cell work key'>unpacr</span>at work
<span class='cell wait key'>waits</span>
<span class='cell math key'>math</span>whose the bank is
<span class='cell unpack key'>unpack</span></span></span></div>
<div class='now mono' data-part='now'></div></section></div>
<aside class='tx-panel' data-part='side' hidden><div class='tx-title'><h2>Source</h2>
<span class='dim' data-part='sourceabout'>cycle of issue, + cycles held</span></div>
<div data-part='source'></div></aside>
</div>
<div class='views'><section class='lregs' data-part='lregs'></section>
<section class='dst' data-part='dst'></section></div>`;

views.trace = (element, data, options = {}) => {
  const bus = views.events(), p = views.build(element, 'tx-trace', HTML);
  let model = views.traceModel(data), now = model.t0, hits = [], held = null;
  const lregs = views.lregs(p.lregs), dst = views.dst(p.dst);
  const pipeline = views.pipeline(p.pipeline, model);
  const source = views.source(p.source, []);

  // Returns the lines of what is issued in the cycle, and those of what is scheduled and of cores.
  function placesOf(t) {
    return [...model.cycle(t).insns.filter(i => i.kind !== 2)
      .flatMap(i => i.places.map(p => ({...p, by: i.sched}))),
    ...model.spansIn(t, t).filter(s => s.kind === CORE)
      .flatMap(s => s.places.map(p => ({...p, by: true})))];
  }
  const pad = name => name.padEnd(model.meta.units ? 10 : 7, '\u00a0');
  function showNow(c) {
    const told = [];
    const tell = (lane, bad, what) =>
      told.push([lane.top, make('div', bad ? 'note' : '', pad(lane.name) + what)]);
    for (const i of c.insns) {
      if (model.meta.units && i.kind === 3) continue;
      tell(model.laneOf(i), i.kind === 3,
        i.kind === 3 ? `stall: ${i.text} waits: ${i.why}` : i.label);
    }
    for (const s of model.spansIn(now, now))
      tell(model.spanLane(s), s.kind === GATE,
        views.spanText(s) + (s.kind === BANK || s.kind === GATE ? '' :
          s.kind === CORE ? ` (${views.hex(s.id, 8)})` : ` (${s.id})`));
    if (model.meta.units) told.sort((a, b) => a[0] - b[0]);
    const lines = told.map(x => x[1]);
    for (const n of c.notes) lines.push(make('div', 'note', n.text));
    if (!lines.length) lines.push(make('div', 'dim', 'nothing happens'));
    p.now.replaceChildren(...lines);
    p.nowtitle.textContent = 'Cycle ' + now;
  }
  function show(to, stay) {
    now = Math.max(model.t0, Math.min(model.t1, Math.round(to) || 0));
    pipeline.show(now);
    const wait = model.need(now, now), t = now, then = model;
    if (wait) wait.then(() => { if (now === t && model === then) show(now, true); });
    const s = model.state(now), c = model.cycle(now);
    p.number.value = p.range.value = now;
    showNow(c);
    lregs.show(s, c.writes);
    dst.show(s, c.writes);
    source.mark(placesOf(now), true);
    if (!stay) pipeline.hideTip();
    bus.emit('cycle', now);
  }
  /* Returns the next or previous entry of a sorted list, wrapping around at its ends. */
  function leap(list, back) {
    if (!list.length) return;
    const after = list.filter(t => back ? t < now : t > now);
    show(after.length ? after[back ? after.length - 1 : 0] : list[back ? list.length - 1 : 0]);
  }
  const broken = () => [...new Set(model.notes.map(n => n.t))];

  /* Marks the positions of findings and search hits in the run. */
  function drawMarks() {
    const box = p.marks.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    if (!box.width) return;
    p.marks.width = box.width * ratio;
    p.marks.height = box.height * ratio;
    const g = p.marks.getContext('2d'), length = Math.max(1, model.t1 - model.t0);
    const colors = views.colors(element, ['bad', 'accent']);
    const thumb = 8, x = t => thumb + (t - model.t0) / length * (box.width - 2 * thumb);
    g.scale(ratio, ratio);
    for (const [list, color] of [[hits, colors.accent], [broken(), colors.bad]]) {
      g.fillStyle = color;
      for (const t of list) g.fillRect(x(t) - 1, 0, 2, box.height);
    }
  }
  const cycles = n => n === 0 ? 'nothing' : n + (n === 1 ? ' cycle' : ' cycles');
  async function find() {
    const text = p.find.value, then = model, some = text.trim() !== '';
    hits = model.search(text);
    p.found.textContent = some ? cycles(hits.length) : '';
    drawMarks();
    if (!model.searchAll || !some) return;
    const all = await model.searchAll(text, (part, count) => {
      const go = p.find.value === text && model === then;
      if (go) p.found.textContent = `${count} so far, ${Math.round(100 * part)} % searched`;
      return go;
    });
    if (!all) return;
    hits = all;
    p.found.textContent = cycles(hits.length);
    drawMarks();
  }
  function noteOf(key) {
    const list = model.places.get(key) || [], held = model.held.get(key) || 0;
    const stood = model.stood.get(key) || [];
    const bad = model.notes.filter(n => {
      const i = model.cycle(n.t).insns.find(x => x.id === n.id && x.kind !== 2);
      return i && i.places.some(p => p.file + ':' + p.line === key);
    });
    const range = all => all.length === 1 ? all[0] : `${all[0]}\u2026${all[all.length - 1]}`;
    if (!list.length && !held && stood.length)
      return {text: range(stood), core: true, title: `a core comes here in cycle ${stood[0]}` +
        (stood.length > 1 ? ` to ${stood[stood.length - 1]}, ${stood.length} times` : '')};
    if (!list.length) return {text: held ? '+' + held : '', broken: bad.length > 0};
    const from = list[0], to = list[list.length - 1];
    return {text: range(list) + (held ? ` +${held}` : ''),
      title: `issued in cycle ${from}` +
        (list.length > 1 ? ` to ${to}, ${list.length} times` : '') +
        (held ? `, held for ${held}` : '') + bad.map(n => '\n' + n.text).join(''),
      broken: bad.length > 0};
  }

  function fill() {
    const meta = model.meta;
    p.title.textContent = meta.kernel;
    p.about.textContent = `${meta.title ? meta.title + '; ' : ''}${meta.arch}, ` +
      `Dst ${meta.dst}, ${meta.threads ? 'three threads' : 'thread ' + meta.thread}, cycles ` +
      `${model.t0} to ${model.t1}${model.atLeast ? ', in silicon at least as many' : ''}`;
    element.classList.toggle('units', !!meta.units);
    element.classList.toggle('plain', !meta.vector);
    for (const part of ['number', 'range']) [p[part].min, p[part].max] = [model.t0, model.t1];
    lregs.update({has16: model.has16, ...meta.dst.startsWith('int') ? {reading: 'int'} : {}});
    dst.update({reading: meta.dst in views.dstReadings ? meta.dst : 'hex'});
    p.zoom.value = meta.units ? 32 : 136;
    pipeline.zoom(+p.zoom.value);
    const count = model.notes.length;
    p.broken.hidden = count === 0;
    p.broken.textContent = `${count} broken rule${count === 1 ? '' : 's'}`;
    p.sourceabout.textContent = 'cycle of issue, + cycles held' +
      (model.stood.size ? '; slanted: of a core' : '') +
      (model.searchAll ? `; up to cycle ${model.plainEnd}` : '');
    p.side.hidden = model.source.length === 0;
    element.classList.toggle('includes', model.source.some((f, i) => i > 0 && f.lines.length));
    source.update(model.source);
    source.notes(noteOf);
    find();
  }
  function key(e) {
    const tag = e.target.tagName;
    if (e.key === 'Escape') pipeline.hideTip();
    if (tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA' || e.target.isContentEditable ||
      e.ctrlKey || e.altKey || e.metaKey) return;
    const step = e.shiftKey ? 10 : 1;
    const to = {ArrowLeft: now - step, ArrowRight: now + step, Home: model.t0,
      End: model.t1}[e.key];
    if (to !== undefined) show(to);
    else if (e.key === 'ArrowDown') pipeline.focus(1);
    else if (e.key === 'ArrowUp') pipeline.focus(-1);
    else if (e.key === '/') p.find.focus();
    else if (e.key === 'n' || e.key === 'N') leap(broken(), e.key === 'N');
    else return;
    e.preventDefault();
  }

  const view = {
    show,
    get cycle() { return now; },
    get model() { return model; },
    pipeline, source, lregs, dst,
    on: bus.on,
    update(next) {
      model = views.traceModel(next);
      now = Math.max(model.t0, Math.min(model.t1, now));
      pipeline.update(model);
      fill();
      show(now);
    },
    destroy() {
      for (const part of [pipeline, source, lregs, dst]) part.destroy();
      bus.destroy();
      element.replaceChildren();
    }
  };
  pipeline.on('choose', t => show(t, true));
  pipeline.on('look', i => source.choose(i && i.places || []));
  source.on('look', place => pipeline.mark(place || held));
  source.on('choose', place => {
    held = held && held.file === place.file && held.line === place.line ? null : place;
    pipeline.mark(held);
    const key = place.file + ':' + place.line;
    leap(model.places.get(key) || model.stood.get(key) || []);
  });
  lregs.on('reading', read => pipeline.reading(read));
  if (options.head === false) p.head.remove();
  if (options.theme === false) p.theme.remove(); else views.theme.button(p.theme);
  p.first.onclick = () => show(model.t0);
  p.last.onclick = () => show(model.t1);
  p.back.onclick = () => show(now - 1);
  p.next.onclick = () => show(now + 1);
  p.broken.onclick = () => leap(broken());
  p.number.onchange = p.range.oninput = e => show(+e.target.value);
  p.zoom.onchange = e => pipeline.zoom(+e.target.value);
  p.find.oninput = find;
  p.find.onkeydown = e => {
    if (e.key === 'Enter') leap(hits, e.shiftKey);
    if (e.key === 'Escape') p.find.blur();
  };
  if (options.keys !== false) bus.listen(window, 'keydown', key);
  bus.redraw(element, drawMarks);
  fill();
  show(now);
  return view;
};

// The page of `tensix trace --html`: #cycle=12&theme=dark&tip&find=sfpmad
views.tracePage = (element, data) => {
  const view = views.trace(element, data);
  document.title = data.meta.kernel + ' - tensix trace';
  const fromHash = () => {
    const words = new URLSearchParams(location.hash.slice(1));
    if (words.has('theme')) views.theme.set(words.get('theme'));
    if (words.has('cycle')) view.show(+words.get('cycle'));
    if (words.has('tip')) view.pipeline.focus(1);
  };
  addEventListener('hashchange', fromHash);
  fromHash();
  views.page = view;
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
