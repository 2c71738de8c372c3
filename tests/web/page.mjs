// SPDX-License-Identifier: Apache-2.0
// node page.mjs CHROMIUM FOLDER TENSIX WORK [WORD]: the tests of the browser's page. What it shows
// is compared with what the native command TENSIX says of the same kernel.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {Native, kernel, launch, npy, npyData, open, root, run, serve} from './lib.mjs';

const [chromium, folder, command, work, only = ''] = process.argv.slice(2);
const native = new Native(command, work);
const HAZARD = '.arch wh\n.tile\nsfpmad L1,L0,L0,L9,0\nsfpmul L2,L1,L1,0\n';
const SQUARE = '.dst fp32\n.tile\nsfpload L0,0,0,3\nsfpmul L1,L0,L0,0\nsfpnop\n' +
  'sfpstore L1,0,0,3\n';
// A million cycles and more, from a few words of text.
const LONG = '.tile\nttreplay 0,32,0,1\n.rept 32\nsfpnop\n.endr\n.rept 40000\nttreplay 0,32,0,0\n' +
  '.endr\n';
const kernels = readdirSync(join(root, 'examples/kernels'), {recursive: true})
  .filter(name => name.endsWith('.s')).sort();
const tiles = readdirSync(join(root, 'examples/tiles')).filter(name => name.endsWith('.s')).sort();
const CHIPS = {bh: 'Blackhole', wh: 'Wormhole'};
const chip = (page, name) => page.click(`#chips [data-chip=${name}]`);

const tests = {
  async 'a hazard is underlined as one types'({page}) {
    await page.click('.cm-content');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(HAZARD.replace('sfpmad L1', 'sfpmad  L1'), {delay: 5});
    await page.keyboard.press('Escape');
    const row = page.locator('#problems button', {hasText: 'E-HAZ'});
    await row.first().waitFor();
    assert.match(await row.first().innerText(), /line 4/);
    const marks = page.locator('.cm-lintRange-error, .cm-lintRange-warning');
    assert.match(await marks.first().innerText(), /sfpmul/);
    // Said by the native linter, too.
    const file = native.file('hazard.s', HAZARD);
    const said = native.attempt('lint', file, '--json');
    assert.equal(said.code, 1);
    assert.match(said.text, /E-HAZ/);
    // The rule is explained where it is clicked.
    await page.click('#problems .rule >> nth=0');
    await page.locator('#explain pre').waitFor();
    assert.match(await page.locator('#explain pre').innerText(), /E-HAZ/);
  },

  async 'completion and hover come from the tables'({page}) {
    await kernel(page, '.tile\n');
    await page.keyboard.type('sfpma', {delay: 20});
    const item = page.locator('.cm-tooltip-autocomplete li', {hasText: /^.?sfpmad/});
    await item.first().waitFor();
    await page.keyboard.press('Escape');
    await kernel(page, SQUARE);
    const line = page.locator('.cm-line', {hasText: 'sfpmul'});
    await line.locator('.hint').waitFor(); // nothing moves any more
    await line.locator('span').first().hover();
    const said = page.locator('.cm-tooltip .explained');
    await said.waitFor();
    assert.match(await said.innerText(), /TTI_SFPMUL/);
  },

  async 'both chips give what the command gives'({page}) {
    const words = [0, 0x3f800000, 0xbf800000, 0x40490fdb, 0x7f800000, 0x00800000, 0x3fc00000];
    await kernel(page, SQUARE);
    await page.locator('#about').filter({hasText: 'Dst fp32 \u00b7 4 words'}).waitFor();
    await page.selectOption('#inputs select', 'numbers');
    await page.fill('#inputs input[type=text]', words.map(w => '0x' + w.toString(16)).join(' '));
    const input = native.file('in.npy', npy(words)), source = native.file('square.s', SQUARE);
    for (const name of ['wh', 'bh']) {
      await chip(page, name);
      await run(page);
      assert.match(await page.locator('.told.other').innerText(),
        /same results bit for bit|results differ|^$/);
      const out = join(work, `${name}.npy`);
      native.run('run', source, '--arch', name, '--in', input, '--out', out);
      const mine = await page.evaluate(() => [...tensix.result.output]);
      assert.deepEqual(npyData(Buffer.from(mine)), npyData(readFileSync(out)), CHIPS[name]);
    }
    const row = page.locator('#results tr[data-element="6"]');
    assert.match(await row.innerText(), /1\.5\s+2\.25/);
  },

  async 'errors in ULP stand beside the reference'({page}) {
    await page.evaluate(() => document.getElementById('examples').click());
    await page.locator('#gallery .cards button', {hasText: /^exp\.s/}).click();
    await page.waitForFunction(() => tensix.result);
    await run(page);
    const source = native.file('exp.s', await page.evaluate(() => tensix.editor.text));
    const bytes = await page.evaluate(() => [...tensix.inputs.files()[0]]);
    const input = native.file('exp.npy', Buffer.from(bytes));
    const told = JSON.parse(native.run('run', source, '--arch', 'bh', '--in', input, '--reference',
      'kernel', '--json'));
    const {accuracy} = told, worst = accuracy.worst[0];
    await page.getByLabel('worst first').check();
    const row = page.locator('#results tbody tr[data-element]').first();
    const cells = await row.locator('td').allInnerTexts();
    assert.equal(+cells[0], worst.element);
    assert.equal(+cells[4], +worst.ulp.toPrecision(3));
    const figures = await page.locator('#results .figure').allInnerTexts();
    assert.ok(figures.some(text => text.replace(/\s/g, '').startsWith(String(accuracy.exact))));
    // Why: the line to blame is the command's.
    await row.click();
    const guilty = page.locator('#results .why tr.guilty');
    await guilty.waitFor();
    const why = JSON.parse(native.run('run', source, '--arch', 'bh', '--in', input, '--reference',
      'kernel', '--shadow', '--element', String(worst.element), '--json')).elements[0];
    assert.equal(+await guilty.locator('td').first().innerText(), why.guilty.line);
    assert.equal(await guilty.locator('td.insn').innerText(), why.guilty.instruction);
  },

  async 'the pipeline is stepped by keyboard, and a lane is read'({page}) {
    await kernel(page, SQUARE);
    await page.selectOption('#inputs select', 'range');
    await page.click('#tab-pipeline');
    await page.waitForFunction(() => tensix.trace && tensix.trace.model.meta.kernel);
    await page.click('#run');
    await page.waitForFunction(() => tensix.trace.model.source[0] &&
      !document.getElementById('stop').disabled === false);
    await page.locator('#pipeline .tx-pipeline .scroll').focus().catch(() => null);
    await page.focus('#pipeline');
    await page.keyboard.press('Home');
    const at = () => page.inputValue('#pipeline .number');
    assert.equal(await at(), '0');
    await page.keyboard.press('ArrowRight');
    assert.equal(await at(), '1');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await at(), '0');
    await page.keyboard.press('End');
    assert.ok(+await at() >= 3);
    await page.keyboard.press('Home');
    assert.match(await page.locator('.cm-line.pointed').innerText(), /sfpload/);
    // Lane 5 of L0 after the load, by the command.
    const bytes = await page.evaluate(() => [...tensix.inputs.files()[0]]);
    const input = native.file('lane.npy', Buffer.from(bytes));
    const lines = native.run('trace', native.file('lane.s', SQUARE), '--arch',
      await page.evaluate(() => tensix.state.chip), '--in', input, '--json').trim().split('\n');
    const write = lines.map(line => JSON.parse(line)).find(e => e.ev === 'lreg' && e.index === 0);
    const lane = page.locator('#pipeline .tx-lregs td[title^="L0 lane 5:"]');
    assert.match(await lane.getAttribute('title'),
      new RegExp('0x' + write.values.slice(40, 48)));
    // A line of the kernel leads to its cycle.
    await page.locator('.cm-line', {hasText: 'sfpstore'}).click();
    const store = lines.map(line => JSON.parse(line)).find(e => e.op === 'SFPSTORE');
    assert.equal(+await at(), store.t);
  },

  async 'the plot of the accuracy has the worst point of a sweep'({page}) {
    await page.evaluate(() => document.getElementById('examples').click());
    await page.locator('#gallery .cards button', {hasText: /^gelu\.s/}).click();
    await page.click('#tab-accuracy');
    await page.waitForFunction(() => tensix.sweep && tensix.sweep.models[0].name.startsWith('gelu'));
    const told = JSON.parse(native.run('sweep', join(root, 'examples/kernels/gelu.s'), '--arch',
      'bh', '--json')).accuracy;
    const {worst, max} = await page.evaluate(() => {
      const {accuracy} = tensix.sweep.models[0].view;
      return {worst: accuracy.worst[0], max: accuracy.max_ulp};
    });
    assert.equal(max, told.max_ulp);
    for (const key of ['inputs', 'expected', 'got', 'ulp'])
      assert.deepEqual(worst[key], told.worst[0][key], key);
    // By keyboard: the worst point in sight, and the account of its error.
    await page.focus('#accuracy canvas.points');
    await page.keyboard.press('w');
    await page.keyboard.press('Enter');
    await page.locator('#accuracy .why .steps').waitFor();
    const one = native.file('worst.npy', npy([Number(worst.inputs[0].hex)]));
    const why = JSON.parse(native.run('run', join(root, 'examples/kernels/gelu.s'), '--arch', 'bh',
      '--in', one, '--reference', 'kernel', '--shadow', '--json')).elements[0];
    const blamed = await page.locator('#accuracy .why b').innerText();
    assert.ok(blamed.includes(why.guilty.instruction || why.guilty), `${blamed}: ${why.guilty}`);
    assert.equal(await page.locator('#accuracy .why .steps tbody tr').count(), why.steps.length);
    const head = await page.locator('#accuracy .why h2').innerText();
    assert.ok(head.includes(worst.inputs[0].text), `${head}: ${worst.inputs[0].text}`);
    await page.click('text=Look at it in the pipeline');
    await page.waitForFunction(() => tensix.trace && tensix.trace.model.meta.kernel
      .includes('gelu'));
  },

  async 'a shared link opens the same state'({page, browser, url}) {
    await kernel(page, SQUARE + '# \u00fcber\n', 'mine.s');
    await chip(page, 'wh');
    await page.selectOption('#inputs select', 'numbers');
    await page.fill('#inputs input[type=text]', '1 2 3 -4:4:0.5');
    await page.click('#tab-pipeline');
    await page.waitForFunction(() => tensix.trace);
    await page.click('#run');
    await page.waitForFunction(() => document.getElementById('stop').disabled &&
      /Trace/.test(document.getElementById('status').textContent));
    await page.focus('#pipeline');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.click('#share');
    await page.waitForFunction(() => location.hash.startsWith('#p='));
    const hash = await page.evaluate(() => location.hash);
    const again = await open(browser, url + hash);
    const state = p => p.evaluate(() => ({text: tensix.editor.text, chip: tensix.state.chip,
      inputs: tensix.inputs.list, tab: tensix.state.tab, cycle: tensix.trace.cycle,
      name: document.getElementById('name').value}));
    assert.deepEqual(await state(again.page), await state(page));
    assert.deepEqual(again.said, []);
    assert.ok(again.asked.every(one => !one.includes('p=')), 'no server sees the program');
    await again.close();
    const broken = await open(browser, url + hash.slice(0, -9));
    await broken.page.waitForFunction(() => tensix.result);
    assert.match(await broken.page.locator('#toast').innerText(), /damaged/);
    await broken.close();
  },

  async 'a long loop ends by its budget, and the page stays awake'({page}) {
    await page.click('#tab-results');
    await kernel(page, LONG, 'long.s');
    await page.selectOption('#inputs select', 'numbers').catch(() => null);
    await page.fill('#budget', '1000000');
    await page.click('#run');
    await page.locator('#results .failed').waitFor();
    assert.match(await page.locator('#results').innerText(), /max_cycles[^]*1\u202f000\u202f000 cycles/);
    // Without a budget that helps: it is stopped by hand, and meanwhile typing is answered.
    await page.fill('#budget', '2000000000');
    await page.evaluate(() => {
      globalThis.frames_ = 0;
      const tick = () => { globalThis.frames_++; requestAnimationFrame(tick); };
      tick();
    });
    await page.click('#run');
    await page.waitForFunction(() => tensix.engine.busy);
    const before = await page.evaluate(() => globalThis.frames_);
    await page.click('.cm-content');
    await page.keyboard.type('# awake\n');
    assert.match(await page.evaluate(() => tensix.editor.text), /# awake/);
    await page.waitForFunction(n => globalThis.frames_ > n + 5, before);
    await page.click('#stop');
    assert.equal(await page.locator('#status').innerText(), 'stopped');
    await page.fill('#budget', '2000000');
    await kernel(page, SQUARE);
    await run(page);
    assert.equal(await page.locator('#results .failed').count(), 0);
  },

  async 'a dropped file is an input'({page}) {
    await page.click('#tab-results');
    await kernel(page, SQUARE);
    await page.selectOption('#inputs select', 'file');
    const data = npy([0x40400000, 0, 0x40800000]).toString('base64');
    await page.evaluate(text => {
      const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0)), files = new DataTransfer();
      files.items.add(new File([bytes], 'three.npy'));
      const drop = new DragEvent('drop', {dataTransfer: files, bubbles: true, cancelable: true});
      document.querySelector('#inputs .one').dispatchEvent(drop);
    }, data);
    await page.locator('#inputs', {hasText: 'three.npy'}).waitFor();
    await run(page);
    const results = await page.locator('#results tbody tr[data-element]').allInnerTexts();
    assert.deepEqual(results.map(text => text.split(/\s+/).slice(0, 3)),
      [['0', '3', '9'], ['1', '0', '0'], ['2', '4', '16']]);
  },

  async 'a program from L1 to L1 runs as its head comment says'({page, browser, url}) {
    await page.evaluate(() => document.getElementById('examples').click());
    await page.locator('#gallery .cards button', {hasText: /^tiles\/matmul\.s/}).click();
    await page.waitForFunction(() => tensix.result && tensix.result.l1);
    await page.click('#tab-results');
    assert.equal(await page.inputValue('[aria-label="L1 in"]'), '0x10000:bf16 0x18000:bf16');
    assert.equal(await page.inputValue('[aria-label="L1 out"]'), '0x20000:bf16:32x32');
    await page.locator('.told.other', {hasText: 'the same results bit for bit'}).waitFor();
    // What it includes is there: no problem is told, and lines of it stand beside the pipeline.
    await page.waitForFunction(() => document.querySelector('.hint'));
    assert.deepEqual(await page.locator('#problems .error').allInnerTexts(), []);
    await page.click('#tab-pipeline');
    await page.waitForFunction(() => tensix.trace && tensix.trace.model.meta.units);
    const included = page.locator('#pipeline .tx-source .line:not([data-file="0"]):not(.none)');
    await included.first().click();
    const line = (await included.first().locator('.text').innerText()).trim();
    assert.match(line, /word|tt/);
    assert.ok(await page.locator('#pipeline .cell.marked').count() > 0, 'its instructions');
    assert.ok(await page.locator('#pipeline .tx-source .line.at:not([data-file="0"])').count() > 0);
    await page.locator('.cm-line', {hasText: 'ttmvmul 3, 0, 2'}).click();
    const math = page.locator('#pipeline .cell.marked', {hasText: 'mvmul'});
    assert.ok(await math.count() > 0, 'and those of the kernel');
    // The place of an array is the reader's, and goes into a link.
    await page.click('#tab-results');
    await page.fill('[aria-label="L1 out"]', '0x20000:bf16:16x16:rows');
    await page.locator('[aria-label="L1 out"]').press('Enter');
    await page.click('#run');
    await page.waitForFunction(() => tensix.result && tensix.result.l1.out.includes('16x16'));
    assert.equal(await page.locator('.matrix tbody tr').count(), 16);
    await page.click('#share');
    await page.waitForFunction(() => location.hash.startsWith('#p='));
    const again = await open(browser, url + await page.evaluate(() => location.hash));
    await again.page.waitForFunction(() => tensix.result && tensix.result.l1);
    assert.equal(await again.page.inputValue('[aria-label="L1 out"]'), '0x20000:bf16:16x16:rows');
    assert.deepEqual(again.said, []);
    await again.close();
    await page.fill('[aria-label="L1 in"]', 'somewhere');
    await page.locator('[aria-label="L1 in"]').press('Enter');
    await page.click('#run');
    await page.locator('#results .failed', {hasText: "'somewhere' is not ADDRESS:FORMAT"}).waitFor();
    await page.click('#tab-accuracy');
    await page.locator('#accuracy .failed', {hasText: 'nothing to sweep'}).waitFor();
    await page.click('#tab-results');
  },

  async 'programs from L1 to L1 give what the command gives, on both chips'({page}) {
    let equal = 0, refused = 0;
    for (const name of tiles) {
      const path = join(root, 'examples/tiles', name), text = readFileSync(path, 'utf8');
      const told = await page.evaluate(text => tensix.l1.firstL1(text), text);
      const {l1_in, l1_out, outputs} = await page.evaluate(l1 => tensix.l1.l1Options(l1), told);
      const files = await page.evaluate(l1 => {
        const {list, l1: before} = tensix.inputs;
        tensix.inputs.l1 = l1;
        const files = tensix.inputs.files().map(data => [...data]);
        tensix.inputs.l1 = before;
        tensix.inputs.list = list;
        return files;
      }, told);
      const local = text => text.replace(/=\/(\w+\.npy)/, (_, file) => '=' + join(work, file));
      files.forEach((data, i) => native.file(`in${i}.npy`, Buffer.from(data)));
      for (const arch of ['bh', 'wh']) {
        const theirs = native.attempt('run', path, '--arch', arch,
          ...l1_in.flatMap(one => ['--l1', local(one)]),
          ...l1_out.flatMap(one => ['--l1-out', local(one)]));
        const mine = await page.evaluate(async ({text, name, arch, files, l1_in, l1_out,
          outputs}) => {
          const inputs = Object.fromEntries(files.map((data, i) =>
            [`/in${i}.npy`, Uint8Array.from(data)]));
          try {
            const answer = await tensix.engine.ask({op: 'l1', text, arch,
              name: '/examples/tiles/' + name, l1_in, l1_out}, {inputs, outputs});
            return {out: outputs.map(name => [...answer.files[name]]),
              cycles: answer.ok.tile_total.cycles};
          } catch (error) {
            return {error: error.message};
          }
        }, {text, name, arch, files, l1_in, l1_out, outputs});
        if (theirs.code !== 0) {
          assert.ok(mine.error, `${name} on ${arch}: the command says ${theirs.error}`);
          refused++;
          continue;
        }
        assert.equal(mine.error, undefined, `${name} ${arch}`);
        outputs.forEach((out, i) => assert.ok(Buffer.from(mine.out[i]).equals(
          readFileSync(local('=' + out).slice(1))), `${name} on ${arch}: ${out}`));
        equal++;
      }
    }
    assert.ok(equal >= 2 * tiles.length - 2, `${equal} runs equal, ${refused} refused by both`);
    console.log(`    ${equal} runs of ${tiles.length} programs equal, ${refused} refused by both`);
  },

  async 'the page opens on a small kernel with its result drawn'({browser, url}) {
    const {page, said, close} = await open(browser, url);
    const text = await page.locator('.cm-content').innerText();
    assert.match(text.split('\n')[0], /^\.title/);
    assert.ok(text.split('\n').length < 20, text);
    await page.locator('#results .curve canvas').waitFor();
    const drawn = await page.evaluate(() => {
      const canvas = document.querySelector('#results .curve canvas');
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((x, i) => i % 4 === 3 && x > 0).length;
    });
    assert.ok(drawn > 2000, `${drawn} points are drawn`);
    assert.match(await page.locator('#results .curve').innerText(), /over their inputs/);
    assert.deepEqual(said, []);
    await close();
  },

  // Each lesson's own text and a wrong answer fail, and what the lesson asks for passes.
  async 'lessons are passed by right answers only'({browser, url}) {
    const answers = [
      [['sfpmul   L1, L0, L0, 0', 'sfpmad   L1, L0, L0, L9, 0'],
        ['sfpmul   L1, L0, L0, 0', 'sfpmad   L1, L0, L0, L10, 0']],
      [['    sfpload ', '    sfpnop\n    sfpload '], ['    sfpstore', '    sfpnop\n    sfpstore']],
      [['.endr', '.endr\n    sfpencc  3, 10'],
        ['    ROW = ROW', '    sfpencc  3, 10\n    ROW = ROW']],
      [['@0>L16', '@0>L16 store@1<L16'], ['@0>L16', '@0>L16 store@2<L16']],
      [['    ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU\n', '    ttnop\n'],
        ['STALL_MATH', 'STALL_SYNC']]
    ];
    const {page, said, close} = await open(browser, url);
    await page.click('#lessons');
    const judge = async text => {
      await page.evaluate(text => { tensix.editor.text = text; }, text);
      await page.click('#lesson-check');
      await page.waitForFunction(() => !/Checking/.test(
        document.getElementById('lesson-answer').textContent) &&
        document.getElementById('lesson-answer').textContent);
      return await page.locator('#lesson-answer.right').count() === 1 ? '' :
        page.locator('#lesson-answer').innerText();
    };
    for (const [i, [wrong, right]] of answers.entries()) {
      await page.locator('#lesson .steps-of button').nth(i).click();
      await page.waitForFunction(n => document.querySelector('#lesson h2').textContent
        .startsWith(`Lesson ${n}:`), i + 1);
      const start = await page.evaluate(() => tensix.editor.text);
      assert.notEqual(await judge(start), '', `lesson ${i + 1} asks for a change`);
      for (const [from] of [wrong, right]) assert.ok(start.includes(from), `${i + 1}: ${from}`);
      assert.notEqual(await judge(start.replace(...wrong)), '', `the wrong answer of ${i + 1}`);
      assert.equal(await judge(start.replace(...right)), '', `the right answer of ${i + 1}`);
    }
    assert.equal(await page.locator('#lesson .steps-of .done').count(), answers.length);
    assert.deepEqual(said, []);
    await close();
  },

  async 'examples are grouped, and found by their words'({page}) {
    await page.click('#examples');
    const sections = page.locator('#gallery section');
    assert.ok(await sections.count() >= 5);
    const all = await page.locator('#gallery .cards button').count();
    assert.equal(all, kernels.length + tiles.length);
    await page.fill('#gallery input', 'sfploadmacro max');
    assert.equal(await sections.count(), 1);
    assert.ok(await page.locator('#gallery .cards button').count() >= 3);
    await page.fill('#gallery input', 'no such words');
    await page.locator('#gallery .told').waitFor();
    await page.getByRole('button', {name: 'Close'}).first().click();
  },

  // Expectations are exact: x * x of the inputs, in FP32, rounded by JavaScript's own rounding.
  async 'results are compared with a function of the user'({page}) {
    await kernel(page, '.dst fp32\n.tile\nROW = 0\n.rept 32\nsfpload L0,ROW,0,3\n' +
      'sfpmul L1,L0,L0,0\nsfpnop\nsfpstore L1,ROW,0,3\nROW = ROW + 2\n.endr\n');
    // Its own inputs stand there, not those of the program before it.
    await page.locator('#about').filter({hasText: 'Dst fp32 \u00b7 128 words'}).waitFor();
    await page.selectOption('#inputs select', 'numbers');
    await page.fill('#inputs input[type=text]', '1 -2.5 3 0.1');
    await page.selectOption('#reference', 'own function');
    const own = async (text, want) => { // runs of earlier inputs may end in between
      await page.fill('#own', text);
      await page.locator('#own').press('Tab');
      await page.locator('#results').filter({hasText: want}).waitFor();
    };
    await own('x * x', /4\s*of 4 exact/);
    await own('return x * x * (1 + 4 * 2 ** -23)', /0\s*of 4 exact/);
    assert.match(await page.locator('#results tr[data-element="0"]').innerText(), /\s4$/);
    await own('x +', /The function:/);
    await own('(() => { for (;;); })()', /more than 2 seconds/);
    await page.fill('#own', 'x * x');
    await page.locator('#own').press('Tab');
    await page.click('#tab-accuracy');
    await page.locator('#accuracy').filter({hasText: /65\s?536\s*inputs: all of BF16/}).waitFor();
    await page.click('#tab-results');
    await page.selectOption('#reference', 'own');
  },

  async 'code and Run are on the first screen of a phone'({browser, url}) {
    const {page, close} = await open(browser, url, {viewport: {width: 390, height: 844},
      isMobile: true, hasTouch: true});
    for (const what of ['#run', '.cm-content', '#lessons']) {
      const box = await page.locator(what).boundingBox();
      assert.ok(box.y >= 0 && box.y + Math.min(box.height, 200) <= 844,
        `${what}: ${JSON.stringify(box)}`);
    }
    await close();
  },

  async 'it works without a network after the first visit'({browser, url}) {
    const {page, said, close} = await open(browser, url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => {
      const names = await caches.keys();
      return names.length === 1 && (await (await caches.open(names[0])).keys()).length === 7;
    });
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForFunction(() => globalThis.tensix && tensix.result);
    assert.match(await page.locator('#results').innerText(), /cycles a tile/);
    assert.deepEqual(said, []);
    const manifest = await page.evaluate(() => document.querySelector('link[rel=manifest]').href);
    assert.match(manifest, /manifest\.webmanifest$/);
    await close();
  },

  async 'nothing is wider than a narrow window'({browser, url}) {
    for (const width of [400, 1280]) {
      const {page, said, close} = await open(browser, url, {viewport: {width, height: 800}});
      for (const tab of ['results', 'pipeline', 'accuracy', 'explain']) {
        await page.click('#tab-' + tab);
        await page.waitForTimeout(300);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${tab}: ${wide} > ${width}`);
      }
      assert.deepEqual(said, []);
      await close();
    }
  },

  async 'it works from a folder, without a server'({browser}) {
    const {page, said, asked, close} = await open(browser, 'file://' + join(process.cwd(), folder,
      'index.html'));
    assert.match(await page.locator('#results').innerText(), /cycles a tile/);
    assert.deepEqual(said, []);
    assert.ok(asked.every(one => /^(file|blob|data):/.test(one)), asked.join(' '));
    await close();
  },

  // The whole domain of 16 bits through every kernel; those of several inputs get it in other
  // orders, too. What the command refuses the page refuses.
  async 'every example gives what the command gives, on both chips'({page}) {
    const words = integer => Uint32Array.from({length: 65536}, (_, i) => integer ? i - 32768 :
      i << 16);
    const sum = data => createHash('sha256').update(data).digest('hex');
    let equal = 0, refused = 0;
    for (const name of kernels) {
      const path = join(root, 'examples/kernels', name), text = readFileSync(path, 'utf8');
      for (const arch of ['bh', 'wh']) {
        const about = native.attempt('asm', path, '--arch', arch, '--json');
        const {inputs = 1, dst} = about.code === 0 ? JSON.parse(about.text) : {};
        const integer = /^u?int/.test(dst || '');
        const base = words(integer), files = {}, options = [];
        for (let k = 0; k < inputs; k++) {
          const file = npy(base.map((_, i) => base[(i * (2 * k + 1) + 977 * k) & 65535]), integer);
          files[`/in${k}.npy`] = file.toString('base64');
          options.push('--in', native.file(`in${k}.npy`, file));
        }
        const out = join(work, 'out.npy');
        const theirs = native.attempt('run', path, '--arch', arch, ...options, '--out', out);
        const mine = await page.evaluate(async ({text, name, arch, files}) => {
          const inputs = Object.fromEntries(Object.entries(files).map(([path, data]) =>
            [path, Uint8Array.from(atob(data), c => c.charCodeAt(0))]));
          try {
            const answer = await tensix.engine.ask({op: 'run', text, arch,
              name: '/examples/kernels/' + name, inputs: Object.keys(inputs),
              output: '/out.npy'}, {inputs, outputs: ['/out.npy'], seconds: 300});
            const data = answer.files['/out.npy'];
            let binary = '';
            for (let i = 0; i < data.length; i += 32768)
              binary += String.fromCharCode(...data.subarray(i, i + 32768));
            return {data: btoa(binary), findings: answer.ok.run.findings.length};
          } catch (error) {
            return {error: error.message};
          }
        }, {text, name, arch, files});
        if (theirs.code === 0) {
          assert.equal(mine.error, undefined, `${name} ${arch}: ${mine.error}`);
          const data = Buffer.from(mine.data, 'base64');
          assert.equal(sum(data), sum(readFileSync(out)), `${name} on ${arch}`);
          equal++;
        } else {
          assert.ok(mine.error, `${name} on ${arch}: the command says ${theirs.error}`);
          refused++;
        }
      }
    }
    assert.ok(equal >= kernels.length, `${equal} runs`);
    console.log(`    ${equal} runs of ${kernels.length} kernels equal, ${refused} refused by both`);
  }
};

const server = await serve(folder), browser = await launch(chromium);
let failed = 0;
const opened = await open(browser, server.url);
for (const [name, body] of Object.entries(tests)) {
  if (!name.includes(only)) continue;
  const from = Date.now();
  try {
    await body({page: opened.page, browser, url: server.url});
    console.log(`ok      ${name} (${((Date.now() - from) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
    await opened.page.screenshot({path: join(work, `failed-${failed}.png`)}).catch(() => null);
  }
}
try {
  assert.deepEqual(opened.said, [], 'nothing in the console');
  const foreign = opened.asked.filter(one => !one.startsWith(server.url) &&
    !/^(blob|data):/.test(one));
  assert.deepEqual(foreign, [], 'no request leaves the page');
  console.log('ok      no error in the console, no request but for the page\'s own files');
} catch (error) {
  failed++;
  console.log(`FAILED  ${error.message}`);
}
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
