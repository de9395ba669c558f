import { page } from './site.ts';
import { markup, script, type WayOut } from './way-out.ts';
import { WAYS_BY_HEADERS } from './ways-out-by-headers.ts';
import { WAYS_BY_NAVIGATION } from './ways-out-by-navigation.ts';
import { WAYS_PEER_TO_PEER } from './ways-out-peer-to-peer.ts';

const asWs = "const w = u.replace('http:', 'ws:');";
const blobOf = (code: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }))`;

/** What scripts and markup of a page can ask for by themselves. */
const REQUESTS: readonly WayOut[] = [
  { name: 'fetch', answer: script('each((u) => { fetch(u).catch(() => 0); });') },
  {
    name: 'fetch-post',
    answer: script(
      "each((u) => { fetch(u, { method: 'POST', mode: 'no-cors', body: 'secret' }).catch(() => 0); });",
    ),
  },
  {
    name: 'fetch-keepalive',
    answer: script(
      "each((u) => { fetch(u, { keepalive: true, mode: 'no-cors' }).catch(() => 0); });",
    ),
  },
  {
    name: 'fetch-local-address-space',
    isQuiet: true,
    answer: script(
      "each((u) => { for (const s of ['loopback', 'local', 'private']) fetch(u, { mode: 'no-cors', targetAddressSpace: s }).catch(() => 0); });",
    ),
  },
  {
    name: 'xhr',
    answer: script("each((u) => { const x = new XMLHttpRequest(); x.open('GET', u); x.send(); });"),
  },
  { name: 'beacon', answer: script("each((u) => navigator.sendBeacon(u, 'secret'));") },
  {
    name: 'fetch-later',
    answer: script('each((u) => fetchLater(u, { activateAfter: 0 }));'),
    isQuiet: true,
  },
  { name: 'image', answer: markup((u) => `<img src="${u}">`) },
  { name: 'image-srcset', answer: markup((u) => `<img srcset="${u} 1x, ${u}?2 2x">`) },
  {
    name: 'picture-source',
    answer: markup((u) => `<picture><source srcset="${u}"><img src="data:,"></picture>`),
  },
  { name: 'input-image', answer: markup((u) => `<input type="image" src="${u}">`) },
  { name: 'background', answer: markup((u) => `<table background="${u}"><td>x</table>`) },
  { name: 'script', answer: markup((u) => `<script src="${u}"></script>`) },
  { name: 'script-module', answer: markup((u) => `<script type="module" src="${u}"></script>`) },
  { name: 'import', answer: script('each((u) => { import(u).catch(() => 0); });') },
  {
    name: 'import-map',
    answer: (to) =>
      page(
        to
          .map((u, at) => `<script type="importmap">{"imports":{"m${at}":"${u}"}}</script>`)
          .join('') + to.map((_, at) => `<script type="module">import "m${at}";</script>`).join(''),
      ),
  },
  { name: 'module-preload', answer: markup((u) => `<link rel="modulepreload" href="${u}">`) },
  { name: 'stylesheet', answer: markup((u) => `<link rel="stylesheet" href="${u}">`) },
  { name: 'css-import', answer: markup((u) => `<style>@import url("${u}");</style>`) },
  {
    name: 'css-image',
    answer: markup((u) => `<p style="height:9px;background:url('${u}')">x</p>`),
  },
  {
    name: 'css-mask',
    answer: markup((u) => `<p style="height:9px;mask:url('${u}#m');cursor:url('${u}'),auto">x</p>`),
  },
  {
    name: 'font',
    answer: (to) =>
      page(
        to
          .map(
            (u, at) =>
              `<style>@font-face{font-family:f${at};src:url("${u}")}</style><p style="font-family:f${at}">x</p>`,
          )
          .join(''),
      ),
  },
  {
    name: 'font-script',
    answer: script("each((u) => { new FontFace('x', 'url(' + u + ')').load().catch(() => 0); });"),
  },
  { name: 'object', answer: markup((u) => `<object data="${u}"></object>`) },
  { name: 'embed', answer: markup((u) => `<embed src="${u}" type="text/html">`) },
  { name: 'frame', answer: markup((u) => `<iframe src="${u}"></iframe>`) },
  {
    name: 'frame-srcdoc',
    answer: markup((u) => `<iframe srcdoc="&lt;img src='${u}'&gt;"></iframe>`),
  },
  {
    name: 'frame-data',
    answer: markup((u) => `<iframe src="data:text/html,<img src='${u}'>"></iframe>`),
  },
  {
    name: 'frame-blob',
    answer: script(
      "each((u) => { const f = document.body.appendChild(document.createElement('iframe')); f.src = URL.createObjectURL(new Blob(['<img src=\"' + u + '\">'], { type: 'text/html' })); });",
    ),
  },
  {
    name: 'frame-javascript',
    isQuiet: true,
    answer: markup(
      (u) => `<iframe src="javascript:fetch('${u}',{mode:'no-cors'}).catch(()=>0),''"></iframe>`,
    ),
  },
  {
    name: 'message-to-frame',
    answer: script(
      "document.querySelector('iframe').onload = (e) => each((u) => e.target.contentWindow.postMessage(u, '*'));",
      '<iframe sandbox="allow-scripts" srcdoc="<script>onmessage = (e) => fetch(e.data, { mode: `no-cors` }).catch(() => 0)</script>"></iframe>',
    ),
  },
  { name: 'video', answer: markup((u) => `<video src="${u}" autoplay muted></video>`) },
  { name: 'video-poster', answer: markup((u) => `<video poster="${u}"></video>`) },
  { name: 'audio', answer: markup((u) => `<audio src="${u}" preload="auto"></audio>`) },
  {
    name: 'track',
    answer: markup(
      (u) =>
        `<video src="data:video/mp4," crossorigin><track default kind="captions" src="${u}"></video>`,
    ),
  },
  {
    name: 'svg-image',
    answer: markup((u) => `<svg><image href="${u}" width="9" height="9"/></svg>`),
  },
  {
    name: 'svg-filter',
    answer: markup(
      (u) =>
        `<svg><filter id="f"><feImage href="${u}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
    ),
  },
  { name: 'event-source', answer: script('each((u) => { new EventSource(u); });') },
  { name: 'web-socket', answer: script(`each((u) => { ${asWs} new WebSocket(w); });`) },
  {
    name: 'web-socket-secure',
    answer: script("each((u) => { new WebSocket(u.replace('http:', 'wss:')); });"),
  },
  {
    name: 'worker',
    answer: script(
      `const b = ${blobOf("onmessage = (e) => { fetch(e.data, { mode: 'no-cors' }).catch(() => 0); }")};
const k = new Worker(b); each((u) => k.postMessage(u));`,
    ),
  },
  {
    name: 'worker-import',
    answer: script(
      `const b = ${blobOf('onmessage = (e) => { try { importScripts(e.data); } catch {} }')};
each((u) => new Worker(b).postMessage(u));`,
    ),
  },
  {
    name: 'shared-worker',
    answer: script(
      `const b = ${blobOf("onconnect = (c) => { c.ports[0].onmessage = (e) => { fetch(e.data, { mode: 'no-cors' }).catch(() => 0); }; }")};
const k = new SharedWorker(b); each((u) => k.port.postMessage(u));`,
    ),
  },
  {
    name: 'wasm-streaming',
    answer: script('each((u) => { WebAssembly.compileStreaming(fetch(u)).catch(() => 0); });'),
  },
  {
    name: 'dns-prefetch',
    isQuiet: true,
    answer: markup((u) => `<link rel="dns-prefetch" href="${u}">`),
  },
  {
    name: 'preconnect',
    isQuiet: true,
    answer: markup((u) => `<link rel="preconnect" href="${u}">`),
  },
  { name: 'prefetch', answer: markup((u) => `<link rel="prefetch" href="${u}">`) },
  {
    name: 'preload',
    answer: markup(
      (u) =>
        `<link rel="preload" as="image" href="${u}"><link rel="preload" as="fetch" href="${u}?f">`,
    ),
  },
  { name: 'prerender', answer: markup((u) => `<link rel="prerender" href="${u}">`), isQuiet: true },
  {
    name: 'attribution',
    answer: markup((u) => `<img src="data:," attributionsrc="${u}">`),
    isQuiet: true,
  },
  {
    name: 'credentials-in-address',
    isQuiet: true,
    answer: script(
      "each((u) => { const f = document.body.appendChild(document.createElement('iframe')); f.src = u.replace('//', '//user:secret@'); });",
    ),
  },
  {
    name: 'xslt',
    answer: (to) => (_request, response) => {
      const lines = to.map((u) => `<?xml-stylesheet type="text/xsl" href="${u}"?>`).join('');
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(`<?xml version="1.0"?>${lines}<a/>`);
    },
    isQuiet: true,
  },
  {
    name: 'xml-entity',
    answer: (to) => (_request, response) => {
      const lines = to.map((u, at) => `<!ENTITY e${at} SYSTEM "${u}">`).join('');
      response.writeHead(200, { 'content-type': 'application/xhtml+xml' });
      response.end(
        `<?xml version="1.0"?><!DOCTYPE html [${lines}]><html xmlns="http://www.w3.org/1999/xhtml"><body>&e0;</body></html>`,
      );
    },
    isQuiet: true,
  },
];

/** Every way, each with a name of its own. */
export const WAYS_OUT: readonly WayOut[] = [
  ...REQUESTS,
  ...WAYS_BY_HEADERS,
  ...WAYS_BY_NAVIGATION,
  ...WAYS_PEER_TO_PEER,
];
