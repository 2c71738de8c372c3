// SPDX-License-Identifier: Apache-2.0
// The gallery: kernels of examples/kernels and programs of examples/tiles to start from.
import {files} from 'virtual:examples';
import {button, make} from './results.js';

const said = (text, directive) =>
  (new RegExp(`^\\.${directive}\\s+"?([^"#\\n]*?)"?\\s*(?:#.*)?$`, 'm').exec(text) || [])[1] || '';

export const examples = Object.entries(files).filter(([path]) => path.endsWith('.s'))
  .map(([path, text]) => ({
  path, text: text.replace(/^# SPDX[^\n]*\n/, ''), // whose words are in licences.txt
  name: path.replace('/examples/', '').replace(/^kernels\//, ''),
  title: said(text, 'title'),
  arch: said(text, 'arch'),
  dst: said(text, 'dst')
}));
// Themes, in the order in which they are shown; the first that fits takes a program.
const THEMES = [
  ['Functions of one number', one => !one.folder && said(one.text, 'reference')],
  ['Found by tensix fit, within a budget of cycles', one => one.folder === 'fit'],
  ['SFPLOADMACRO: several instructions in a cycle', one => one.folder === 'macro'],
  ['From L1 to L1: unpackers, Matrix Unit and packers', one => one.folder === 'tiles'],
  ['Integers and conversions', one => /^u?int|_to_|^(clz|gray)/.test(`${one.dst} ${one.name}`) ||
    /_to_|^(clz|gray)/.test(one.name)],
  ['Across rows and lanes', () => true]
];
for (const one of examples) {
  one.folder = one.name.includes('/') ? one.name.split('/')[0] : '';
  one.theme = THEMES.find(([, fits]) => fits(one))[0];
}
export const chipOf = text => {
  const arch = said(text, 'arch');
  return /^(wh|wormhole)/i.test(arch) ? 'wh' : /^(bh|blackhole)/i.test(arch) ? 'bh' : '';
};
export const example = name => examples.find(one => one.name === name);

export function gallery(dialog, choose) {
  const search = make('input', {type: 'search', placeholder: 'Find', ariaLabel: 'Find an example'});
  const themes = make('div', {className: 'themes'});
  const draw = () => {
    const wanted = search.value.trim().toLowerCase().split(/\s+/);
    const found = examples.filter(one => wanted.every(word =>
      `${one.name} ${one.title} ${one.theme} ${one.arch}`.toLowerCase().includes(word)));
    const card = one => {
        const card = button('', () => { dialog.close(); choose(one); });
        card.append(make('b', {textContent: one.name}),
          make('span', {textContent: one.title || '\u00a0'}));
        const kind = {macro: 'SFPLOADMACRO', tiles: 'from L1 to L1'}[one.name.split('/')[0]];
        if (one.arch || kind)
          card.append(make('span', {className: 'chip',
            textContent: [one.arch, kind].filter(Boolean).join(', ')}));
        return card;
    };
    themes.replaceChildren(...THEMES.map(([theme]) => [theme, found.filter(one =>
      one.theme === theme)]).filter(([, list]) => list.length).map(([theme, list]) =>
      make('section', {ariaLabel: theme}, make('h3', {textContent: theme}),
        make('div', {className: 'cards'}, ...list.map(card)))));
    if (!found.length)
      themes.append(make('p', {className: 'told', textContent: 'No example has these words.'}));
  };
  search.oninput = draw;
  dialog.append(make('div', {className: 'shelf'}, make('h2', {textContent: 'Examples'}), search,
    make('span', {className: 'grow'}), button('Close', () => dialog.close())), themes);
  dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
  return () => { search.value = ''; draw(); dialog.showModal(); search.focus(); };
}
