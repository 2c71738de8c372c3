// SPDX-License-Identifier: Apache-2.0
// node figures.mjs CHROMIUM FOLDER: the times that docs/web.md tells, in milliseconds.
import {launch, open, serve} from './lib.mjs';

const [chromium, folder] = process.argv.slice(2);
const server = await serve(folder), middle = list => list.sort((a, b) => a - b)[list.length >> 1];
const cold = [], runs = [], sweeps = [];
for (let turn = 0; turn < 5; turn++) {
  const browser = await launch(chromium); // a new profile each time: nothing is kept
  const from = performance.now();
  const {page, close} = await open(browser, server.url);
  await page.locator('#results tbody tr[data-element]').first().waitFor();
  cold.push(performance.now() - from);
  const ask = question => page.evaluate(question => {
    const inputs = {'/in0.npy': tensix.inputs.files()[0]};
    return tensix.engine.ask({text: tensix.editor.text, name: 'exp.s', arch: 'bh', ...question},
      {inputs, seconds: 60}).then(answer => answer.milliseconds);
  }, question);
  const run = {op: 'run', inputs: ['/in0.npy'], reference: 'exp', output: '/out.npy'};
  for (let i = 0; i < 3; i++) await ask(run);
  runs.push(await ask(run));
  sweeps.push(await ask({op: 'sweep', reference: 'exp'}));
  await close();
  await browser.close();
}
console.log(`first result on a cold page      ${Math.round(middle(cold))} ms`);
console.log(`1024 elements through exp.s      ${Math.round(middle(runs))} ms`);
console.log(`exp.s over all of BF16           ${Math.round(middle(sweeps))} ms`);
server.close();
