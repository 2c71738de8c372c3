// SPDX-License-Identifier: Apache-2.0
// Runs the engine off the page's thread. Messages: {id, op: 'start', module, files},
// {id, op: 'ask', question, inputs, outputs}, {id, op: 'lsp', message}. Answers carry the id.
/* global tensixEngine */
let engine;

// Calls a function of the engine with a text and returns the text that it answers.
function call(name, text) {
  const size = engine.lengthBytesUTF8(text) + 1, at = engine._malloc(size);
  engine.stringToUTF8(text, at, size);
  const answer = engine['_' + name](at);
  engine._free(at);
  if (!answer) throw new Error('The engine has no memory left.');
  const said = engine.UTF8ToString(answer);
  engine._free(answer);
  return said;
}

function write(path, data) {
  const folder = path.slice(0, path.lastIndexOf('/'));
  let at = '';
  for (const part of folder.split('/').filter(Boolean)) {
    at += '/' + part;
    if (!engine.FS.analyzePath(at).exists) engine.FS.mkdir(at);
  }
  engine.FS.writeFile(path, data);
}

function read(path) {
  if (!engine.FS.analyzePath(path).exists) return null;
  const data = engine.FS.readFile(path);
  engine.FS.unlink(path);
  return data;
}

const words = (at, count) => engine.HEAPU32.slice(at >> 2, (at >> 2) + count);

const TILE = 1024;
// Copies what the question "tile" left in memory.
function tileArrays(inputs) {
  const ulp = engine._web_ulp() >> 3;
  return {
    held: Array.from({length: inputs}, (_, k) => words(engine._web_held(k), TILE)),
    got: words(engine._web_got(), TILE),
    expected: words(engine._web_expected(), TILE),
    ulp: engine.HEAPF64.slice(ulp, ulp + TILE)
  };
}

const ops = {
  async start({module, files}) {
    engine = await tensixEngine({
      print() {}, printErr() {},
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then(instance => done(instance, module));
        return {};
      }
    });
    for (const [path, data] of Object.entries(files)) write(path, data);
    return {};
  },
  ask({question, inputs = {}, outputs = []}) {
    const from = performance.now();
    for (const [path, data] of Object.entries(inputs)) write(path, data);
    const said = JSON.parse(call('web_ask', JSON.stringify(question)));
    const answer = {...said, milliseconds: performance.now() - from, files: {}};
    if (question.op === 'tile' && said.ok) answer.arrays = tileArrays(said.ok.inputs);
    for (const path of outputs) answer.files[path] = read(path);
    return answer;
  },
  lsp({message}) {
    return JSON.parse(call('web_lsp', message)).map(text => JSON.parse(text));
  }
};

onmessage = async event => {
  const {id, op} = event.data;
  try {
    postMessage({id, answer: await ops[op](event.data)});
  } catch (error) {
    postMessage({id, failed: String(error && error.message || error)});
  }
};
