// SPDX-License-Identifier: Apache-2.0
// Reference functions of the user's own: an expression in x (and y, z for further inputs), or
// JavaScript that returns a number. They are evaluated in a worker, which has nothing but its
// numbers and is ended after two seconds.
import {float} from './numbers.js';

const SECONDS = 2;
const NAMES = ['x', 'y', 'z', 'w'];
const MATH = Object.getOwnPropertyNames(Math).filter(name => /^[A-Za-z]\w*$/.test(name));

function source(text, inputs) {
  const names = NAMES.slice(0, inputs).join(', ');
  const whole = /\breturn\b/.test(text) ? `{${text}\n}` : `(${text}\n)`;
  return `'use strict';
const {${MATH.join(', ')}} = Math;
const own = (${names}) => ${whole};
onmessage = ({data}) => {
  try {
    const [first] = data, out = new Float64Array(first.length);
    for (let i = 0; i < first.length; i++) out[i] = own(...data.map(one => one[i]));
    postMessage({out});
  } catch (error) {
    postMessage({failed: String(error.message || error)});
  }
};`;
}

// Returns what the function gives for arrays of numbers. Throws a sentence when it gives nothing.
export function evaluate(text, arrays) {
  return new Promise((resolve, reject) => {
    const blob = new Blob([source(text, arrays.length)], {type: 'text/javascript'});
    const url = URL.createObjectURL(blob), worker = new Worker(url);
    const end = (act, value) => {
      clearTimeout(timer);
      worker.terminate();
      URL.revokeObjectURL(url);
      act(value);
    };
    const timer = setTimeout(() => end(reject,
      new Error(`The function takes more than ${SECONDS} seconds.`)), 1000 * SECONDS);
    worker.onmessage = ({data}) => data.failed ? end(reject, new Error('The function: ' + data.failed)) :
      end(resolve, data.out);
    worker.onerror = event => {
      event.preventDefault();
      end(reject, new Error(`The function: ${event.message || 'it is no JavaScript'}`));
    };
    worker.postMessage(arrays);
  });
}

// Formats of results: bits of the significand without the hidden one, and least exponent.
const FORMATS = {fp32: [23, -126], bf16: [7, -126], fp16: [10, -14]};
export const formatOf = program => FORMATS[program.out || program.dst || 'fp32'] || null;

// A number's place among those of a format, to the nearest, ties to even. Numbers below the least
// normal one count as zero, which is next to it.
export function place([bits, least], x) {
  const size = Math.abs(x);
  if (size === Infinity) return Math.sign(x) * 2 ** 40;
  let exponent = size === 0 ? least - 1 : Math.floor(Math.log2(size));
  if (size !== 0 && 2 ** exponent > size) exponent--;
  if (size !== 0 && 2 ** (exponent + 1) <= size) exponent++;
  if (exponent < least - 1) return 0;
  const scaled = size / 2 ** Math.max(exponent, least) * 2 ** bits;
  const low = Math.floor(scaled), rest = scaled - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? 1 : 0;
  const whole = low + up;
  if (whole < 2 ** bits) return 0;
  return Math.sign(x) * ((Math.max(exponent, least) - least) * 2 ** bits + whole - 2 ** bits + 1);
}

// Errors in ULP of results (FP32 patterns) against the function's values; Infinity: one of the two
// is no number, or infinite, and the other is not.
export function errors(format, got, wanted) {
  return Float64Array.from(got, (word, i) => {
    const x = float(word), want = wanted[i];
    if (Number.isNaN(x) || Number.isNaN(want)) return Number.isNaN(x) === Number.isNaN(want) ? 0 : Infinity;
    const a = place(format, x), b = place(format, want);
    return (Math.abs(a) === 2 ** 40 || Math.abs(b) === 2 ** 40) && a !== b ? Infinity : Math.abs(a - b);
  });
}
