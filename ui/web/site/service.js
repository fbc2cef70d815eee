// The service worker of the site: it keeps scripts and styles, and every page that the reader has opened, for use without a network.
const kCache = 'switchyard-@VERSION@';
const kKept = ['@KEPT@'];
const kHashed = /\.[0-9a-f]{10}\.\w+$/;  // names with a hash of the content: never out of date

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(kKept)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith('switchyard-') && name !== kCache).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

async function answer(request) {
  const cache = await caches.open(kCache);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && kHashed.test(new URL(request.url).pathname)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(request, response.clone());
    return response;
  } catch (problem) {
    const other = kept || (request.url.endsWith('/') && await cache.match(`${request.url}index.html`));
    if (other) return other;
    throw problem;
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(answer(request));
});
