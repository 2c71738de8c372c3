// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: a server of its files, a browser that may ask for nothing else,
// and the native command.
import {execFileSync} from 'node:child_process';
import {createServer} from 'node:http';
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const {chromium} = createRequire(join(root, 'web/package.json'))('playwright-core');

const TYPES = {html: 'text/html', js: 'text/javascript', css: 'text/css', txt: 'text/plain',
  webmanifest: 'application/manifest+json', svg: 'image/svg+xml', png: 'image/png'};

// The folder on a port of this machine, compressed as servers do.
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html');
    try {
      const data = readFileSync(join(folder, path));
      const packed = /gzip/.test(request.headers['accept-encoding']) && !path.endsWith('.png');
      response.writeHead(200, {'content-type': TYPES[path.split('.').pop()] || 'text/plain',
        ...packed && {'content-encoding': 'gzip'}});
      response.end(packed ? gzipSync(data) : data);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

export const launch = executablePath =>
  chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});

// A page whose complaints and requests are kept.
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage(), said = [], asked = [];
  page.on('console', message => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => said.push(`error: ${error.message}`));
  page.on('request', request => asked.push(request.url()));
  page.setDefaultTimeout(60000);
  await page.goto(url);
  await page.mouse.move(1, 1); // somebody is there: boot.js loads the page's program
  await ready(page);
  return {page, said, asked, close: () => context.close()};
}

// The engine's answer is on the page.
export const ready = page => page.waitForFunction(() =>
  globalThis.tensix && (tensix.result || tensix.trace || tensix.sweep ||
    document.querySelector('.panel:not([hidden]) .failed, #explain:not([hidden]) pre')));

// Another kernel, as if it had been typed at once.
export async function kernel(page, text, name = 'test.s') {
  await page.mouse.move(0, 0); // no tooltip is in the way
  await page.fill('#name', name);
  await page.focus('.cm-content');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

// Runs what is chosen, and waits for it.
export async function run(page) {
  await page.evaluate(() => {
    delete document.documentElement.dataset.result;
    for (const old of document.querySelectorAll('#results .failed')) old.remove();
  });
  await page.click('#run');
  await page.waitForFunction(() => document.documentElement.dataset.result ||
    document.querySelector('#results:not([hidden]) .failed'));
}

export class Native {
  constructor(command, work) {
    this.command = command;
    this.work = work;
  }
  run(...args) {
    return execFileSync(this.command, args, {maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe']})
      .toString();
  }
  // The same, {code, text, error} in place of an exception.
  attempt(...args) {
    try {
      return {code: 0, text: this.run(...args), error: ''};
    } catch (error) {
      return {code: error.status, text: String(error.stdout), error: String(error.stderr)};
    }
  }
  file(name, data) {
    const path = join(this.work, name);
    writeFileSync(path, data);
    return path;
  }
}

// A .npy file of 32-bit words, made by hand: FP32 patterns or integers.
export function npy(words, integer) {
  const head = `{'descr': '${integer ? '<i4' : '<f4'}', 'fortran_order': False, 'shape': ` +
    `(${words.length},), }`;
  const room = Math.ceil((11 + head.length) / 64) * 64 - 10, file = Buffer.alloc(10 + room, ' ');
  file.write('\x93NUMPY\x01\x00', 'latin1');
  file.writeUInt16LE(room, 8);
  file.write(head, 10);
  file[9 + room] = 10;
  const data = Buffer.alloc(4 * words.length);
  words.forEach((word, i) => data.writeUInt32LE(word >>> 0, 4 * i));
  return Buffer.concat([file, data]);
}
export const npyData = file => file.subarray(10 + file.readUInt16LE(8));
