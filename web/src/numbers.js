// SPDX-License-Identifier: Apache-2.0
// Conversions of numbers between text, patterns and .npy files.

const buffer = new DataView(new ArrayBuffer(4));
export const float = word => { buffer.setUint32(0, word >>> 0); return buffer.getFloat32(0); };
export const pattern = x => { buffer.setFloat32(0, x); return buffer.getUint32(0); };
export const hex = (word, digits = 8) => (word >>> 0).toString(16).padStart(digits, '0');

// Returns the shortest decimal that reads back as this FP32 number.
export function shortest(word) {
  const x = float(word);
  if (Number.isNaN(x)) return word >>> 31 ? '-nan' : 'nan';
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
  if (Object.is(x, -0)) return '-0';
  for (let digits = 6; digits <= 9; digits++) {
    const text = x.toPrecision(digits);
    if (Math.fround(+text) === x) return tidy(text);
  }
  return tidy(String(x));
}
const tidy = text => {
  const [mantissa, exponent] = text.split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent ? `${short}e${exponent.replace('+', '')}` : short;
};
export const wordText = (word, integer) => integer ? String(word | 0) : shortest(word);

// Writes an error in ULP with a few digits.
export function ulpText(ulp) {
  if (ulp === 0) return '0';
  if (!Number.isFinite(ulp)) return 'mismatch';
  return ulp < 1e4 ? String(+ulp.toPrecision(3)) : ulp.toExponential(1).replace('e+', 'e');
}

const MOST = 1 << 20;

// Reads a list such as "1, -2.5 0x3f800000 nan -1:1:0.25" as patterns. Throws a message if it is
// wrong.
export function parseNumbers(text, integer) {
  const words = [];
  const put = x => {
    if (words.length === MOST) throw new Error('more than 1048576 numbers');
    words.push(integer ? Math.trunc(x) >>> 0 : pattern(x));
  };
  for (const item of text.split(/[\s,;]+/).filter(Boolean)) {
    const range = item.split(':');
    if (/^0x[0-9a-f]{1,8}$/i.test(item)) {
      if (words.length === MOST) throw new Error('more than 1048576 numbers');
      words.push(Number(item) >>> 0);
    } else if (/^[-+]?(nan|inf(inity)?)$/i.test(item)) {
      if (integer) throw new Error(`'${item}' is no integer`);
      const negative = item[0] === '-';
      words.push((/nan/i.test(item) ? 0x7fc00000 : 0x7f800000) + (negative ? 0x80000000 : 0));
    } else if (range.length === 3 && range.every(one => one !== '' && Number.isFinite(+one))) {
      const [from, to, step] = range.map(Number);
      const count = Math.floor((to - from) / step + 1e-9);
      if (!(step !== 0) || count < 0 || count >= MOST) throw new Error(`'${item}' has no end`);
      for (let i = 0; i <= count; i++) put(from + i * step);
    } else if (range.length === 1 && Number.isFinite(+item)) {
      put(+item);
    } else {
      throw new Error(`'${item}' is no number`);
    }
  }
  if (!words.length) throw new Error('no numbers');
  return Uint32Array.from(words);
}

// Pseudo-random numbers that can be reproduced anywhere (xorshift32).
function* draw(seed) {
  let x = seed >>> 0 || 1;
  for (;;) {
    x ^= x << 13; x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5; x >>>= 0;
    yield x / 4294967296;
  }
}

// Returns the patterns of an input, whose members inputs.js describes.
export function inputWords(input, integer) {
  const number = (key, low, high) => {
    const x = Number(input[key]);
    if (input[key] === '' || !Number.isFinite(x) || x < low || x > high)
      throw new Error(`${key} is ${input[key] === '' ? 'missing' : 'out of range'}`);
    return x;
  };
  const put = x => integer ? Math.trunc(x) >>> 0 : pattern(x);
  const most = integer ? 2147483647 : 3.4e38;
  switch (input.kind) {
  case 'range': {
    const from = number('from', -most, most), to = number('to', -most, most);
    const count = Math.trunc(number('count', 1, MOST));
    return Uint32Array.from({length: count},
      (_, i) => put(count === 1 ? from : from + (to - from) * i / (count - 1)));
  }
  case 'random': {
    const from = number('from', -most, most), to = number('to', -most, most);
    const count = Math.trunc(number('count', 1, MOST));
    const source = draw(number('seed', 0, 4294967295));
    return Uint32Array.from({length: count}, () => put(from + (to - from) * source.next().value));
  }
  case 'all': // all of 16 bits: BF16 in the order of its patterns, or INT16
    return Uint32Array.from({length: 65536}, (_, i) => integer ? (i - 32768) >>> 0 : i << 16);
  default:
    return parseNumbers(input.text || '', integer);
  }
}

/* ---- .npy ---- */

// integer: false, true or 'unsigned'.
export function npyOf(words, integer, shape = [words.length]) {
  const kind = integer === 'unsigned' ? '<u4' : integer ? '<i4' : '<f4';
  const head = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${shape.join(', ')}` +
    `${shape.length === 1 ? ',' : ''}), }`;
  const room = Math.ceil((10 + head.length + 1) / 64) * 64;
  const file = new Uint8Array(room + 4 * words.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (room - 10) & 255, (room - 10) >> 8]);
  file.set(new TextEncoder().encode(head.padEnd(room - 11) + '\n'), 10);
  file.set(new Uint8Array(words.buffer, words.byteOffset, 4 * words.length), room);
  return file;
}

// Reads the header of a .npy file. Throws when it is not one.
export function npyHead(file) {
  if (file.length < 12 || file[0] !== 0x93 || String.fromCharCode(...file.slice(1, 6)) !== 'NUMPY')
    throw new Error('that is no .npy file');
  const wide = file[6] > 1;
  const length = file[8] | file[9] << 8 | (wide ? file[10] << 16 | file[11] << 24 : 0);
  const from = wide ? 12 : 10;
  const head = new TextDecoder('latin1').decode(file.slice(from, from + length));
  const descr = /'descr':\s*'([^']*)'/.exec(head), shape = /'shape':\s*\(([^)]*)\)/.exec(head);
  if (!descr || !shape) throw new Error('that .npy file has no plain array in it');
  const sizes = shape[1].split(',').map(s => s.trim()).filter(Boolean).map(Number);
  return {descr: descr[1], shape: sizes, count: sizes.reduce((a, b) => a * b, 1),
    data: file.slice(from + length)};
}
