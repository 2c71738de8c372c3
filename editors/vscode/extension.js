// SPDX-License-Identifier: Apache-2.0
// Starts `tensix lsp` for kernel files, and again where its settings change.
'use strict';
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

let client = null;

function open() {
  const settings = vscode.workspace.getConfiguration('tensix');
  const arch = settings.get('arch');
  const server = {command: settings.get('path') || 'tensix', args: ['lsp']};
  return new LanguageClient('tensix', 'Tensix', server, {
    documentSelector: [{language: 'tensix'}],
    initializationOptions: arch ? {arch} : {}
  });
}

async function start() {
  client = open();
  try {
    await client.start();
  } catch (error) {
    client = null;
    vscode.window.showErrorMessage(
      `tensix lsp does not start (setting tensix.path): ${error.message || error}`);
  }
}

async function stop() {
  const old = client;
  client = null;
  if (old) await old.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async context => {
  context.subscriptions.push(
    vscode.commands.registerCommand('tensix.restart', restart),
    vscode.workspace.onDidChangeConfiguration(event => {
      const ours = ['tensix.path', 'tensix.arch'];
      if (ours.some(name => event.affectsConfiguration(name))) return restart();
      return undefined;
    }));
  await start();
};
exports.deactivate = stop;
