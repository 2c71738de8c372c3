// SPDX-License-Identifier: Apache-2.0
// node pictures.mjs CHROMIUM FOLDER OUT: the pictures of the page in README and docs, and what a visitor
// sees first on a phone, a tablet and a desktop (page-390, -768, -1440), in both themes.
import {join} from 'node:path';
import {launch, open, serve} from './lib.mjs';

const [chromium, folder, out] = process.argv.slice(2);
const server = await serve(folder), browser = await launch(chromium);
const example = async (page, name) => {
  await page.click('#examples');
  await page.locator('#gallery .cards button', {hasText: name}).first().click();
  await page.waitForFunction(() => tensix.result && !tensix.engine.busy);
};
const pictures = {
  async web(page) {
    await example(page, 'sigmoid.s');
    await page.getByLabel('worst first').check();
    await page.locator('#results tbody tr[data-element]').first().click();
    await page.locator('#results .why .steps').waitFor();
    const line = await page.evaluate(() =>
      +document.querySelector('#results .why tr.guilty td')?.textContent || 30);
    await page.evaluate(line => {
      tensix.editor.go(line);
      document.querySelector('#results .cols').scrollIntoView();
    }, line);
  },
  async 'web-accuracy'(page) {
    await example(page, 'tanh.s');
    await page.click('#tab-accuracy');
    await page.waitForFunction(() => tensix.sweep);
    await page.waitForFunction(() => !tensix.engine.busy);
    await page.focus('#accuracy canvas.points');
    await page.keyboard.press('w');
  }
};
for (const [name, body] of Object.entries(pictures))
  for (const colorScheme of ['light', 'dark']) {
    const {page, close} = await open(browser, server.url,
      {colorScheme, viewport: {width: 1280, height: 800}});
    await body(page);
    await page.locator('.cm-line .hint').first().waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({path: join(out, `${name}-${colorScheme}.png`)});
    await close();
  }
for (const [width, height] of [[390, 844], [768, 900], [1440, 900]])
  for (const colorScheme of ['light', 'dark']) {
    const {page, close} = await open(browser, server.url,
      {colorScheme, viewport: {width, height}});
    await page.locator('.cm-line .hint').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.told.other').textContent);
    await page.waitForTimeout(500);
    await page.screenshot({path: join(out, `page-${width}-${colorScheme}.png`)});
    await close();
  }
await browser.close();
server.close();
