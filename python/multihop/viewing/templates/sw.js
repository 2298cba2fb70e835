// Keeps the page, so that it works without a network. A page that was made anew has another name for what is kept.
const KEPT = {{ name|tojson }};
const FILES = {{ files|tojson }};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name.startsWith("multihop-") && name !== KEPT);
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(others(names).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? fetch(event.request)));
});
