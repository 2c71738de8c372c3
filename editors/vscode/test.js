// SPDX-License-Identifier: Apache-2.0
// node test.js TENSIX KERNEL...: the grammar over kernels, and the extension with a stand-in for
// VS Code: it starts the server that its settings name. Needs the packages of package.json.
'use strict';
const assert = require('assert');
const fs = require('fs');
const Module = require('module');
const path = require('path');
const {OnigScanner, OnigString, loadWASM} = require('vscode-oniguruma');
const {INITIAL, Registry, parseRawGrammar} = require('vscode-textmate');

const [tensix, ...kernels] = process.argv.slice(2);

async function grammar() {
  const wasm = require.resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(fs.readFileSync(wasm).buffer);
  const file = path.join(__dirname, 'syntaxes', 'tensix.tmLanguage.json');
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: list => new OnigScanner(list),
      createOnigString: text => new OnigString(text)
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, 'utf8'), file)
  });
  return registry.loadGrammar('source.tensix');
}

// The scope of the token that begins at a column.
const scopeAt = (tokens, column) => {
  const token = tokens.find(t => t.startIndex <= column && column < t.endIndex);
  return token ? token.scopes[token.scopes.length - 1] : '';
};

async function colours() {
  const g = await grammar();
  let lines = 0;
  for (const file of kernels) {
    let state = INITIAL, names = new Set();
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      const {tokens, ruleStack} = g.tokenizeLine(line, state);
      state = ruleStack;
      const macro = /^\s*\.macro\s+(\w+)/.exec(line);
      if (macro) names.add(macro[1]);
      const word = /^\s*([.A-Za-z_][\w:]*)/.exec(line);
      if (!word || names.has(word[1]) || /^\s*\w+\s*=/.test(line)) continue;
      const scope = scopeAt(tokens, line.indexOf(word[1]));
      const want = word[1][0] === '.' ? /^keyword/ : /^support\.function/;
      if (word[1][0] !== '.' && !/^(sfp|tt|TT)/.test(word[1])) continue; /* a macro from elsewhere */
      assert.match(scope, want, `${file}: ${line}: ${word[1]} is ${scope}`);
      const comment = line.indexOf('#');
      if (comment >= 0 && !line.slice(0, comment).includes('"'))
        assert.match(scopeAt(tokens, comment + 1) || 'comment', /^comment/, `${file}: ${line}`);
      lines++;
    }
  }
  assert.ok(lines > 100, `${lines} lines`);
  const {tokens} = g.tokenizeLine(
    '  TTI_SFPMAD(p_sfpu::LREG1, 0x2, L3, LREG_EQ0, float(1.5e-3)); // why', INITIAL);
  const text = '  TTI_SFPMAD(p_sfpu::LREG1, 0x2, L3, LREG_EQ0, float(1.5e-3)); // why';
  for (const [word, want] of [['TTI_SFPMAD', 'support.function.macro'],
    ['p_sfpu', 'constant.other.vendor'], ['0x2', 'constant.numeric'],
    ['L3', 'variable.language.register'], ['LREG_EQ0', 'constant.other.vendor'],
    ['float', 'support.function.value'], ['1.5e-3', 'constant.numeric'], ['why', 'comment.line']])
    assert.ok(scopeAt(tokens, text.indexOf(word)).startsWith(want), word);
  return lines;
}

// Only what the extension asks of VS Code; the client is started for real with a stand-in for it.
async function extension() {
  const started = [], said = [], commands = {};
  let listener = null, settings = {path: tensix, arch: 'wh'};
  class LanguageClient {
    constructor(id, name, server, options) {
      Object.assign(this, {server, options, running: false});
    }
    async start() {
      const {spawnSync} = require('child_process');
      const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize',
        params: {capabilities: {}, initializationOptions: this.options.initializationOptions}});
      const ran = spawnSync(this.server.command, this.server.args,
        {input: `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`});
      if (ran.error) throw ran.error;
      this.answer = JSON.parse(ran.stdout.toString().split('\r\n\r\n')[1]);
      this.running = true;
      started.push(this);
    }
    async stop() { this.running = false; }
  }
  const vscode = {
    workspace: {
      getConfiguration: () => ({get: name => settings[name]}),
      onDidChangeConfiguration: f => { listener = f; return {dispose() {}}; }
    },
    commands: {registerCommand: (name, f) => { commands[name] = f; return {dispose() {}}; }},
    window: {showErrorMessage: text => said.push(text)}
  };
  const load = Module._load;
  Module._load = (name, ...rest) => name === 'vscode' ? vscode :
    name === 'vscode-languageclient/node' ? {LanguageClient} : load(name, ...rest);
  const {activate, deactivate} = require('./extension.js');
  await activate({subscriptions: []});
  assert.strictEqual(started.length, 1);
  assert.deepStrictEqual(started[0].server.args, ['lsp']);
  assert.deepStrictEqual(started[0].options.initializationOptions, {arch: 'wh'});
  assert.ok(started[0].answer.result.capabilities.hoverProvider);
  await listener({affectsConfiguration: name => name === 'tensix.arch'});
  assert.ok(!started[0].running && started[1].running, 'a new setting starts it again');
  settings = {path: '/nowhere/tensix', arch: ''};
  await commands['tensix.restart']();
  assert.match(said[0], /tensix lsp does not start/);
  await deactivate();
}

(async () => {
  const lines = await colours();
  await extension();
  console.log(`${lines} lines coloured, server started`);
})().catch(error => {
  console.error(error);
  process.exit(1);
});
