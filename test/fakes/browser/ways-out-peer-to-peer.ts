import { page } from './site.ts';
import { script, type WayOut } from './way-out.ts';

/** A worker of the whole site, which outlives its pages. `import.meta` does not work in it. */
const withServiceWorker =
  (code: string, after: string) =>
  (to: readonly string[]) =>
  (
    request: { readonly url?: string | undefined },
    response: import('node:http').ServerResponse,
  ) => {
    const self = (request.url ?? '').split('?')[0] ?? '';
    if (request.url?.endsWith('?worker') === true) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' });
      response.end(`const TO = ${JSON.stringify(to)};
oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());
${code}`);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      page(`<script>(async () => {
  const registration = await navigator.serviceWorker.register('${self}?worker', { scope: '${self}' });
  await navigator.serviceWorker.ready; ${after}
})().catch((e) => { document.title = String(e); });</script>`),
    );
  };

/** Connections of other kinds than requests of pages, and what browsers do on behalf of a page. */
export const WAYS_PEER_TO_PEER: readonly WayOut[] = [
  {
    name: 'rtc-stun',
    isQuiet: true,
    answer: script(
      "each((u) => { const { host } = new URL(u); const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)); });",
    ),
  },
  {
    name: 'rtc-turn',
    isQuiet: true,
    answer: script(
      "each((u) => { const { host } = new URL(u); const c = new RTCPeerConnection({ iceServers: ['turn:' + host + '?transport=udp', 'turn:' + host + '?transport=tcp', 'turns:' + host].map((urls) => ({ urls, username: 'u', credential: 'p' })), iceTransportPolicy: 'relay' }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)); });",
    ),
  },
  {
    name: 'rtc-candidates',
    isQuiet: true,
    answer: script(
      `each(async (u) => { const { hostname, port } = new URL(u); const a = new RTCPeerConnection(); const b = new RTCPeerConnection();
a.createDataChannel('x'); await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription);
await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription);
const ip = hostname === 'x.localhost' ? '0b6c1b6e-1111-4222-8333-444455556666.local' : /^[\\d.]+$/.test(hostname) ? hostname : hostname.replace(/^\\[|\\]$/g, '');
for (const [kind, more] of [['udp', ''], ['tcp', ' tcptype passive']]) await a.addIceCandidate({ candidate: 'candidate:1 1 ' + kind + ' 2122260223 ' + ip + ' ' + port + ' typ host' + more, sdpMid: '0', sdpMLineIndex: 0 }).catch(() => 0); });`,
    ),
  },
  {
    name: 'web-transport',
    isQuiet: true,
    isSecure: true,
    answer: script(
      "each((u) => { new WebTransport(u.replace('http:', 'https:')).ready.catch(() => 0); new WebTransport(u.replace('http:', 'https:'), { serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] }).ready.catch(() => 0); });",
    ),
  },
  {
    name: 'service-worker-fetch',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      "onmessage = (e) => e.waitUntil(Promise.all(TO.map((u) => fetch(u.replace('http:', 'https:'), { mode: 'no-cors' }).catch(() => 0))));",
      "registration.active.postMessage('go');",
    ),
  },
  {
    name: 'service-worker-later',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      "onmessage = (e) => e.waitUntil((async () => { for (let i = 0; i < 5; i++) { await new Promise((r) => setTimeout(r, 200)); for (const u of TO) fetch(u.replace('http:', 'https:'), { mode: 'no-cors' }).catch(() => 0); } })());",
      "registration.active.postMessage('go'); window.close(); location.replace('about:blank');",
    ),
  },
  {
    name: 'service-worker-answer',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      "onfetch = (e) => { if (e.request.url.includes('by-worker')) e.respondWith(fetch(TO[+e.request.url.split('by-worker-')[1]].replace('http:', 'https:'), { mode: 'no-cors' })); };",
      "await new Promise((r) => navigator.serviceWorker.controller ? r() : navigator.serviceWorker.addEventListener('controllerchange', r)); for (let i = 0; i < 12; i++) new Image().src = '/by-worker-' + i;",
    ),
  },
  {
    name: 'service-worker-sync',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      "onsync = (e) => e.waitUntil(Promise.all(TO.map((u) => fetch(u.replace('http:', 'https:'), { mode: 'no-cors' }).catch(() => 0))));",
      "await registration.sync.register('x');",
    ),
    isQuiet: true,
  },
  {
    name: 'background-fetch',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      '',
      "await Promise.all(TO.map((u, i) => registration.backgroundFetch.fetch('f' + i, u.replace('http:', 'https:')).catch(() => 0)));",
    ),
    isQuiet: true,
  },
  {
    name: 'cache-add',
    isSecure: true,
    answer: script(
      "caches.open('x').then((c) => each((u) => { c.add(new Request(u.replace('http:', 'https:'), { mode: 'no-cors' })).catch(() => 0); }));",
    ),
  },
  {
    name: 'audio-worklet',
    isSecure: true,
    answer: script(
      "const c = new AudioContext(); each((u) => { c.audioWorklet.addModule(u.replace('http:', 'https:')).catch(() => 0); });",
    ),
  },
  {
    name: 'paint-worklet',
    isSecure: true,
    answer: script(
      "each((u) => { CSS.paintWorklet.addModule(u.replace('http:', 'https:')).catch(() => 0); });",
    ),
  },
  {
    name: 'payment-manifest',
    isSecure: true,
    answer: script(
      "each((u) => { new PaymentRequest([{ supportedMethods: u.replace('http:', 'https:') }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => 0); });",
    ),
    isQuiet: true,
  },
  {
    name: 'federated-login',
    isSecure: true,
    answer: script(
      "each((u) => { navigator.credentials.get({ identity: { providers: [{ configURL: u.replace('http:', 'https:'), clientId: 'x' }] } }).catch(() => 0); });",
    ),
    isQuiet: true,
  },
  {
    name: 'related-origin',
    isSecure: true,
    answer: script(
      'each((u) => { navigator.credentials.get({ publicKey: { challenge: new Uint8Array(9), rpId: new URL(u).hostname } }).catch(() => 0); });',
    ),
    isQuiet: true,
  },
  {
    name: 'storage-bucket-push',
    isSecure: true,
    isAlone: true,
    answer: withServiceWorker(
      '',
      'await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(65).fill(4) });',
    ),
    isQuiet: true,
  },
  {
    name: 'network-probes',
    isSecure: true,
    answer: script(
      'each((u) => { const s = new (window.TCPSocket ?? Object)(new URL(u).hostname, +new URL(u).port); const d = new (window.UDPSocket ?? Object)({ remoteAddress: new URL(u).hostname, remotePort: +new URL(u).port }); });',
    ),
    isQuiet: true,
  },
];
