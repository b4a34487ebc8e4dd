/** The service worker: offline, the page opens as it was last loaded.
 *
 * It caches the page, its parts and the catalogue, which are the same for everybody, but no answer about a game
 * or a person. The server fills in the version and the parts below; a new version replaces the cache.
 */

const NAME = "digit-duel {version}";
const PARTS = {parts};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(["/", "/api/catalogue", ...PARTS])));
});

addEventListener("activate", (event) => event.waitUntil(caches.keys().then(async (names) => {
  for (const name of names) if (name !== NAME) await caches.delete(name);
  await clients.claim();
})));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept("/")));
  else if (PARTS.includes(pathname)) event.respondWith(kept(pathname, request));
  else if (pathname === "/api/catalogue") event.respondWith(fetch(request).catch(() => kept(pathname)));
});

/** The cached response, or else the network's. */
async function kept(path, request) {
  const found = await caches.match(path, { ignoreVary: true });
  return found ?? (request ? fetch(request) : Response.error());
}
