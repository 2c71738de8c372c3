// SPDX-License-Identifier: Apache-2.0
// Shows sub-units over cycles: tensixViews.pipeline(element, model, options). Only the visible part
// is in the document. Events: choose(cycle), look(instruction or null).
(views => {
'use strict';
const {make, short, float, hex} = views, {BANK, CORE, GATE} = views.span;
const HUES = [210, 28, 140, 320, 262, 58], STALL = 3, SECOND = 2;
const spanText = s => s.kind === BANK ? s.text : s.text + ['...', ' waits: ' + s.why, ''][s.phase];
views.spanText = spanText;

views.pipeline = (element, model, options = {}) => {
  const bus = views.events();
  const parts = views.build(element, 'tx-pipeline',
    `<div class='names' data-part='names'></div>
     <div class='scroll' data-part='scroll' tabindex='-1'><div class='canvas' data-part='canvas'>
     </div></div>`);
  const tip = views.tip(element), seen = new Map(), bars = new Map();
  const cursor = make('div', 'cursor');
  let width = options.width || 136, now = 0, origin = 0, mark = null, read = v => short(float(v));

  /* ---- tooltip ---- */
  function valuesText(s, reg) {
    const list = Array.from(s.lreg.subarray(32 * reg, 32 * reg + 32));
    if (list.every(v => v === list[0])) return [read(list[0]) + ' in all lanes'];
    return [...list.slice(0, 8).map(read), '...'];
  }
  function written(i) {
    const found = [];
    for (let t = i.start; t <= Math.min(i.start + 1, model.t1); t++)
      for (const w of model.cycle(t).writes)
        if (w[0] === 'L' && w[3] === i.id && views.units[w[4]] === views.units[i.unit] &&
          (w[5] !== 0) === i.sched && w[6] === i.start) found.push([t, w[2], w[7]]);
    return found;
  }
  function aboutInsn(i) {
    const list = [make('b', '', i.label), make('div', 'mono dim', i.dis + '   ' + i.word)];
    const kind = ['issued',
      'scheduled by SFPLOADMACRO ' + i.id + ', launched in cycle ' + i.launch,
      'second cycle, started in ' + i.start, 'held: ' + i.why][i.kind];
    list.push(make('div', '', `${views.units[i.unit]}, cycle ${i.t}, instruction ${i.id}, ` +
      `thread ${i.thread}${i.datum ? ', datum ' + i.datum : ''}; ${kind}`));
    if (i.dropped) list.push(make('div', 'note', 'dropped: its sub-unit is taken'));
    if (i.row >= 0) list.push(make('div', '', 'Dst address ' + i.row));
    for (const n of model.cycle(i.t).notes)
      if (n.id === i.id) list.push(make('div', 'note', n.text));
    const table = make('table');
    const line = (...cells) => {
      const tr = table.insertRow();
      for (const p of cells) tr.insertCell().textContent = p;
      return tr;
    };
    const before = model.state(i.start, true);
    for (let r = 0; r < 17; r++)
      if (i.reads >>> r & 1) line('reads', 'L' + r, ...valuesText(before, r));
    for (const [t, r, lanes] of written(i)) {
      line('writes', 'L' + r, ...valuesText(model.state(t), r));
      const cell = line('', '', (lanes === 'ffffffff' ? '' : 'lanes ' + lanes + ', ') +
        'readable in ' + (t + 1)).lastChild;
      [cell.colSpan, cell.className] = [9, 'wrap'];
    }
    if (table.rows.length) list.push(table);
    return list;
  }
  function aboutSpan(s) {
    const list = [make('b', '', model.spanLane(s).name + ': ' + spanText(s))];
    if (s.dis) list.push(make('div', 'mono dim', s.dis));
    const bound = s.atLeast && s.phase === 2 ? 'at least ' : '';
    list.push(make('div', '', `cycles ${s.from} to ${s.to - 1}: ${bound}${s.to - s.from}`));
    if (s.kind === BANK) {
      list.push(make('div', '', s.text === 'math' ?
        'the Matrix Unit has it: its data are valid' : 'the unpacker has it'));
      if (s.why) list.push(make('div', '', s.why));
    } else if (s.kind === CORE) {
      list.push(make('div', '', `pc ${hex(s.id, 8)}${s.phase === 2 ? ' on, ' + s.why : ''}`));
    } else if (s.kind !== GATE) {
      list.push(make('div', '', `instruction ${s.id}, thread ${s.thread}, issued in cycle ` +
        s.issued));
    }
    return list;
  }
  function showTip(cell) {
    tip.show(cell.getBoundingClientRect(),
      ...cell.span ? aboutSpan(cell.span) : aboutInsn(cell.insn));
    bus.emit('look', cell.insn || cell.span);
  }
  function hideTip() {
    tip.hide();
    bus.emit('look', null);
  }

  /* ---- cells ---- */
  function addCell(group, i, strip, shrunk, bad) {
    const n = make('div', 'cell', i.kind === STALL ? i.text + '\n' + i.why : i.label);
    const c = n.classList, lane = model.laneOf(i), gap = width > 40 ? 2 : 0.5;
    if (i.datum) {
      c.add('d');
      n.style.setProperty('--h', HUES[(i.datum - 1) % HUES.length]);
    }
    c.toggle('sched', i.sched);
    c.toggle('second', i.kind === SECOND);
    c.toggle('stall', i.kind === STALL);
    c.toggle('dropped', i.dropped);
    c.toggle('strip', strip);
    c.toggle('short', shrunk);
    c.toggle('tall', width < 64);
    c.toggle('broken', bad);
    n.style.left = (i.t - origin) * width + gap + 'px';
    n.style.width = width - 2 * gap + 'px';
    n.style.top = lane.top + (strip ? 37 : 2) + 'px';
    n.tabIndex = i.t === now ? 0 : -1;
    n.insn = i;
    n.setAttribute('aria-label', `${lane.name} cycle ${i.t}: ${n.textContent}` +
      (bad ? ', breaks a rule' : ''));
    group.push(n);
  }
  /* A bar over several cycles; its text stays visible while scrolling. */
  function addSpan(s) {
    const n = make('div', 'cell bar'), lane = model.spanLane(s), c = n.classList;
    c.add(s.kind === BANK ? (s.text === 'math' ? 'math' : 'unpack') :
      s.kind === GATE ? 'stall' : ['enter', 'wait', 'work'][s.phase]);
    c.toggle('thin', lane.thin);
    c.toggle('tall', s.kind === GATE && (s.to - s.from) * width < 64);
    n.append(make('span', '', s.kind === GATE ? s.text + '\n' + s.why : spanText(s)));
    n.style.left = (s.from - origin) * width + 1 + 'px';
    n.style.width = (s.to - s.from) * width - 2 + 'px';
    n.style.top = lane.top + 2 + 'px';
    n.tabIndex = -1;
    n.span = s;
    n.setAttribute('aria-label',
      `${lane.name} cycles ${s.from} to ${s.to - 1}: ${n.textContent}`);
    return n;
  }
  function cellsOf(t) {
    const c = model.cycle(t), group = [], every = Math.ceil(36 / width);
    const silent = every > 1 && t % (5 * Math.ceil(every / 5));
    const tick = make('div', 'tick', silent ? '' : t);
    tick.style.left = (t - origin) * width + 'px';
    tick.style.width = width + 'px';
    tick.cycle = t;
    if (c.notes.length) {
      tick.classList.add('note');
      if (silent) tick.textContent = '!';
      tick.title = c.notes.map(n => n.text).join('\n');
    }
    if (c.section) {
      tick.classList.add('sec');
      tick.dataset.s = c.section;
    }
    group.push(tick);
    const starts = new Set(c.insns.filter(i => i.kind !== SECOND).map(model.laneOf));
    const ends = new Set(c.insns.filter(i => i.kind === SECOND).map(model.laneOf));
    const broken = new Set(c.notes.map(n => n.id));
    for (const i of c.insns) {
      if (model.meta.units && i.kind === STALL) continue; /* shown in a bar */
      const lane = model.laneOf(i), both = starts.has(lane) && ends.has(lane);
      addCell(group, i, both && i.kind === SECOND, both && i.kind !== SECOND,
        broken.has(i.id) && i.kind !== STALL && !i.sched);
    }
    return group;
  }
  function drawSpans(a, b) {
    for (const [s, n] of bars) {
      if (s.from <= b && s.to > a) continue;
      n.remove();
      bars.delete(s);
    }
    for (const s of model.spansIn(a, b)) {
      if (bars.has(s)) continue;
      const n = addSpan(s);
      parts.canvas.append(n);
      bars.set(s, n);
    }
  }
  function draw() {
    const box = parts.scroll;
    const a = Math.max(model.t0, origin + Math.floor(box.scrollLeft / width) - 4);
    const b = Math.min(model.t1, origin + Math.ceil((box.scrollLeft + box.clientWidth) / width) + 4);
    const wait = model.need(a, b), then = model;
    if (wait) wait.then(() => { if (then === model) layout(true); });
    for (const [t, group] of seen) {
      if (t >= a && t <= b) continue;
      group.forEach(n => n.remove());
      seen.delete(t);
    }
    for (let t = a; t <= b; t++) {
      if (seen.has(t)) continue;
      const group = cellsOf(t);
      parts.canvas.append(...group);
      seen.set(t, group);
    }
    drawSpans(a, b);
    paint();
  }
  /* Marks what stalls an instruction in the chosen cycle, and instructions of a marked line. */
  function paint() {
    const by = new Set(model.cycle(now).insns.map(i => i.by).filter(n => n >= 0));
    const of = x => mark !== null &&
      (x.places || []).some(p => p.file === mark.file && p.line === mark.line);
    for (const group of seen.values())
      for (const n of group) {
        if (!n.insn) continue;
        n.classList.toggle('holds', !n.insn.sched && n.insn.kind !== STALL && by.has(n.insn.id));
        n.classList.toggle('marked', of(n.insn));
      }
    for (const [s, n] of bars) n.classList.toggle('marked', of(s));
  }
  /* Limits the cycles laid out at once, because elements cannot be wider than about 2^25 pixels. */
  const reach = () => Math.floor(8e6 / width);
  function moveTo(t) {
    const whole = model.t1 - model.t0 + 1, next = whole <= reach() ? model.t0 :
      Math.max(model.t0, Math.min(t - (reach() >> 1), model.t1 + 1 - reach()));
    if (next === origin) return;
    const shift = (origin - next) * width;
    origin = next;
    layout(true);
    parts.scroll.scrollLeft += shift;
  }
  function layout(stay) {
    seen.forEach(group => group.forEach(n => n.remove()));
    seen.clear();
    bars.forEach(n => n.remove());
    bars.clear();
    parts.canvas.style.width = Math.min(reach(), model.t1 - origin + 1) * width + 'px';
    if (stay) draw(); else view.show(now);
  }

  const view = {
    show(t) {
      now = t;
      if (now < origin || now >= origin + reach()) moveTo(now);
      const box = parts.scroll, x = (now - origin) * width;
      cursor.style.left = x + 'px';
      cursor.style.width = width + 'px';
      if (x < box.scrollLeft + width || x + 2 * width > box.scrollLeft + box.clientWidth)
        box.scrollLeft = x - box.clientWidth / 3;
      draw();
      for (const [u, group] of seen)
        for (const n of group) if (n.insn) n.tabIndex = u === now ? 0 : -1;
    },
    // Sets the width of a cycle in pixels.
    zoom(pixels) {
      width = pixels;
      origin = -1;
      moveTo(now);
      layout();
    },
    // Marks the instructions of {file, line}; null: none.
    mark(place) {
      mark = place;
      paint();
    },
    reading(function_) { read = function_; },
    // Moves the focus to the next instruction of the chosen cycle.
    focus(step) {
      const cells = [...(seen.get(now) || []), ...bars.values()].filter(n => n.insn ||
        n.span && n.span.from <= now && n.span.to > now);
      if (!cells.length) return;
      const index = cells.indexOf(document.activeElement);
      cells[index < 0 ? 0 : (index + step + cells.length) % cells.length].focus();
    },
    hideTip,
    on: bus.on,
    update(next) {
      model = next;
      parts.names.replaceChildren(make('div', '', 'cycle'), ...model.lanes.map(l =>
        make('div', l.thin ? 'thin' : '', l.name)));
      parts.canvas.replaceChildren(...model.lanes.map(l => {
        const line = make('div', 'lane');
        line.style.top = l.top + 'px';
        return line;
      }), cursor);
      parts.canvas.style.height = model.lanes[model.lanes.length - 1].bottom + 'px';
      element.classList.toggle('units', !!model.meta.units);
      now = Math.max(model.t0, Math.min(model.t1, now));
      origin = -1;
      moveTo(now);
      layout();
    },
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  bus.listen(parts.scroll, 'scroll', () => {
    const {scrollLeft: left, clientWidth: wide, scrollWidth: all} = parts.scroll;
    if (left < wide && origin > model.t0 ||
      left + 2 * wide > all && origin + reach() <= model.t1)
      moveTo(origin + Math.floor(left / width));
    draw();
    const cell = document.activeElement;
    if ((cell.insn || cell.span) && !tip.node.hidden) showTip(cell);
    else hideTip();
  });
  bus.redraw(element, draw);
  bus.listen(parts.canvas, 'click', e => {
    const cell = e.target.closest('.cell, .tick');
    if (!cell) return;
    const x = e.clientX - parts.canvas.getBoundingClientRect().left;
    bus.emit('choose', cell.span ? origin + Math.floor(x / width) :
      cell.insn ? cell.insn.t : cell.cycle);
  });
  for (const name of ['mouseover', 'focusin'])
    bus.listen(parts.canvas, name, e => {
      const cell = e.target.closest('.cell');
      if (cell) showTip(cell);
    });
  for (const name of ['mouseout', 'focusout']) bus.listen(parts.canvas, name, hideTip);
  view.update(model);
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
