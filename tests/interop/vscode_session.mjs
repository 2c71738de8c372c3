// SPDX-License-Identifier: Apache-2.0
// node vscode_session.mjs CHROMIUM SERVER EXTENSIONS TENSIX WORK: a session in VS Code itself, whose
// server runs the extension and whose window is a page in Chromium. SERVER is the folder of
// server-main.js, EXTENSIONS has ours installed. A hazard is underlined and told, its quick fix
// applied, and what the server says of the new text is awaited; then hover, the operands as one
// types, a rename, and the cycles beside the lines.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const [executablePath, serverFolder, extensions, tensix, work] = process.argv.slice(2);
const {chromium} = createRequire(join(serverFolder, 'x.js'))('playwright-core');
const TEXT = '.arch wh\nR = 1\n.tile\nsfpmad L1,L0,L0,L9,0\nsfpmul L2,L1,L1,0\n' +
  'sfploadi L3,R,0\nsfploadi L4,R,0\n';
const folder = join(work, 'folder'), file = join(folder, 'kernel.s');
mkdirSync(folder, {recursive: true});
writeFileSync(file, TEXT);
for (const place of ['Machine', 'User']) {
  mkdirSync(join(work, 'data/data', place), {recursive: true});
  writeFileSync(join(work, 'data/data', place, 'settings.json'), JSON.stringify({
    'tensix.path': tensix, 'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none', 'files.autoSave': 'off',
    // Else a message about a port that some program has opened may come, and takes the keys.
    'remote.autoForwardPorts': false
  }));
}

const server = spawn(process.execPath, [join(serverFolder, 'out/server-main.js'), '--host',
  '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms',
  '--telemetry-level', 'off', '--extensions-dir', extensions, '--server-data-dir',
  join(work, 'data')], {stdio: ['ignore', 'pipe', 'pipe']});
let said = '';
const port = new Promise((resolve, reject) => {
  const heard = data => {
    said += data;
    const at = /listening on (\d+)/.exec(said);
    if (at) resolve(at[1]);
  };
  server.stdout.on('data', heard);
  server.stderr.on('data', heard);
  server.on('exit', () => reject(new Error(said)));
});
const from = Date.now();
let browser, page;
const passed = async () => {
  const host = `127.0.0.1:${await port}`;
  browser = await chromium.launch({executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage']});
  page = await browser.newPage({viewport: {width: 1280, height: 800}});
  page.setDefaultTimeout(60000);
  const payload = JSON.stringify([['openFile', `vscode-remote://${host}${file}`]]);
  await page.goto(`http://${host}/?folder=${folder}&payload=${encodeURIComponent(payload)}`);
  const line = text => page.locator('.view-line', {hasText: text}).first();
  const marks = page.locator('.squiggly-error, .squiggly-warning');
  const key = name => page.keyboard.press(name);

  await line('sfpmul').waitFor();
  await marks.first().waitFor();
  const shown = Date.now();
  await line('sfpmul').click();
  await key('F8'); // the next problem
  const told = page.locator('.marker-widget').first();
  await told.filter({hasText: 'E-HAZ'}).waitFor();
  assert.match(await told.innerText(), /SFPMUL in cycle 1 reads L1.*SFPMAD of cycle 0/s);
  // The first Escape may close something else that is shown above the problem.
  for (let i = 0; i < 20 && await told.count() > 0; i++) {
    await key('Escape');
    await page.waitForTimeout(250);
  }
  await told.waitFor({state: 'detached'});
  await line('sfpmul').filter({hasText: /cycle\s1,\shazard\sE-HAZ/}).waitFor();

  await line('sfpmul').click();
  await key('Control+.'); // quick fix
  const fixes = page.locator('.action-widget');
  await fixes.filter({hasText: 'Insert sfpnop'}).waitFor();
  await key('Enter');
  await line('sfpnop').waitFor();
  await marks.first().waitFor({state: 'detached'});
  await line('sfpmul').filter({hasText: /cycle\s2/}).waitFor();

  await line('sfpmad').getByText('sfpmad', {exact: true}).hover();
  await page.locator('.monaco-hover', {hasText: 'VD = VA * VB + VC'}).first().waitFor();
  await page.mouse.move(0, 0);

  await line('sfpmad').click({position: {x: 60, y: 5}});
  await key('Control+Shift+Space'); // what the operands are
  const operands = page.locator('.parameter-hints-widget.visible');
  await operands.filter({hasText: 'lreg_dest,lreg_src_a,lreg_src_b,lreg_src_c'}).waitFor();
  await key('Escape');

  await line('R = 1').click({position: {x: 4, y: 5}});
  await key('F2'); // rename
  const name = page.locator('.rename-box input');
  await name.fill('ROW');
  await name.press('Enter');
  await line('sfploadi L4,ROW,0').waitFor();
  await key('Control+s');
  const want = TEXT.replace('sfpmul', 'sfpnop\nsfpmul').replace('R = 1', 'ROW = 1')
    .replaceAll(',R,', ',ROW,');
  for (let i = 0; i < 600 && readFileSync(file, 'utf8') !== want; i++)
    await page.waitForTimeout(100);
  assert.equal(readFileSync(file, 'utf8'), want);
  return shown;
};
let status = 0;
try {
  const shown = await passed();
  const version = JSON.parse(readFileSync(join(serverFolder, 'package.json'))).version;
  console.log(`interop: VS Code ${version} shows the hazard ${((shown - from) / 1000).toFixed(1)} s ` +
    'after its start, inserts the sfpnop and shows none, tells what SFPMAD does and its ' +
    `operands, renames R, saves the file: ${((Date.now() - from) / 1000).toFixed(1)} s`);
} catch (error) {
  status = 1;
  console.log(`interop: VS Code: ${error.message}`);
  console.log(said.slice(-2000));
  if (page) await page.screenshot({path: join(work, 'failed.png')});
}
await browser?.close();
server.removeAllListeners('exit');
server.kill();
process.exit(status);
