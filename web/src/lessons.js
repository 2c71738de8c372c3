// SPDX-License-Identifier: Apache-2.0
// Five lessons. Each is a program of web/lessons, a text, and a task whose answer the page checks by
// running and linting the program, on the chip that the lesson is about.
import {files} from 'virtual:lessons';
import {float, npyHead, npyOf, pattern} from './numbers.js';
import {button, make} from './results.js';

// Inputs in an order that mixes signs and sizes, so that no element is right by its neighbour.
const MIXED = Float32Array.from({length: 1024}, (_, i) => ((i * 389) % 1024 - 512) / 128 + 1 / 256);

const near = (got, want) => Math.abs(got - want) <= 1e-6 * Math.max(1, Math.abs(want));

// What tells whether an answer is right. tools: {run(text, chip, inputs), problems(text, chip)}
async function computes(tools, text, chip, f, cycles) {
  const {outputs, run} = await tools.run(text, chip, MIXED);
  const wrong = MIXED.findIndex((x, i) => !near(outputs[i], f(x)));
  if (wrong >= 0) {
    return `For x = ${MIXED[wrong]} the result is ${outputs[wrong]}, and ` +
      `${f(MIXED[wrong])} is wanted.`;
  }
  const told = (await tools.problems(text, chip)).filter(one => one.severity < 3);
  if (told.length) return `The results are right by luck: ${told[0].message}`;
  if (cycles && run.cycles_per_row > cycles) {
    return `The results are right. A row takes ${run.cycles_per_row.toFixed(2)} cycles, and ` +
      `${cycles} are allowed.`;
  }
  return '';
}

export const lessons = [
  {
    file: '1-first.s', title: 'Your first kernel', chip: 'bh',
    text: ['The Vector Unit works on rows of 32 elements. A kernel loads a row of Dst into a register ' +
      '(L0 to L7), computes, and stores the row. This one squares each element.',
    'Two registers are constants: L9 holds 0 and L10 holds 1. SFPMAD computes VA * VB + VC.'],
    task: 'Change the kernel so that it computes x * x + 1.',
    hint: 'Write sfpmad L1, L0, L0, L10, 0 instead of the sfpmul.',
    check: (tools, text) => computes(tools, text, 'bh', x => x * x + 1)
  },
  {
    file: '2-hazard.s', title: 'A hazard', chip: 'wh',
    text: ['An SFPMAD takes two cycles. Blackhole holds an instruction that reads the result too early. ' +
      'Wormhole does not: the instruction reads the old value, and nothing else happens.',
    'The line of the SFPSTORE is underlined. Its finding, E-HAZ, names the instruction that is not done.'],
    task: 'Make the results right on Wormhole, in at most four cycles a row.',
    hint: 'Put sfpnop between the sfpmad and the sfpstore.',
    check: (tools, text) => computes(tools, text, 'wh', x => x * x + x, 4.01)
  },
  {
    file: '3-predication.s', title: 'Predication that leaks', chip: 'bh',
    text: ['SFPSETCC switches lanes off: here those whose x is not negative. The SFPMOV then negates the ' +
      'others. Nothing switches the lanes on again, so that the next row is loaded and stored in some lanes ' +
      'only.',
    'With numbers in rising order many results look right. The check mixes them, as real data are.'],
    task: 'Make every row start with all lanes on.',
    hint: 'Write sfpencc 3, 10 behind the sfpstore, inside the loop.',
    check: (tools, text) => computes(tools, text, 'bh', Math.abs)
  },
  {
    file: '4-macro.s', title: 'SFPLOADMACRO', chip: 'bh',
    text: ['SFPLOADMACRO loads a row and starts a sequence of up to four instructions, each after a delay, ' +
      'while the next rows are on their way. So a row can take one cycle instead of four.',
    'The sequence of this kernel multiplies (mad=t0, the template above it) and puts the product into L16. ' +
      'Nothing stores it, so that Dst stays as it is. The product is there two cycles after the load.'],
    task: 'Let the sequence store L16 as well, so that the kernel computes x * x in about a cycle a row.',
    hint: 'Add store@2<L16 to the line of .sequence: a store, two cycles late, from L16.',
    check: (tools, text) => computes(tools, text, 'bh', x => x * x, 2)
  },
  {
    file: '5-race.s', title: 'A race', chip: 'bh',
    text: ['Two threads share Dst. The first stores a row and then posts a semaphore; the second waits for the ' +
      'semaphore and loads the row. It still is a race: the post says that the store was issued, not that it ' +
      'is done. The STALLWAIT should hold the post back, but its first operand names what it holds: the Matrix ' +
      'Unit.',
    'Run shows nothing wrong, because this run is in order by luck. The finding is about every run.'],
    task: 'Let the STALLWAIT hold the instruction that posts the semaphore.',
    hint: 'SEMPOST belongs to the Sync Unit: p_stall::STALL_SYNC instead of p_stall::STALL_MATH.',
    async check(tools, text) {
      const said = await tools.problems(text, 'bh');
      if (said.length) return said[0].message;
      const words = ['sfpstore', 'sfpload', 'sempost', 'semwait', 'stallwait'];
      const lost = words.find(word => !new RegExp(`^\\s*(tt)?${word}\\b`, 'im').test(text));
      return lost ? `There is no race without ${lost.toUpperCase()}, but no hand-over either.` : '';
    }
  }
];
export const lessonText = lesson =>
  files['/lessons/' + lesson.file].replace(/^# SPDX[^\n]*\n/, '');

// The tools of the checks, by the engine of the page and the language server of its editor.
export function checkTools(engine, editor, long) {
  return {
    async run(text, chip, inputs) {
      const words = Uint32Array.from(inputs, pattern);
      const {ok, files: out} = await engine.ask({op: 'run', text, name: '/examples/kernels/lesson.s',
        arch: chip, inputs: ['/lesson.npy'], output: '/lesson-out.npy', max_cycles: 200000},
      {inputs: {'/lesson.npy': npyOf(words, false)}, outputs: ['/lesson-out.npy']});
      const {data} = npyHead(out['/lesson-out.npy']);
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      const outputs = Array.from(inputs, (_, i) => float(view.getUint32(4 * i, true)));
      return {outputs, run: ok.run};
    },
    async problems(text, chip) {
      const whole = /^\s*\.arch\b/m.test(text) ? text : `.arch ${long[chip]}; ${text}`;
      const said = await editor.problems('file:///examples/kernels/lesson-check.s', whole);
      return said.filter(one => one.severity < 4);
    }
  };
}

const DONE = 'tensix-lessons';
const passed = () => {
  try {
    return new Set(JSON.parse(localStorage.getItem(DONE)) || []);
  } catch {
    return new Set(); // nothing is kept for this page
  }
};
function pass(file) {
  try {
    localStorage.setItem(DONE, JSON.stringify([...passed().add(file)]));
  } catch {
    // The lesson counts until the page is closed.
  }
}

// The strip above the editor. hooks: {start(lesson), check(lesson) -> '' or what is missing, end()}
export class Lessons {
  constructor(box, hooks) {
    this.box = box;
    this.hooks = hooks;
    this.at = null;
  }
  open(index) {
    this.at = index;
    this.hooks.start(lessons[index]);
    this.draw();
  }
  close() {
    this.at = null;
    this.box.hidden = true;
    this.hooks.end();
  }
  draw() {
    const lesson = lessons[this.at], done = passed();
    const answer = make('p', {className: 'answer', role: 'status', id: 'lesson-answer'});
    const steps = make('ol', {className: 'steps-of', ariaLabel: 'Lessons'}, ...lessons.map((one, i) =>
      make('li', {}, button(`${i + 1}`, () => this.open(i), {title: one.title,
        ariaLabel: `Lesson ${i + 1}: ${one.title}${done.has(one.file) ? ', done' : ''}`,
        ariaCurrent: i === this.at ? 'step' : 'false',
        className: done.has(one.file) ? 'done' : ''}))));
    const check = button('Check', async () => {
      check.disabled = true;
      answer.className = 'answer';
      answer.textContent = 'Checking...';
      let missing;
      try {
        missing = await this.hooks.check(lesson);
      } catch (error) {
        missing = error.message;
      }
      check.disabled = false;
      answer.className = 'answer ' + (missing ? 'not' : 'right');
      if (missing) {
        answer.textContent = missing;
        return;
      }
      pass(lesson.file);
      const next = this.at + 1;
      steps.children[this.at].firstChild.className = 'done';
      answer.replaceChildren('Right. ', next < lessons.length ?
        button(`Next: ${lessons[next].title}`, () => this.open(next)) :
        'That was the last lesson. Examples has programs to go on with.');
    }, {className: 'primary', id: 'lesson-check'});
    const hint = button('Hint', () => {
      answer.className = 'answer';
      answer.textContent = lesson.hint;
    });
    this.box.replaceChildren(
      make('div', {className: 'shelf'}, make('h2', {textContent: `Lesson ${this.at + 1}: ${lesson.title}`}),
        steps, make('span', {className: 'grow'}),
        button('Close', () => this.close(), {ariaLabel: 'Close the lessons'})),
      make('div', {className: 'words'}, ...lesson.text.map(text => make('p', {textContent: text})),
        make('p', {}, make('b', {textContent: 'Task: '}), lesson.task)),
      make('div', {className: 'shelf'}, check, hint,
        button('Start again', () => this.open(this.at)), answer));
    this.box.hidden = false;
  }
}
