// SPDX-License-Identifier: Apache-2.0
// Shows one sweep, or several side by side: await tensixViews.sweep(element, data), with data an
// array of results of txl_sweep_view. Events: pick(point), as in tensixViews.accuracy.
(views => {
'use strict';
const {make} = views;

const HTML = `<header class='tx-head'><h1 data-part='title'></h1>
<span class='dim' data-part='about'></span><span class='grow'></span>
<button class='save-csv' data-part='csv' type='button' title='The points of the plot'>CSV</button>
<button class='save-json' data-part='json' type='button' title='All figures'>JSON</button>
<button class='save-png' data-part='png' type='button' title='The plot as it stands'>PNG</button>
<button class='theme' data-part='theme' type='button'></button></header>
<div data-part='alarm'></div>
<main><section class='tx-scroll'><table class='sums' data-part='sums'></table></section>
<section data-part='front' hidden></section>
<section data-part='plot'></section><section data-part='heat' hidden></section>
<div class='pair'><section data-part='histogram'></section>
<section class='figures'><div class='tx-title'><h2 data-part='which'></h2></div>
<div class='tx-panel tx-scroll'><table class='facts' data-part='facts'></table></div>
</section></div>
<section><div class='tx-title'><h2>Worst inputs</h2><span class='dim'>a row shows its place in
the plot</span></div><div class='tx-panel tx-scroll'>
<table class='worst rows' data-part='worst'></table></div></section>
<section data-part='findingsbox'><div class='tx-title'><h2>Findings</h2></div>
<div data-part='findings'></div></section>
<details data-part='specialbox'><summary>Special values</summary><div class='tx-panel tx-scroll'>
<table class='rows' data-part='specials'></table></div></details></main>`;

function row(table, cells, kind) {
  const tr = table.insertRow();
  for (const cell of cells) {
    const td = make(kind === 'head' ? 'th' : 'td');
    if (cell instanceof Node) td.append(cell);
    else td.textContent = cell === null || cell === undefined ? '' : cell;
    if (typeof cell === 'number' || /^-?[0-9][0-9\u202f.]*( %)?$/.test(td.textContent))
      td.className = 'n';
    tr.append(td);
  }
  return tr;
}
const percent = (part, all) => all ? (100 * part / all).toFixed(3) + ' %' : '';

views.sweep = async (element, data, options = {}) => {
  const bus = views.events(), p = views.build(element, 'tx-sweep', HTML);
  let models = [], chosen = null, plot = null, histogram = null, heat = null;

  function alarms() {
    p.alarm.replaceChildren();
    for (const m of models) {
      const v = m.view;
      if (!v.whole) {
        const box = make('div', 'alarm warn-box');
        box.setAttribute('role', 'alert');
        box.append(make('b', '', v.interrupted ? 'Interrupted. ' : 'Not whole. '),
          `${models.length > 1 ? m.label + ': ' : ''}${v.inputs}. ` +
          'What follows says nothing of the other inputs.');
        const strip = make('div', 'strip');
        for (const [first, last] of v.done_ranges) {
          const part = strip.appendChild(make('i'));
          part.style.left = 100 * first / v.wanted + '%';
          part.style.width = Math.max(0.1, 100 * (last + 1 - first) / v.wanted) + '%';
        }
        strip.title = 'how much was run of each 1/512 of the inputs, from the lowest to the highest';
        box.append(strip);
        p.alarm.append(box);
      }
      if (v.gate && !v.gate.passed) {
        const box = make('div', 'alarm bad-box');
        box.append(make('b', '', 'The gate is not passed. '),
          (models.length > 1 ? m.label + ': ' : '') + v.gate.text);
        p.alarm.append(box);
      }
    }
  }
  function sums() {
    p.sums.replaceChildren();
    const gated = models.some(m => m.view.gate);
    row(p.sums, ['', 'kernel', 'chip', 'Dst', 'inputs', 'reference', 'max ULP', 'mean ULP',
      'p99', 'exact', 'mismatched', 'findings', 'cycles a tile', ...gated ? ['gate'] : []], 'head');
    for (const m of models) {
      const v = m.view, a = v.accuracy, key = make('label', 'swatch');
      const box = key.appendChild(make('input'));
      box.type = 'checkbox';
      box.checked = m.shown;
      box.disabled = models.length === 1;
      box.setAttribute('aria-label', 'Show ' + m.label);
      box.onchange = () => {
        m.shown = box.checked;
        plot.draw();
        histogram.draw();
      };
      key.style.setProperty('--swatch', `var(--${m.color})`);
      const name = make('button', 'name', m.name);
      name.type = 'button';
      name.onclick = () => choose(m);
      const tr = row(p.sums, [key, name, v.arch, v.dst + (v.out_dst !== v.dst ? ` to ${v.out_dst}` :
        ''), v.inputs, v.reference, views.general(a.max_ulp, 6), views.general(a.mean_ulp, 6),
      views.general(v.percentiles.p99, 6), percent(a.exact, a.compared),
      views.count(a.mismatched), String(v.findings.length), views.count(v.cycles_per_tile),
      ...gated ? [v.gate ? (v.gate.passed ? 'passed' : 'FAILED') : ''] : []]);
      tr.classList.toggle('chosen', m === chosen);
      if (!v.whole) tr.cells[4].classList.add('warn');
      if (a.mismatched) tr.cells[10].classList.add('bad');
      if (v.findings.length) tr.cells[11].classList.add('bad');
      if (v.gate) tr.lastChild.classList.add(v.gate.passed ? 'good' : 'bad');
    }
  }
  function facts(m) {
    const v = m.view, a = v.accuracy;
    p.which.textContent = models.length > 1 ? m.label : 'Figures';
    p.facts.replaceChildren();
    const add = (name, ...text) => row(p.facts, [name, ...text]);
    if (v.title) add('title', v.title);
    add('inputs', v.inputs);
    add('reference', v.reference);
    add('Dst', `${v.dst_encoding || v.dst}, start ${v.start}`);
    if (v.rules.length) add('rules', v.rules.join(', '));
    add('compared', `${views.count(a.compared)}, of which exact ${views.count(a.exact)} ` +
      `(${percent(a.exact, a.compared)})`);
    add('errors', Object.entries(v.bands).map(([name, n]) =>
      `${name}\u00a0ULP:\u00a0${views.count(n)}`).join('  '));
    add('percentiles', Object.entries(v.percentiles).map(([name, u]) =>
      `${name}\u00a0${views.general(u, 6)}`).join('  '));
    add('largest', `${views.general(a.max_ulp, 6)} ULP` + (a.max_ulp_unrounded !== undefined ?
      `, ${views.general(a.max_ulp_unrounded, 6)} from the unrounded reference` : ''));
    add('mean', `${views.general(a.mean_ulp, 6)} ULP`);
    if (v.monotony_breaks !== undefined) add('breaks of monotony', views.count(v.monotony_breaks));
    for (const [name, n] of Object.entries(v.outcomes)) {
      const one = v.examples[name];
      if (n) add(name, `${views.count(n)}` + (one ? `, from ` +
        `${one.first.inputs.map(x => x.text).join(', ')} to ` +
        one.last.inputs.map(x => x.text).join(', ') : ''));
    }
    add('tensix', v.tensix);
  }
  const value = x => {
    const node = make('span', '', x.text);
    node.title = x.hex;
    return node;
  };
  function cases(table, list, more) {
    table.replaceChildren();
    const operands = chosen.view.operands;
    const inputs = operands === 1 ? ['input'] : [...Array(operands).keys()].map(k => 'input ' + k);
    row(table, ['', ...inputs, 'expected', 'result', 'ULP', more], 'head');
    return list.map((one, i) => {
      const tr = row(table, [i + 1, ...one.inputs.map(value), value(one.expected), value(one.got),
        one.ulp === null ? 'NaN' : views.general(one.ulp, 9), one.outcome ||
        (one.blame && one.blame.text ? one.blame.text : one.got.hex)]);
      for (const td of [...tr.cells].slice(1, 4 + operands)) td.className = 'n';
      return tr;
    });
  }
  function choose(m) {
    chosen = m;
    sums();
    facts(m);
    const v = m.view, worst = v.accuracy.worst;
    cases(p.worst, worst, 'result in hex').forEach((tr, i) => {
      tr.tabIndex = 0;
      const go = () => {
        m.shown = true;
        plot.go(m, worst[i].inputs.map(x => parseInt(x.hex, 16)));
        for (const other of p.worst.rows) other.classList.toggle('chosen', other === tr);
      };
      tr.onclick = go;
      tr.onkeydown = e => { if (e.key === 'Enter') go(); };
    });
    if (!worst.length) row(p.worst, ['', 'none: every result is exact']);
    p.findings.replaceChildren(...v.findings.map(f => {
      const line = make('div', 'finding tx-panel');
      line.append(make('b', 'bad', f.category), ' ' + f.message,
        make('span', 'dim', ` [${f.rule}] ${views.count(f.count)} times, first in tile ${f.tile}` +
          (f.source ? ', ' + f.source : '')));
      return line;
    }));
    if (!v.findings.length) p.findings.append(make('p', 'dim', 'none'));
    p.specialbox.hidden = !v.special_values.length;
    cases(p.specials, v.special_values.slice(0, 100), 'outcome');
    p.heat.hidden = !m.grid;
    if (heat) heat.destroy();
    heat = m.grid ? views.heat(p.heat, m) : null;
  }

  const view = {
    get models() { return models; },
    get plot() { return plot; },
    choose: index => choose(models[index]),
    on: bus.on,
    async update(next) {
      data = next;
      models = await Promise.all(data.map((v, i) => views.sweepModel(v, i)));
      const names = [...new Set(models.map(m => m.name))];
      p.title.textContent = names.length > 3 ? `${models.length} sweeps` : names.join(', ');
      const first = models[0].view;
      const same = field => models.every(m => m.view[field] === first[field]);
      p.about.textContent = [same('arch') ? first.arch : 'both chips', same('reference') ?
        'against ' + first.reference : '', same('inputs') ? first.inputs : ''].filter(x => x)
        .join(', ');
      alarms();
      const each = first.points.each;
      const about = each > 1 ? `${views.count(first.points.rows)} points, each the worst of ` +
        `${views.count(each)} neighbouring inputs` + (!first.bins ? '' :
        `; dashed: mean of each of ${views.count(first.bins.rows)} bins`) : 'every input is a point';
      if (plot) plot.destroy();
      if (histogram) histogram.destroy();
      chosen = models[0];
      sums();
      plot = views.accuracy(p.plot, models, {about});
      plot.on('pick', point => bus.emit('pick', point));
      histogram = views.histogram(p.histogram, models);
      views.front(p.front, models);
      choose(models[0]);
    },
    destroy() {
      for (const part of [plot, histogram, heat]) if (part) part.destroy();
      bus.destroy();
      element.replaceChildren();
    }
  };
  if (options.theme === false) p.theme.remove(); else views.theme.button(p.theme);
  const file = () => chosen.name.replace(/\.[a-z]+$/, '') + '-' + chosen.view.arch;
  p.csv.onclick = () => views.save(file() + '.csv', 'text/csv', chosen.csv());
  p.json.onclick = () => views.save(file() + '.json', 'application/json',
    JSON.stringify(chosen.view, (k, v) => k === 'points' || k === 'bins' || k === 'grid' ?
      undefined : v, 1));
  p.png.onclick = async () => views.save(file() + '.png', 'image/png', await plot.png());
  await view.update(data);
  return view;
};

// The page of `tensix sweep --html`: #theme=dark
views.sweepPage = async (element, data) => {
  const words = new URLSearchParams(location.hash.slice(1));
  if (words.has('theme')) views.theme.set(words.get('theme'));
  const view = await views.sweep(element, data);
  document.title = 'Accuracy: ' + [...new Set(view.models.map(m => m.name))].join(', ');
  views.page = view;
  return view;
};
})(globalThis.tensixViews = globalThis.tensixViews || {});
