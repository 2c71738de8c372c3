// SPDX-License-Identifier: Apache-2.0
// node build.mjs ENGINE LIBRARIES OUT: builds the page's folder OUT from src/, from ENGINE, the
// folder with engine.js and engine.wasm, and from LIBRARIES, the folder that libraries.sh fills,
// whose licences are added too.
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {deflateSync, gzipSync} from 'node:zlib';
import {build} from 'esbuild';
import {picture, run} from './first.mjs';

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, '..');
const [engine, libraries, out] = process.argv.slice(2);
if (!out) {
  console.error('usage: build.mjs ENGINE LIBRARIES OUT');
  process.exit(2);
}

// Returns the gallery's kernels and the files they include, by path in the engine's memory.
function examples() {
  const files = {};
  for (const part of ['kernels/', 'tiles/']) {
    const folder = join(root, 'examples', part);
    for (const name of readdirSync(folder, {recursive: true}).sort())
      if (/\.(s|inc)$/.test(name))
        files['/examples/' + part + name] = readFileSync(join(folder, name), 'utf8');
  }
  return files;
}

const virtual = {
  name: 'virtual',
  setup(bundler) {
    bundler.onResolve({filter: /^(worker|virtual|views):/}, ({path}) => ({path, namespace: 'made'}));
    bundler.onLoad({filter: /^worker:engine$/, namespace: 'made'}, async () => {
      const worker = await build({entryPoints: [join(here, 'src/worker.js')], bundle: true,
        minify: true, write: false, format: 'iife', target: 'es2022'});
      const glue = readFileSync(join(engine, 'engine.js'), 'utf8');
      return {contents: glue + '\n' + worker.outputFiles[0].text, loader: 'text'};
    });
    bundler.onLoad({filter: /^virtual:lessons$/, namespace: 'made'}, () => ({
      contents: 'export const files = ' + JSON.stringify(Object.fromEntries(
        readdirSync(join(here, 'lessons')).sort().map(name => ['/lessons/' + name,
          readFileSync(join(here, 'lessons', name), 'utf8')]))), loader: 'js'}));
    bundler.onLoad({filter: /^virtual:examples$/, namespace: 'made'}, () => ({
      contents: 'export const files = ' + JSON.stringify(examples()), loader: 'js'}));
  }
};

// Returns the licences of everything in the bundle, which must accompany it. GMP and MPFR are free
// software under the LGPL: with this project's sources and scripts/web.sh anybody can build the
// module with another version of them.
function licences() {
  const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
  const parts = [readFileSync(join(root, 'LICENSE'), 'utf8')];
  for (const line of readFileSync(join(here, 'sources.txt'), 'utf8').split('\n')) {
    const [name, version] = line.split(' ');
    if (!name || name === '#') continue;
    const folder = join(libraries, 'work', name);
    const files = readdirSync(folder).filter(file => /^(copying|licen[cs]e)/i.test(file)).sort();
    parts.push(`${name} ${version}, source package of Debian 12\n\n` +
      files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n'));
  }
  for (const [path, one] of Object.entries(lock.packages)) {
    if (!path || one.dev || one.devOptional) continue;
    const folder = join(here, path);
    const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name));
    parts.push(`${path.replace(/^node_modules\//, '')} ${one.version} (${one.license})\n\n` +
      (file ? readFileSync(join(folder, file), 'utf8') : ''));
  }
  return parts.join('\n' + '-'.repeat(72) + '\n\n');
}

// The icon of icon.svg as a PNG file: squares on a ground, which need no library.
function icon(size) {
  const scale = size / 64, rows = Buffer.alloc((3 * size + 1) * size);
  const squares = [[14, 14, 1], [35, 14, 0.65], [14, 35, 0.65], [35, 35, 0.35]];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [, , share] = squares.find(([left, top]) => x >= left * scale &&
        x < (left + 15) * scale && y >= top * scale && y < (top + 15) * scale) || [0, 0, 0];
      [11, 95, 191].forEach((c, k) => {
        rows[(3 * size + 1) * y + 1 + 3 * x + k] = Math.round(c + (255 - c) * share);
      });
    }
  const part = (name, data) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]), all = Buffer.alloc(body.length + 8);
    all.writeUInt32BE(data.length, 0);
    body.copy(all, 4);
    all.writeUInt32BE(crc(body), body.length + 4);
    return all;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), part('IHDR', head),
    part('IDAT', deflateSync(rows, {level: 9})), part('IEND', Buffer.alloc(0))]);
}
function crc(data) {
  let c = ~0;
  for (const byte of data) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c >>> 1 ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c >>> 0;
}

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
await build({
  entryPoints: {page: join(here, 'src/main.js'), boot: join(here, 'src/boot.js')},
  outdir: out, bundle: true, minify: true, format: 'iife', target: 'es2022',
  loader: {'.css': 'css'}, legalComments: 'none', plugins: [virtual], logLevel: 'warning'
});
const module = gzipSync(readFileSync(join(engine, 'engine.wasm')), {level: 9});
writeFileSync(join(out, 'module.js'), `tensixModule='${module.toString('base64')}';\n`);
for (const name of ['manifest.webmanifest', 'icon.svg']) cpSync(join(here, name), join(out, name));
// The first kernel, its result and the style are there before any script is.
const first = readFileSync(join(here, 'lessons/1-first.s'), 'utf8').replace(/^# SPDX.*\n/, '');
const drawn = picture(await run(engine, 'square.s', first), 'x * x');
writeFileSync(join(out, 'index.html'), readFileSync(join(here, 'index.html'), 'utf8')
  .replace('STYLE', () => readFileSync(join(out, 'page.css'), 'utf8').trim())
  .replace('RESULT', () => drawn)
  .replace('FIRST', () => first.replace(/&/g, '&amp;').replace(/</g, '&lt;')));
rmSync(join(out, 'page.css'));
for (const size of [192, 512]) writeFileSync(join(out, `icon-${size}.png`), icon(size));
// The version is of the files' contents, so that a page that was visited before takes new ones.
const parts = ['index.html', 'boot.js', 'page.js', 'module.js', 'manifest.webmanifest', 'icon.svg'];
const version = createHash('sha256');
for (const name of parts) version.update(readFileSync(join(out, name)));
writeFileSync(join(out, 'offline.js'), readFileSync(join(here, 'src/offline.js'), 'utf8')
  .replace('VERSION', version.digest('hex').slice(0, 16))
  .replace("'PARTS'", ['./', ...parts].map(name => `'${name}'`).join(', ')));
writeFileSync(join(out, 'licences.txt'), licences());

let total = 0;
for (const name of readdirSync(out).sort()) {
  const data = readFileSync(join(out, name)), packed = gzipSync(data, {level: 9}).length;
  total += packed;
  console.log(`${name.padEnd(14)} ${String(data.length).padStart(9)} bytes, ` +
    `${String(packed).padStart(9)} compressed`);
}
console.log(`${'in all'.padEnd(14)} ${''.padStart(15)} ${String(total).padStart(9)} compressed`);
if (total > 3 << 20) {
  console.error(`${relative('.', out)}: more than 3 MiB compressed`);
  process.exit(1);
}
