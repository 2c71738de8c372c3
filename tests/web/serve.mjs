// SPDX-License-Identifier: Apache-2.0
// node serve.mjs FOLDER FILE: serves the folder until it is ended, and writes the address to FILE.
import {writeFileSync} from 'node:fs';
import {serve} from './lib.mjs';

const [folder, file] = process.argv.slice(2);
writeFileSync(file, (await serve(folder)).url);
