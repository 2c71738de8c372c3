// SPDX-License-Identifier: Apache-2.0
// What the page shows before any script has run: the first lesson's kernel, and its result as the
// engine computes it when the page is built.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const WIDTH = 560, HEIGHT = 210, LEFT = 46, RIGHT = 10, TOP = 8, BOTTOM = 22;
const FROM = -4, TO = 4, COUNT = 1024; // the inputs that the page begins with

function npy(values) {
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${values.length},), }`;
  const room = Math.ceil((11 + head.length) / 64) * 64 - 10;
  const file = Buffer.alloc(10 + room + 4 * values.length, ' ');
  file.write('\x93NUMPY\x01\x00', 'latin1');
  file.writeUInt16LE(room, 8);
  file.write(head, 10);
  file[9 + room] = 10;
  values.forEach((value, i) => file.writeFloatLE(value, 10 + room + 4 * i));
  return file;
}

// Runs a kernel with the engine of a folder: {inputs, results, cycles}.
export async function run(folder, name, text) {
  const engine = await createRequire(import.meta.url)(resolve(folder, 'engine.js'))(
    {wasmBinary: readFileSync(join(folder, 'engine.wasm')), print() {}, printErr() {}});
  const inputs = Float32Array.from({length: COUNT}, (_, i) => FROM + (TO - FROM) * i / (COUNT - 1));
  engine.FS.writeFile('/in.npy', npy(inputs));
  const question = JSON.stringify({op: 'run', text, name, arch: 'bh', inputs: ['/in.npy'],
    output: '/out.npy'});
  const size = engine.lengthBytesUTF8(question) + 1, at = engine._malloc(size);
  engine.stringToUTF8(question, at, size);
  const said = JSON.parse(engine.UTF8ToString(engine._web_ask(at)));
  if (!said.ok) throw new Error(`${name}: ${JSON.stringify(said)}`);
  const file = Buffer.from(engine.FS.readFile('/out.npy')), body = 10 + file.readUInt16LE(8);
  const results = Float32Array.from({length: COUNT}, (_, i) => file.readFloatLE(body + 4 * i));
  return {inputs, results, cycles: said.ok.run.cycles_per_tile};
}

// The picture that the page's own program draws, as SVG in the theme's colours.
export function picture({inputs, results, cycles}, title) {
  const low = Math.min(...results), high = Math.max(...results), edge = (high - low) * 0.06;
  const x = value => (LEFT + (value - FROM) / (TO - FROM) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = value => (TOP + (high + edge - value) / (high - low + 2 * edge) *
    (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const lines = [], step = 5;
  for (let at = FROM; at <= TO; at += 2)
    lines.push(`<path d="M${x(at)} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${x(at)}" ` +
      `y="${HEIGHT - 7}" text-anchor="middle">${at}</text>`);
  for (let at = Math.ceil(low / step) * step; at <= high; at += step)
    lines.push(`<path d="M${LEFT} ${y(at)}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" ` +
      `y="${+y(at) + 4}" text-anchor="end">${at}</text>`);
  const points = [...inputs].map((value, i) => `${x(value)} ${y(results[i])}`)
    .filter((_, i) => i % 4 === 0).join('L');
  const label = `${title} for ${COUNT} inputs from ${FROM} to ${TO}: ${cycles} cycles`;
  return `<figure class="curve first"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
    `aria-label="${label}"><g>${lines.join('')}</g><path class="line" d="M${points}"/></svg>` +
    `<figcaption class="dim">${label}. Run (Ctrl+Enter) computes every result anew.</figcaption>` +
    '</figure>';
}
