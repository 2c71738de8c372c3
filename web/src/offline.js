// SPDX-License-Identifier: Apache-2.0
// The service worker: keeps the page's own files, so that it works without a network after the first
// visit. build.mjs writes the version, by the files' contents, and their names.
const NAME = 'tensix-VERSION', FILES = ['PARTS'];

addEventListener('install', event => event.waitUntil(
  caches.open(NAME).then(cache => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener('activate', event => event.waitUntil(
  caches.keys().then(names => Promise.all(names.filter(name => /^tensix-/.test(name) && name !== NAME)
    .map(name => caches.delete(name)))).then(() => clients.claim())));
addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(NAME).then(cache => cache.match(event.request, {ignoreSearch: true}))
    .then(kept => kept || fetch(event.request)));
});
