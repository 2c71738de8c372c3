// SPDX-License-Identifier: Apache-2.0
// Distribution of errors: tensixViews.histogram(element, models) shows how many inputs have which
// error, and for kernels with several operands tensixViews.heat(element, model, options) shows the
// error over pairs of inputs. Both draw on a canvas.
(views => {
'use strict';
const {make} = views;

views.histogram = (element, models) => {
  const bus = views.events();
  const p = views.build(element, 'tx-histogram', `<div class='tx-title'><h2>Inputs by error</h2>
<label class='tx-key'><input data-part='log' type='checkbox' checked>logarithmic count</label></div>
<div class='plot tx-panel'><canvas data-part='canvas' role='img' tabindex='0'></canvas></div>`);
  const tip = views.tip(element), LEFT = 58, TOP = 10, BOTTOM = 30, HIGH = 260;
  let bars = [], width = 0, most = 1, at = -1;

  /* The bars: exact results, then octaves or eighths of octaves, as fits, then mismatches. */
  function collect() {
    const shown = models.filter(m => m.shown);
    const all = shown.flatMap(m => m.view.histogram);
    const low = Math.floor(Math.log2(Math.min(1, ...all.map(b => b[0]))));
    const high = Math.ceil(Math.log2(Math.max(2, ...all.map(b => b[1]))));
    const parts = (high - low) * 8 <= 96 ? 4 : (high - low) * 2 <= 96 ? 2 : 1;
    bars = [{text: 'exact', label: '0', counts: shown.map(m => m.view.accuracy.exact)}];
    for (let k = 0; k < (high - low) * parts; k++) {
      const from = Math.pow(2, low + k / parts), to = Math.pow(2, low + (k + 1) / parts);
      const middle = b => Math.sqrt(b[0] * b[1]);
      const label = Number.isInteger(low + k / parts) ? views.short(from, 4) : '';
      bars.push({text: `from ${views.short(from, 4)} to below ${views.short(to, 4)} ULP`, label,
        counts: shown.map(m => m.view.histogram.filter(b => middle(b) >= from && middle(b) < to)
          .reduce((sum, b) => sum + b[2], 0))});
    }
    while (bars.length > 2 && !bars[bars.length - 1].counts.some(n => n > 0)) bars.pop();
    while (bars.length > 2 && !bars[1].counts.some(n => n > 0)) bars.splice(1, 1);
    if (shown.some(m => m.view.accuracy.mismatched))
      bars.push({text: 'NaN or infinity against something else', label: 'NaN', bad: true,
        counts: shown.map(m => m.view.accuracy.mismatched)});
    most = Math.max(1, ...bars.flatMap(b => b.counts));
    return shown;
  }
  const share = n => n === 0 ? 0 : !p.log.checked ? n / most :
    (Math.log10(n) + 0.3) / (Math.log10(most) + 0.3);
  /* With several sweeps each is drawn as a stepped line, slightly shifted. */
  function outline(g, i, color, base, high) {
    g.strokeStyle = g.fillStyle = color;
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(LEFT + i, base);
    bars.forEach((bar, k) => {
      const y = base - share(bar.counts[i]) * high - (bar.counts[i] ? i : 0);
      g.lineTo(LEFT + k * width + i, y);
      g.lineTo(LEFT + (k + 1) * width + i, y);
    });
    g.lineTo(LEFT + bars.length * width + i, base);
    g.stroke();
    g.globalAlpha = 0.08;
    g.fill();
    g.globalAlpha = 1;
  }
  function draw() {
    const canvas = p.canvas, ratio = devicePixelRatio || 1, shown = collect();
    const outer = canvas.parentNode.clientWidth - 20;
    if (outer < 60) return;
    width = (outer - LEFT - 8) / bars.length;
    canvas.width = Math.round(outer * ratio);
    canvas.height = Math.round(HIGH * ratio);
    canvas.style.width = outer + 'px';
    canvas.style.height = HIGH + 'px';
    const colors = views.colors(element, ['dim', 'line', 'bad', 'panel', 'raised',
      ...models.map(m => m.color)]);
    const g = canvas.getContext('2d'), high = HIGH - TOP - BOTTOM, base = TOP + high;
    g.scale(ratio, ratio);
    g.fillStyle = colors.panel;
    g.fillRect(0, 0, outer, HIGH);
    g.font = '11px ' + getComputedStyle(document.body).fontFamily;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    const marks = p.log.checked ? [...Array(11).keys()].map(k => Math.pow(10, k)) :
      [0.25, 0.5, 0.75, 1].map(k => Math.round(k * most));
    for (const n of marks) {
      if (n > most) break;
      const y = Math.round(base - share(n) * high);
      g.fillStyle = colors.line;
      g.fillRect(LEFT, y, outer - LEFT, 1);
      g.fillStyle = colors.dim;
      g.fillText(n >= 1e6 ? n.toExponential(0).replace('e+', 'e') : views.count(n), LEFT - 6, y);
    }
    g.textAlign = 'center';
    g.textBaseline = 'alphabetic';
    let free = 0;
    bars.forEach((bar, k) => {
      const x = LEFT + k * width, one = Math.max(1, (width - 2) / shown.length);
      if (k === at) {
        g.fillStyle = colors.raised;
        g.fillRect(x, TOP, width, high);
      }
      if (shown.length === 1)
        bar.counts.forEach((n, i) => {
          g.fillStyle = bar.bad ? colors.bad : colors[shown[i].color];
          g.fillRect(x + 1 + i * one, base - share(n) * high, one, share(n) * high);
        });
      g.fillStyle = colors.dim;
      if (bar.label && x >= free) {
        const text = k === 0 ? 'exact' : bar.label;
        g.fillText(text, x + width / 2, base + 17);
        free = x + g.measureText(text).width + 16;
      }
    });
    if (shown.length > 1) shown.forEach((m, i) => outline(g, i, colors[m.color], base, high));
    g.fillStyle = colors.dim;
    g.fillRect(LEFT, base, outer - LEFT, 1);
    canvas.setAttribute('aria-label', 'Histogram of errors: ' + bars.filter(b =>
      b.counts.some(n => n > 0)).map(b => `${b.text}: ${b.counts.join(', ')}`).join('; '));
  }
  function look(k) {
    k = Math.max(-1, Math.min(bars.length - 1, k));
    if (k !== at) {
      at = k;
      draw();
    }
    if (k < 0) return tip.hide();
    const shown = models.filter(m => m.shown), box = p.canvas.getBoundingClientRect();
    tip.show({left: box.left + LEFT + (k + 1) * width, bottom: box.top + TOP, top: box.top},
      make('b', '', bars[k].text), ...bars[k].counts.map((n, i) => make('div', '',
        (shown.length > 1 ? shown[i].label + ': ' : '') + views.count(n) + ' inputs, ' +
        (100 * n / Math.max(1, shown[i].view.accuracy.compared)).toFixed(3) + ' %')));
  }
  const view = {
    draw,
    update(next) {
      models = next;
      draw();
    },
    on: bus.on,
    destroy() {
      bus.destroy();
      element.replaceChildren();
    }
  };
  p.log.onchange = draw;
  p.canvas.onpointermove = e => look(Math.floor(
    (e.clientX - p.canvas.getBoundingClientRect().left - LEFT) / width));
  p.canvas.onpointerleave = p.canvas.onblur = () => look(-1);
  bus.listen(p.canvas, 'keydown', e => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!step) return;
    look(Math.max(0, at + step));
    e.preventDefault();
    e.stopPropagation();
  });
  bus.redraw(element, draw);
  draw();
  return view;
};

views.heat = (element, model) => {
  const bus = views.events();
  const p = views.build(element, 'tx-heat', `<div class='tx-title'><h2>Error over two inputs</h2>
<span class='dim' data-part='about'>largest error of each square; both axes by bit pattern</span>
</div><div class='plot tx-panel'><canvas data-part='canvas' role='img'></canvas></div>`);
  const tip = views.tip(element), LEFT = 76, TOP = 10, BOTTOM = 40, SIDE = 64;
  let cell = 5;
  const grid = model.grid, most = Math.max(1, ...grid.max);
  const text = k => model.text(k, false);
  function draw() {
    const canvas = p.canvas, ratio = devicePixelRatio || 1;
    const outer = Math.min(620, canvas.parentNode.clientWidth - 20);
    if (outer < 120) return;
    cell = Math.max(2, Math.floor((outer - LEFT - 8) / SIDE));
    const high = TOP + BOTTOM + SIDE * cell;
    canvas.width = Math.round(outer * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.width = outer + 'px';
    canvas.style.height = high + 'px';
    const colors = views.colors(element, ['dim', 'line', 'bad', 'panel', 'raised', 'accent']);
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.fillStyle = colors.panel;
    g.fillRect(0, 0, outer, high);
    for (let x = 0; x < SIDE; x++)
      for (let y = 0; y < SIDE; y++) {
        const u = grid.max[x * SIDE + y], lost = grid.mismatched[x * SIDE + y];
        const left = LEFT + x * cell, up = TOP + (SIDE - 1 - y) * cell;
        g.fillStyle = lost ? colors.bad : u === 0 ? colors.raised : colors.accent;
        g.globalAlpha = lost || u === 0 ? 1 :
          0.15 + 0.85 * Math.log2(1 + u) / Math.log2(1 + most);
        g.fillRect(left, up, cell, cell);
        g.globalAlpha = 1;
      }
    g.font = '11px ' + getComputedStyle(document.body).fontFamily;
    g.fillStyle = colors.dim;
    const short = k => views.short(model.number(k, false), 3);
    for (let k = 0; k <= SIDE; k += 16) {
      const i = Math.min(k, SIDE - 1);
      g.textAlign = k === SIDE ? 'right' : 'center';
      g.fillText(short(grid.x0[i]), LEFT + k * cell, high - BOTTOM + 16);
      g.textAlign = 'right';
      g.fillText(short(grid.x1[i]), LEFT - 6, TOP + (SIDE - k) * cell + (k === SIDE ? 9 : 3));
    }
    g.textAlign = 'center';
    g.fillText('first input', LEFT + SIDE * cell / 2, high - 6);
    canvas.setAttribute('aria-label', `Largest error ${views.short(most)} ULP over two inputs`);
  }
  p.canvas.onpointermove = e => {
    const box = p.canvas.getBoundingClientRect();
    const x = Math.floor((e.clientX - box.left - LEFT) / cell);
    const y = SIDE - 1 - Math.floor((e.clientY - box.top - TOP) / cell);
    if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) return tip.hide();
    const n = x * SIDE + y, lost = grid.mismatched[n];
    tip.show({left: e.clientX + 14, bottom: e.clientY + 8, top: e.clientY - 8},
      make('b', '', `at most ${views.short(grid.max[n])} ULP`),
      make('div', '', `first input from ${text(grid.x0[x])}, second from ${text(grid.x1[y])}`),
      ...lost ? [make('div', 'note', views.count(lost) + ' mismatches')] : []);
  };
  p.canvas.onpointerleave = () => tip.hide();
  bus.redraw(element, draw);
  draw();
  return {draw, on: bus.on, update: draw, destroy() {
    bus.destroy();
    element.replaceChildren();
  }};
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
