// SPDX-License-Identifier: Apache-2.0
// The gallery: kernels of examples/kernels and programs of examples/tiles to start from.
import {files} from 'virtual:examples';
import {button, make} from './results.js';

const said = (text, directive) =>
  (new RegExp(`^\\.${directive}\\s+"?([^"#\\n]*?)"?\\s*(?:#.*)?$`, 'm').exec(text) || [])[1] || '';

export const examples = Object.entries(files).filter(([path]) => path.endsWith('.s'))
  .map(([path, text]) => ({
  path, text,
  name: path.replace('/examples/', '').replace(/^kernels\//, ''),
  title: said(text, 'title'),
  arch: said(text, 'arch'),
  dst: said(text, 'dst')
}));
export const chipOf = text => {
  const arch = said(text, 'arch');
  return /^(wh|wormhole)/i.test(arch) ? 'wh' : /^(bh|blackhole)/i.test(arch) ? 'bh' : '';
};
export const example = name => examples.find(one => one.name === name);

export function gallery(dialog, choose) {
  const search = make('input', {type: 'search', placeholder: 'Find', ariaLabel: 'Find an example'});
  const cards = make('div', {className: 'cards'});
  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    cards.replaceChildren(...examples
      .filter(one => (one.name + ' ' + one.title).toLowerCase().includes(wanted))
      .map(one => {
        const card = button('', () => { dialog.close(); choose(one); });
        card.append(make('b', {textContent: one.name}),
          make('span', {textContent: one.title || '\u00a0'}));
        const kind = {macro: 'SFPLOADMACRO', tiles: 'from L1 to L1'}[one.name.split('/')[0]];
        if (one.arch || kind)
          card.append(make('span', {className: 'chip',
            textContent: [one.arch, kind].filter(Boolean).join(', ')}));
        return card;
      }));
  };
  search.oninput = draw;
  dialog.append(make('div', {className: 'shelf'}, make('h2', {textContent: 'Examples'}), search,
    make('span', {className: 'grow'}), button('Close', () => dialog.close())), cards);
  dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
  return () => { search.value = ''; draw(); dialog.showModal(); search.focus(); };
}
