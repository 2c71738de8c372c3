// SPDX-License-Identifier: Apache-2.0
// The engine in workers, one for each purpose, so that no answer waits for another kind of work. A
// worker that takes too long is ended and replaced.
import workerSource from 'worker:engine';
import {files} from 'virtual:examples';

let compiled;

// Runs in a worker of its own: the module from its text, compressed and in base64.
async function compile({data}) {
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  postMessage(await WebAssembly.compile(await new Response(stream).arrayBuffer()));
}

const workerOf = source =>
  new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));

// Loads and compiles the module. It comes as text in a script, so that the page also works from a
// local folder, where nothing can be fetched; and not before the page has been drawn.
function module() {
  compiled = compiled || new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = 'module.js';
    script.onerror = () => failed(new Error('module.js is not there'));
    script.onload = () => {
      const worker = workerOf(`onmessage = event => (${compile})(event).catch(error =>
        setTimeout(() => { throw error; }))`);
      worker.onmessage = ({data}) => {
        worker.terminate();
        done(data);
      };
      worker.onerror = event => failed(new Error(event.message || 'the engine does not compile'));
      worker.postMessage(globalThis.tensixModule);
      globalThis.tensixModule = null;
    };
    document.head.append(script);
  });
  return compiled;
}

export class Engine {
  #worker = null;
  #ready = null;
  #waiting = new Map();
  #next = 1;

  #begin() {
    if (this.#ready) return this.#ready;
    const worker = workerOf(workerSource);
    this.#worker = worker;
    worker.onmessage = ({data}) => {
      const one = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (!one) return;
      if ('failed' in data) {
        one.reject(new Error(data.failed));
        this.stop('the engine stopped'); // its state cannot be trusted any more
      } else {
        one.resolve(data.answer);
      }
    };
    worker.onerror = event => this.stop(event.message || 'the engine did not start');
    this.#ready = module().then(compiled => this.#post({op: 'start', module: compiled, files}));
    return this.#ready;
  }

  #post(message) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (!this.#worker) {
        reject(new Error('stopped'));
        return;
      }
      this.#waiting.set(id, {resolve, reject});
      this.#worker.postMessage({...message, id});
    });
  }

  // Ends the running work. The next question starts a new worker.
  stop(why = 'stopped') {
    if (this.#worker) this.#worker.terminate();
    this.#worker = this.#ready = null;
    for (const one of this.#waiting.values()) one.reject(new Error(why));
    this.#waiting.clear();
  }

  get busy() { return this.#waiting.size > 0; }

  // Whether there is a worker, which remembers earlier messages.
  get started() { return this.#ready !== null; }

  async #send(message, seconds) {
    await this.#begin();
    const timer = setTimeout(
      () => this.stop(`stopped after ${seconds} seconds; the page did not wait any longer`),
      1000 * seconds);
    try {
      return await this.#post(message);
    } finally {
      clearTimeout(timer);
    }
  }

  // Asks web/wasm.c a question. Throws an EngineError when the answer is an error.
  async ask(question, {inputs, outputs, seconds = 30} = {}) {
    const answer = await this.#send({op: 'ask', question, inputs, outputs}, seconds);
    if (answer.error) throw new EngineError(answer.error);
    return answer;
  }

  lsp(message, seconds = 20) {
    return this.#send({op: 'lsp', message: message === null ? '' : JSON.stringify(message)},
      seconds);
  }
}

export class EngineError extends Error {
  constructor(said) {
    const place = said.line ? `line ${said.line}: ` : '';
    super(place + said.message);
    this.said = said;
  }
}
