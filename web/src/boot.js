// SPDX-License-Identifier: Apache-2.0
// What runs before the page's program: the kernel and its result are drawn already, so that the
// program is loaded when somebody wants to use the page, or when it has been at rest for a while. A
// link with a fragment names another kernel and is opened at once.
const STARTS = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown', 'focusin'];
const REST = 10000; // ms after the page has been drawn, if nobody does anything

let loading = false;
function load() {
  if (loading) return;
  loading = true;
  for (const name of STARTS) removeEventListener(name, load, true);
  const script = document.createElement('script');
  script.src = 'page.js';
  document.head.append(script);
}
for (const name of STARTS) addEventListener(name, load, {capture: true, passive: true});
if (location.hash.length > 1) load();

// A button that is pressed before the program is there is pressed again by it.
addEventListener('click', event => {
  const button = event.target.closest && event.target.closest('button[id], [data-tab], [data-chip]');
  if (!globalThis.tensix && button) globalThis.tensixPressed = button;
}, true);

const dark = matchMedia('(prefers-color-scheme: dark)').matches;
document.getElementById('theme').textContent = dark ? 'Light' : 'Dark';

// The page works without a network after the first visit, where a server serves it.
addEventListener('load', () => {
  setTimeout(load, REST);
  if (/^https?:$/.test(location.protocol) && navigator.serviceWorker)
    (globalThis.requestIdleCallback || setTimeout)(() =>
      navigator.serviceWorker.register('offline.js').catch(() => null));
});
if (/^https?:$/.test(location.protocol)) {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = 'manifest.webmanifest';
  document.head.append(link);
}
