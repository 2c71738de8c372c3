// SPDX-License-Identifier: Apache-2.0
// The playground: keeps the user's choices, asks the engine, and shows the answers in the panels.
import views from './views.js';
import './style.css';
import {Editor} from './editor.js';
import {Engine} from './engine.js';
import {Explain} from './explain.js';
import {chipOf, gallery} from './gallery.js';
import {Inputs} from './inputs.js';
import {Lessons, checkTools, lessonText, lessons} from './lessons.js';
import {firstL1, l1Options, l1Results, wantsL1} from './l1.js';
import {float, npyHead, npyOf, pattern, wordText} from './numbers.js';
import {errors, evaluate, formatOf} from './own.js';
import {curve} from './curve.js';
import {account, button, count, failure, figures, make, results} from './results.js';
import {decode, encode} from './share.js';

const $ = id => document.getElementById(id);
const CHIPS = {bh: 'Blackhole', wh: 'Wormhole'}, LONG = {bh: 'blackhole', wh: 'wormhole_b0'};
const OWN = 'own function'; // the choice of a reference that is not the engine's
const BUDGET = 2000000, PAGE_CYCLES = 20000;
const DOMAINS = [['', 'all 16-bit inputs'], ['-10:10', 'BF16 from -10 to 10'],
  ['fp16', 'all FP16'], ['sample', '100 000 inputs drawn from FP32']];

/* ---- state ---- */

const state = {chip: 'bh', tab: 'results', budget: BUDGET, reference: null, own: '', domain: '',
  tile: 0, element: null, cycle: null};
const engine = new Engine(), server = new Engine();
let program = null;        // description of the present text, or null
let result = null, shown = null, trace = null, traced = null, sweep = null, swept = null;
let last = 0;              // number of the latest request

const editor = new Editor($('editor'), server, {
  change: () => { stale(); refresh(); },
  diagnostics: showProblems,
  explain: word => explainWord(word),
  line: number => followLine(number),
  run: () => run()
});
const inputs = new Inputs($('inputs'), error => {
  if (error) toast(error.message);
  stale();
});
const explain = new Explain($('explain'), async subject =>
  (await server.ask({op: 'explain', subject, arch: LONG[state.chip]})).ok);

const place = (line, column) => editor.go(line, column);

// Where the text stands in the engine's memory, as what it includes is looked for beside it.
function path() {
  const name = $('name').value.trim() || 'kernel.s';
  return '/examples/' + (name.startsWith('tiles/') ? '' : 'kernels/') + name;
}
function question(extra = {}) {
  return {text: editor.text, name: path(), arch: state.chip, max_cycles: state.budget, ...extra};
}
// Returns names and bytes of the input files for a question.
function withInputs() {
  const files = {}, names = [];
  inputs.files().forEach((data, i) => { files[`/in${i}.npy`] = data; names.push(`/in${i}.npy`); });
  return {files, names};
}
const reference = () => state.reference === OWN ? '' :
  state.reference === null ? (program && program.reference) || '' : state.reference;
const ownFunction = () => state.reference === OWN ? state.own.trim() : '';
const compared = () => reference() ? {reference: reference()} : {};

// Marks what is shown as outdated, because program or inputs have changed.
function stale() {
  result = trace = sweep = null;
  $('status').textContent = shown || traced || swept ? 'changed since the last run' : '';
}

/* ---- the program in the editor ---- */

let refreshing = 0;
function refresh() {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => describe(), 200);
}
// Assembles the text and shows what it is. by: an engine that is not busy with the text already.
async function describe(by = server) {
  clearTimeout(refreshing);
  const asked = editor.text;
  try {
    const {ok} = await by.ask({...question(), op: 'program'});
    if (asked !== editor.text) return false;
    program = ok;
    if (!wantsL1(ok, asked)) {
      if (inputs.l1) inputs.l1 = null;
      inputs.shape(ok.inputs, /^u?int/.test(ok.dst || ''));
    } else if (!inputs.l1) {
      inputs.l1 = firstL1(asked);
    }
    $('about').textContent = [ok.title, inputs.l1 ? 'from L1 to L1' : `Dst ${ok.dst || 'fp32'}` +
      (ok.out && ok.out !== ok.dst ? ` to ${ok.out}` : ''),
    `${ok.tile.length} words`].filter(Boolean).join(' \u00b7 ');
    $('about').title = $('about').textContent;
    $('about').classList.remove('bad');
    $('reference').parentElement.hidden = inputs.l1 !== null;
    drawReferences();
    return true;
  } catch (error) {
    if (asked !== editor.text) return false;
    program = null;
    $('about').textContent = $('about').title = error.message;
    $('about').classList.add('bad');
    return false;
  }
}

let functions = [];
function drawReferences() {
  const select = $('reference'), own = program && program.reference;
  const fit = functions.filter(one => !program || one.inputs === program.inputs);
  select.replaceChildren(
    make('option', {value: 'own', textContent: own ? `${own} (the kernel's)` : 'nothing'}),
    ...own ? [make('option', {value: '', textContent: 'nothing'})] : [],
    ...fit.filter(one => one.name !== own).map(one =>
      make('option', {value: one.name, textContent: one.name})),
    make('option', {value: OWN, textContent: 'your own function'}));
  select.value = state.reference === null ? 'own' : state.reference;
  $('own').hidden = state.reference !== OWN;
  if (select.selectedIndex < 0) {
    state.reference = null;
    select.value = 'own';
  }
}

// Lists the problems, errors first. Hints are shown in the text only.
function showProblems(list) {
  const weight = ['error', 'warning', 'info'];
  const told = list.filter(one => weight.includes(one.severity))
    .sort((a, b) => weight.indexOf(a.severity) - weight.indexOf(b.severity) || a.line - b.line);
  $('problems').replaceChildren(...told.map(one => {
    const row = button('', () => editor.go(one.line), {className: one.severity});
    row.append(make('span', {className: 'at', textContent: 'line ' + one.line}),
      make('span', {className: 'what', textContent: one.message}));
    if (one.source) {
      const rule = make('span', {className: 'rule linklike', textContent: one.source,
        title: 'Explain this rule'});
      rule.onclick = event => { event.stopPropagation(); explainWord(one.source); };
      row.append(rule);
    }
    return row;
  }));
}

/* ---- running ---- */

// Runs one request at a time. The answer to an earlier request is not shown any more.
async function work(panel, what, body) {
  const turn = ++last;
  for (let i = 0; i < 10 && engine.busy; i++) await new Promise(done => setTimeout(done, 30));
  if (turn !== last) return;
  if (engine.busy) engine.stop(); // starting a new engine is faster than waiting for a long run
  $('stop').disabled = false;
  $('status').textContent = what + '...';
  const from = performance.now();
  try {
    await body(() => turn === last);
    if (turn === last)
      $('status').textContent = `${what}: ${Math.round(performance.now() - from)} ms`;
  } catch (error) {
    if (turn !== last) return;
    $('status').textContent = '';
    if (panel === $('pipeline')) traced = trace = null;
    panel.replaceChildren(failure(error, place));
    if (/max_cycles/.test(error.message))
      panel.append(make('p', {className: 'told', textContent: 'The page allows ' +
        `${count(state.budget)} cycles a tile: the number beside Run.`}));
  } finally {
    if (turn === last) $('stop').disabled = true;
  }
}

async function run() {
  if (state.tab === 'explain') choose('results', true);
  const tab = state.tab;
  if (tab === 'pipeline') return runTrace();
  if (tab === 'accuracy') return runSweep();
  return runTiles();
}

// Compares a tile with the user's own function, as the engine does with those that it has.
async function compareOwn(answer, tile) {
  const own = ownFunction(), format = program && formatOf(program);
  if (!own) return;
  if (tile.ok.integer_out || !format)
    throw new Error('A function of your own is compared with results in FP32, BF16 or FP16.');
  const {arrays} = tile, n = Math.min(1024, tile.ok.elements - 1024 * state.tile);
  const wanted = await evaluate(own, arrays.held.map(words => Float64Array.from(words, word =>
    tile.ok.integer_in ? word | 0 : float(word))));
  arrays.expected = Uint32Array.from(wanted, pattern);
  arrays.ulp = errors(format, arrays.got, wanted);
  tile.ok.reference = own;
  const ulp = arrays.ulp.subarray(0, n), finite = ulp.filter(Number.isFinite);
  answer.run.accuracy = {tile: true, compared: n, mismatched: finite.length < n ? 1 : 0,
    exact: ulp.filter(one => one === 0).length, max_ulp: Math.max(0, ...finite),
    mean_ulp: finite.reduce((a, b) => a + b, 0) / Math.max(1, finite.length)};
}

const npyBytes = file => npyHead(file).data;
function differing(a, b, width) {
  let n = 0;
  for (let i = 0; i < a.length; i += width)
    for (let k = 0; k < width; k++) if (a[i + k] !== b[i + k]) { n++; break; }
  return n;
}

// Runs the kernel on the other chip and says whether the results are the same.
async function runOther(files, names, output) {
  const chip = state.chip === 'bh' ? 'wh' : 'bh';
  try {
    const {ok, files: out} = await engine.ask({...question({arch: chip}), ...compared(),
      op: 'run', inputs: names, output: '/other.npy'}, {inputs: files, outputs: ['/other.npy']});
    const mine = npyBytes(output), other = npyBytes(out['/other.npy']);
    const width = mine.length / Math.max(1, ok.run.elements);
    const n = mine.length === other.length ? differing(mine, other, width) : -1;
    return `${CHIPS[chip]}: ${+ok.run.cycles_per_tile.toFixed(1)} cycles a tile, ` +
      (n === 0 ? 'the same results bit for bit.' : n < 0 ? 'another kind of result.' :
        `${count(n)} of ${count(ok.run.elements)} results differ.`);
  } catch (error) {
    return `${CHIPS[chip]}: ${error.message}`;
  }
}

const baseName = () => ($('name').value || 'kernel').replace(/\.s$/, '').replace(/\W+/g, '_');

async function runL1(current) {
  const {files} = withInputs(), l1 = {...inputs.l1}, {outputs, ...places} = l1Options(l1);
  const ask = chip => engine.ask({...question({arch: chip}), ...places, op: 'l1'},
    {inputs: files, outputs});
  const answer = await ask(state.chip);
  if (!current()) return;
  const mine = result = {run: answer.ok, l1, other: '',
    files: outputs.map(name => [name, answer.files[name]])};
  const draw = () => l1Results($('results'), mine, {explain: explainWord,
    save: (i, data) => views.save(`${baseName()}${i || ''}.npy`, 'application/octet-stream', data)});
  shown = {redraw() {}, select() {}};
  draw();
  const chip = state.chip === 'bh' ? 'wh' : 'bh';
  try {
    const {ok, files: other} = await ask(chip);
    const same = outputs.every((name, i) => differing(npyBytes(other[name]),
      npyBytes(mine.files[i][1]), 1) === 0);
    mine.other = `${CHIPS[chip]}: ${count(ok.tile_total.cycles)} cycles, ` +
      (same ? 'the same results bit for bit.' : 'other results.');
  } catch (error) {
    mine.other = `${CHIPS[chip]}: ${error.message}`;
  }
  if (result === mine) draw();
}

function runTiles() {
  return work($('results'), 'Run', async current => {
    await describe(engine);
    if (inputs.l1) return runL1(current);
    const {files, names} = withInputs();
    const ask = {...question(), ...compared(), inputs: names};
    const answer = await engine.ask({...ask, op: 'run', output: '/out.npy'},
      {inputs: files, outputs: ['/out.npy']});
    if (!current()) return;
    state.tile = Math.min(state.tile, Math.max(0, answer.ok.run.tiles - 1));
    const tile = await engine.ask({...ask, op: 'tile', tile: state.tile});
    await compareOwn(answer.ok, tile);
    if (!current()) return;
    result = {...answer.ok, tile, output: answer.files['/out.npy'], names, files, ask,
      tileNumber: state.tile, milliseconds: answer.milliseconds, other: ''};
    if (state.element !== null && state.element >> 10 === state.tile)
      result.selected = state.element & 1023;
    drawResults();
    if (result.selected !== undefined) shown.select(state.element);
    document.documentElement.dataset.result = String(Math.round(performance.now()));
    compareChips(result);
  });
}
async function compareChips(mine) {
  mine.other = await runOther(mine.files, mine.names, mine.output);
  const line = $('results').querySelector('.told.other');
  if (result === mine && line) line.textContent = mine.other;
}

function drawResults() {
  shown = results($('results'), result, {
    place, explain: explainWord, colors,
    choose: (element, box) => why(element, box),
    tile: number => {
      state.tile = number;
      state.element = null;
      runTiles();
    },
    save: () => views.save(baseName() + '.npy', 'application/octet-stream', result.output)
  });
}
// The theme's colours, asked once: each answer makes the browser lay out what has changed.
let palette = null;
const colors = () => palette = palette ||
  views.colors(document.body, ['accent', 'bad', 'panel', 'dim', 'line', 'good']);

async function why(element, box) {
  state.element = element;
  const mine = result;
  if (!mine) return;
  const head = make('h2', {textContent: `Why element ${count(element)} is as it is`});
  try {
    const {ok} = await engine.ask({...mine.ask, op: 'why', element}, {inputs: mine.files});
    if (state.element !== element || result !== mine) return;
    const integer = mine.tile.ok.integer_in;
    box.replaceChildren(head, ...ok.elements.map(one => account(one, {integer, place})));
  } catch (error) {
    box.replaceChildren(head, failure(error, place));
  }
}

/* ---- the pipeline ---- */

function runTrace(words) {
  return work($('pipeline'), 'Trace', async current => {
    await describe(engine);
    let files = {}, names = [];
    if (words) words.forEach((word, i) => {
      files[`/in${i}.npy`] = npyOf(Uint32Array.of(word), false);
      names.push(`/in${i}.npy`);
    });
    else ({files, names} = withInputs());
    const {ok} = await engine.ask({...question(), op: 'trace', end: PAGE_CYCLES,
      ...inputs.l1 ? {...l1Options(inputs.l1), outputs: undefined} :
        {inputs: names, tile: words ? 0 : state.tile}}, {inputs: files});
    if (!current()) return;
    drawTrace(ok);
  });
}

function drawTrace(data) {
  if (traced) traced.destroy();
  trace = data;
  $('pipeline').replaceChildren();
  const box = $('pipeline').appendChild(make('div', {}));
  traced = views.trace(box, data, {head: false, theme: false, keys: false});
  traced.on('cycle', cycle => {
    state.cycle = cycle;
    markCycle();
  });
  traced.show(state.cycle === null ? traced.model.t0 : state.cycle);
  markCycle();
}

// Marks the lines of this cycle's instructions in the editor.
function markCycle() {
  const {insns} = traced.model.cycle(traced.cycle);
  editor.mark(insns.filter(i => i.kind !== 2).flatMap(i => i.places).filter(p => !p.file)
    .map(p => p.line),
    state.tab === 'pipeline');
}

// Shows the first cycle of the line that was chosen in the editor.
function followLine(number) {
  if (state.tab !== 'pipeline' || !traced || !trace || !$('editor').contains(document.activeElement))
    return;
  const found = traced.model.places.get('0:' + number);
  traced.pipeline.mark(found ? {file: 0, line: number} : null);
  if (found && !found.includes(traced.cycle)) traced.show(found[0]);
}

$('pipeline').addEventListener('keydown', event => {
  const {tagName} = event.target;
  if (!traced || tagName === 'INPUT' || tagName === 'SELECT' || event.ctrlKey || event.altKey ||
    event.metaKey) return;
  const step = event.shiftKey ? 10 : 1;
  const to = {ArrowLeft: traced.cycle - step, ArrowRight: traced.cycle + step,
    Home: traced.model.t0, End: traced.model.t1}[event.key];
  if (to !== undefined) traced.show(to);
  else if (event.key === 'ArrowDown') traced.pipeline.focus(1);
  else if (event.key === 'ArrowUp') traced.pipeline.focus(-1);
  else if (event.key === 'Escape') traced.pipeline.hideTip();
  else return;
  event.preventDefault();
});

/* ---- accuracy ---- */

const accuracy = (() => {
  const domain = make('select', {ariaLabel: 'Domain'});
  const tools = make('div', {className: 'tools'}, make('label', {}, 'Domain', domain),
    button('Sweep', () => runSweep(), {className: 'primary'}));
  const box = make('div', {}), why_ = make('div', {className: 'why'});
  domain.append(...DOMAINS.map(([value, text]) => make('option', {value, textContent: text})));
  domain.onchange = () => { state.domain = domain.value; runSweep(); };
  $('accuracy').append(tools, box, why_);
  return {domain, box, why: why_};
})();

function sweepQuestion() {
  const many = program && program.inputs > 1;
  const format = program && /^u?int/.test(program.dst || '') ? 'int16' : 'bf16';
  const axes = name => Array(Math.max(1, program ? program.inputs : 1)).fill(name).join('x');
  switch (state.domain) {
  case 'fp16': return {domain: axes('fp16'), ...many ? {sample: 65536} : {}};
  case 'sample': return {domain: axes('fp32'), sample: 100000};
  case '': return many ? {domain: axes(format), sample: 65536} : {};
  default: return {domain: axes(`bf16:${state.domain}`), ...many ? {sample: 65536} : {}};
  }
}

function runSweep() {
  return work(accuracy.box, 'Sweep', async current => {
    if (!await describe(engine)) throw new Error(`The kernel does not assemble: ${$('about').textContent}`);
    if (inputs.l1)
      throw new Error('A program from L1 to L1 is no function of one number: there is nothing ' +
        'to sweep.');
    if (ownFunction()) return sweepOwn(current);
    if (!reference())
      throw new Error('Choose a reference to compare with: the kernel names none (.reference).');
    accuracy.why.replaceChildren();
    const {ok} = await engine.ask({...question(), ...compared(), ...sweepQuestion(), op: 'sweep'},
      {seconds: 120});
    if (!current()) return;
    sweep = ok;
    if (swept) swept.destroy();
    accuracy.box.replaceChildren();
    const box = accuracy.box.appendChild(make('div', {}));
    swept = await views.sweep(box, [ok], {theme: false, head: false});
    swept.on('pick', point => pick(point));
  });
}

// All BF16 inputs against the user's own function: figures, the worst, and the error over the input.
async function sweepOwn(current) {
  const own = ownFunction(), format = formatOf(program);
  if (program.inputs > 1 || !format || /^u?int/.test(program.dst || ''))
    throw new Error('A sweep against your own function takes kernels of one floating point number.');
  const words = Uint32Array.from({length: 65536}, (_, i) => i << 16);
  const xs = Float64Array.from(words, float), wanted = await evaluate(own, [xs]);
  const answer = await engine.ask({...question(), op: 'run', inputs: ['/all.npy'],
    output: '/all-out.npy'}, {inputs: {'/all.npy': npyOf(words, false)}, outputs: ['/all-out.npy'],
    seconds: 120});
  if (!current()) return;
  const data = npyBytes(answer.files['/all-out.npy']);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const got = Uint32Array.from(words, (_, i) => view.getUint32(4 * i, true));
  const ulp = errors(format, got, wanted);
  const order = [...ulp.keys()].sort((a, b) => ulp[b] - ulp[a] || a - b).slice(0, 12);
  const numbers = ulp.filter(Number.isFinite);
  const head = make('tr', {}, ...['input', 'result', 'your function', 'ULP'].map(text =>
    make('th', {textContent: text, scope: 'col'})));
  const rows = order.map(i => make('tr', {}, ...[wordText(words[i], false), wordText(got[i], false),
    String(+wanted[i].toPrecision(9)), Number.isFinite(ulp[i]) ? String(+ulp[i].toPrecision(4)) :
      'mismatch'].map(text => make('td', {textContent: text}))));
  const drawn = curve(order.length ? [...ulp.keys()].filter(i => Math.abs(xs[i]) <= 16)
    .map(i => ({x: xs[i], y: ulp[i]})) : [], 'Errors in ULP over inputs from -16 to 16', colors);
  if (swept) swept.destroy();
  sweep = {own, max: Math.max(0, ...order.map(i => ulp[i]).filter(Number.isFinite))};
  swept = {...sweep, destroy() {}};
  accuracy.box.replaceChildren(figures([
    [count(words.length), 'inputs: all of BF16'], [String(+sweep.max.toPrecision(4)), 'max ULP'],
    [String(+(numbers.reduce((a, b) => a + b, 0) / Math.max(1, numbers.length)).toPrecision(3)),
      'mean ULP'],
    [count(ulp.filter(one => one === 0).length), 'exact'],
    numbers.length < ulp.length && [count(ulp.length - numbers.length),
      'not finite where your function is, or the other way round', 'bad']]),
  ...drawn ? [drawn.node] : [], make('div', {className: 'rows', tabIndex: 0, role: 'region',
    ariaLabel: 'The worst inputs'}, make('table', {}, make('thead', {}, head),
    make('tbody', {}, ...rows))));
  if (drawn) drawn.draw();
}

// Shows the account of a plotted point's error and traces it for the pipeline.
async function pick(point) {
  const words = [...point.inputs].map(x => typeof x === 'number' ? x >>> 0 : x);
  const files = {}, names = [];
  const integer = /^u?int/.test((program && program.dst) || '');
  words.forEach((word, i) => {
    files[`/in${i}.npy`] = npyOf(Uint32Array.of(word), integer);
    names.push(`/in${i}.npy`);
  });
  const head = make('h2', {textContent: 'Why ' + words.map(w => wordText(w, integer)).join(', ') +
    ' gives what it gives'});
  const box = accuracy.why;
  try {
    const {ok} = await engine.ask({...question(), ...compared(), op: 'why', inputs: names,
      element: 0}, {inputs: files});
    box.replaceChildren(head, ...ok.elements.map(one => account(one, {integer, place})),
      button('Look at it in the pipeline', () => {
        choose('pipeline', true);
        runTrace(words);
      }));
  } catch (error) {
    box.replaceChildren(head, failure(error, place));
  }
  box.scrollIntoView({block: 'nearest'});
}

/* ---- tabs and choices ---- */

const EMPTY = {
  results: ['Nothing has run yet', 'Run (Ctrl+Enter) sends the inputs through the kernel: results ' +
    'beside a correctly rounded reference, errors in ULP, findings, cycles.'],
  pipeline: ['No trace yet', 'Run (Ctrl+Enter) traces a tile: what every unit does in each cycle, ' +
    'with the lines of the kernel, the registers by lane and Dst.']
};
for (const [id, [title, text]] of Object.entries(EMPTY))
  if (!$(id).firstElementChild) $(id).append(make('div', {className: 'empty'}, make('h2', {textContent: title}),
    make('p', {textContent: text})));


const tabs = [...document.querySelectorAll('[data-tab]')];
function choose(name, quiet) {
  state.tab = name;
  for (const tab of tabs) {
    const is = tab.dataset.tab === name;
    tab.setAttribute('aria-selected', is);
    tab.tabIndex = is ? 0 : -1;
    $(tab.dataset.tab).hidden = !is;
  }
  if (name !== 'pipeline') editor.mark([]);
  else if (traced && trace) markCycle();
  if (quiet) return;
  if (name === 'pipeline' && !trace) runTrace();
  if (name === 'accuracy' && !sweep) runSweep();
  if (name === 'results' && !result) runTiles();
}
for (const tab of tabs) {
  tab.id = 'tab-' + tab.dataset.tab;
  tab.setAttribute('aria-controls', tab.dataset.tab);
  $(tab.dataset.tab).setAttribute('aria-labelledby', tab.id);
  tab.onclick = () => choose(tab.dataset.tab);
  tab.onkeydown = event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    next.focus();
    choose(next.dataset.tab);
  };
}

function chip(name) {
  state.chip = name;
  for (const one of $('chips').children)
    one.setAttribute('aria-pressed', one.dataset.chip === name);
  editor.chip = name;
  if (started) loadTables();
}
let started = false; // what only completes the page waits for the first result
for (const one of $('chips').children)
  one.onclick = () => {
    if (state.chip === one.dataset.chip) return;
    chip(one.dataset.chip);
    stale();
    if (state.tab !== 'explain') run();
    else if (explain.subject) explain.show(explain.subject);
  };

const tables = {};
async function loadTables() {
  const arch = state.chip;
  tables[arch] = tables[arch] || server.ask({op: 'isa', arch: LONG[arch]});
  const {ok} = await tables[arch];
  if (arch !== state.chip) return;
  explain.subjects(ok, LONG[arch]);
  editor.mnemonics = ok.archs[LONG[arch]].instructions
    .flatMap(one => [one.name, (one.macro || '').toLowerCase()]);
}

function explainWord(word) {
  choose('explain', true);
  if (word) explain.show(word);
}

$('run').onclick = run;
$('stop').onclick = () => {
  last++;
  engine.stop();
  $('stop').disabled = true;
  $('status').textContent = 'stopped';
};
$('budget').value = BUDGET;
$('budget').onchange = () => {
  state.budget = Math.max(1, Math.trunc(+$('budget').value) || BUDGET);
  $('budget').value = state.budget;
  stale();
};
$('reference').onchange = () => {
  state.reference = $('reference').value === 'own' ? null : $('reference').value;
  $('own').hidden = state.reference !== OWN;
  stale();
  if (state.reference === OWN) {
    $('own').focus();
    if (!ownFunction()) return;
  }
  if (state.tab === 'results' || state.tab === 'accuracy') run();
};
$('own').onchange = () => {
  state.own = $('own').value;
  stale();
  if (state.tab === 'results' || state.tab === 'accuracy') run();
};
$('name').oninput = () => {
  editor.folder = path().replace(/[^/]*$/, '');
  stale();
};
views.theme.button($('theme'));
addEventListener('tensix-theme', () => {
  palette = null;
  if (shown && result) shown.redraw();
});
colors();

let toasting = 0;
function toast(text) {
  $('toast').textContent = text;
  $('toast').hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => { $('toast').hidden = true; }, 4000);
}

/* ---- links ---- */

async function share() {
  const told = {v: 1, text: editor.text, name: $('name').value, chip: state.chip,
    inputs: inputs.list, l1: inputs.l1 || undefined, reference: state.reference,
    own: state.own || undefined, budget: state.budget, tab: state.tab,
    domain: state.domain, tile: state.tile, element: state.element, cycle: state.cycle,
    subject: explain.subject || undefined};
  const fragment = await encode(told);
  history.replaceState(null, '', '#' + fragment);
  let copied = true;
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    copied = false;
  }
  const left = inputs.unshared.map(one => one.name);
  toast(`${copied ? 'Link copied' : 'The link is in the address bar'}: ` +
    `${count(location.href.length)} characters` +
    (left.length ? `; without ${left.join(', ')}, which is too large` : ''));
}
$('share').onclick = share;

function load(told) {
  const text = (value, otherwise) => typeof value === 'string' ? value : otherwise;
  const number = value => Number.isInteger(value) && value >= 0 ? value : null;
  $('name').value = text(told.name, 'kernel.s').slice(0, 120);
  state.reference = typeof told.reference === 'string' ? told.reference : null;
  state.own = $('own').value = text(told.own, '').slice(0, 2000);
  state.budget = number(told.budget) || BUDGET;
  $('budget').value = state.budget;
  state.domain = DOMAINS.some(([value]) => value === told.domain) ? told.domain : '';
  accuracy.domain.value = state.domain;
  state.tile = number(told.tile) ?? 0;
  state.element = number(told.element);
  state.cycle = number(told.cycle);
  editor.folder = path().replace(/[^/]*$/, '');
  editor.text = text(told.text, '');
  chip(told.chip === 'wh' ? 'wh' : 'bh');
  choose(['results', 'pipeline', 'accuracy', 'explain'].includes(told.tab) ? told.tab : 'results',
    true);
}

async function begin(told) {
  inputs.l1 = null;
  load(told);
  await describe(engine);
  if (inputs.l1 && told.l1 && typeof told.l1.in === 'string' && typeof told.l1.out === 'string')
    inputs.l1 = {in: told.l1.in, out: told.l1.out};
  if (Array.isArray(told.inputs) && told.inputs.length) inputs.list = told.inputs;
  if (state.tab === 'explain') explain.show(told.subject);
  else await run();
}
const fromExample = one => ({text: one.text, name: one.name, chip: chipOf(one.text) || state.chip,
  tab: state.tab === 'explain' ? 'results' : state.tab});

const openGallery = gallery($('gallery'), one => {
  history.replaceState(null, '', location.pathname + location.search);
  begin(fromExample(one));
});
$('examples').onclick = openGallery;

const tools = checkTools(engine, editor, LONG);
const lesson = new Lessons($('lesson'), {
  start: one => {
    history.replaceState(null, '', location.pathname + location.search);
    document.body.classList.add('learning');
    begin({text: lessonText(one), name: one.file.replace(/^\d-/, ''), chip: one.chip,
      tab: 'results'});
  },
  check: one => one.check(tools, editor.text),
  end: () => document.body.classList.remove('learning')
});
$('lessons').onclick = () => lesson.open(0);

async function fromFragment() {
  try {
    const told = await decode(location.hash);
    if (told) {
      await begin(told);
      return true;
    }
  } catch (error) {
    toast(error.message);
  }
  return false;
}
addEventListener('hashchange', fromFragment);

async function start() {
  if (!await fromFragment())
    await begin({text: lessonText(lessons[0]), name: 'square.s', chip: 'bh', tab: 'results'});
  const {ok} = await server.ask({op: 'about'});
  functions = ok.references;
  $('examples').title = `libtensix ${ok.version}`;
  drawReferences();
  started = true;
  await loadTables();
}
// What was pressed before this program was there: boot.js.
if (globalThis.tensixPressed && globalThis.tensixPressed.id !== 'run') globalThis.tensixPressed.click();
start().catch(error => $('results').replaceChildren(failure(error, place)));

// For the tests of this page, and for the browser's console.
globalThis.tensix = {state, l1: {firstL1, l1Options}, editor, engine, server, inputs, run, share,
  get result() { return result; }, get trace() { return traced; }, get sweep() { return swept; },
  figures};
