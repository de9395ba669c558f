import { page, type SiteAnswer } from './site.ts';
import { inHeader, markup, script, type WayOut } from './way-out.ts';

/** In a frame for each address, so that one does not end the others. */
const inFrames =
  (one: (u: string) => SiteAnswer) =>
  (to: readonly string[]): SiteAnswer =>
  (request, response) => {
    const at = new URLSearchParams((request.url ?? '').split('?')[1]).get('at');
    const self = (request.url ?? '').split('?')[0];
    const answer =
      at === null
        ? page(to.map((_, index) => `<iframe src="${self}?at=${index}"></iframe>`).join(''))
        : one(to[Number(at)] ?? '');
    if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(answer);
  };

/** Where a page leads to that it is not asked to. */
export const WAYS_BY_NAVIGATION: readonly WayOut[] = [
  {
    name: 'meta-refresh',
    answer: inFrames((u) => `<meta http-equiv="refresh" content="0;url=${u}">`),
  },
  {
    name: 'refresh-header',
    answer: inFrames((u) => (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', refresh: `0; url=${inHeader(u)}` })
        .end('wait');
    }),
  },
  {
    name: 'redirect',
    answer: inFrames((u) => (_request, response) => {
      response.writeHead(302, { location: inHeader(u) }).end();
    }),
  },
  {
    name: 'location',
    answer: inFrames((u) => `<script>location.href = ${JSON.stringify(u)}</script>`),
  },
  {
    name: 'document-write',
    answer: inFrames((u) => `<script>document.write('<iframe src="${u}"></iframe>')</script>`),
  },
  {
    name: 'form-get',
    answer: inFrames(
      (u) =>
        `<form action="${u}"><input name="a" value="secret"></form><script>document.forms[0].submit()</script>`,
    ),
  },
  {
    name: 'form-post',
    answer: inFrames(
      (u) =>
        `<form method="post" action="${u}"><input name="a" value="secret"></form><script>document.forms[0].submit()</script>`,
    ),
  },
  {
    name: 'form-blank',
    isAlone: true,
    answer: script(
      "each((u) => { const f = document.body.appendChild(document.createElement('form')); f.target = '_blank'; f.action = u; f.submit(); });",
    ),
  },
  { name: 'popup', isAlone: true, answer: script('each((u) => { window.open(u); });') },
  {
    name: 'popup-later',
    isQuiet: true,
    isAlone: true,
    answer: script(
      "each((u) => { const w = window.open('about:blank'); setTimeout(() => { w.location = u; }, 100); });",
    ),
  },
  {
    name: 'popup-no-opener',
    isAlone: true,
    answer: script(
      "each((u) => { window.open(u, '_blank', 'noopener,noreferrer,width=99,height=99'); });",
    ),
  },
  {
    name: 'popup-opener',
    isAlone: true,
    answer: (to) =>
      page(
        `<script>const w = window.open('about:blank'); w.eval('opener.location = ' + ${JSON.stringify(JSON.stringify(to[0]))})</script>`,
      ),
  },
  {
    name: 'link-ping',
    isQuiet: true,
    answer: script(
      "each((u) => { const a = document.body.appendChild(document.createElement('a')); a.href = '#x'; a.ping = u; a.click(); });",
    ),
  },
  {
    name: 'link-clicked',
    isAlone: true,
    answer: script(
      "each((u) => { const a = document.body.appendChild(document.createElement('a')); a.href = u; a.target = '_blank'; a.click(); });",
    ),
  },
  {
    name: 'link-download',
    isAlone: true,
    answer: script(
      "each(async (u) => { const a = document.body.appendChild(document.createElement('a')); a.href = u; a.download = 'x.txt'; a.click(); await new Promise((r) => setTimeout(r, 120)); });",
    ),
  },
  {
    name: 'javascript-address',
    isAlone: true,
    answer: script(
      'each((u) => { location.href = "javascript:void fetch(\'" + u + "\', {mode:\'no-cors\'}).catch(() => 0)"; });',
    ),
  },
  {
    name: 'unload-beacon',
    answer: script(
      "addEventListener('pagehide', () => each((u) => navigator.sendBeacon(u, 'bye')));\nsetTimeout(() => location.replace('/good'), 300);",
    ),
  },
  {
    name: 'unload-fetch',
    answer: script(
      "addEventListener('pagehide', () => each((u) => { fetch(u, { keepalive: true, mode: 'no-cors' }); }));\nsetTimeout(() => location.replace('/good'), 300);",
    ),
  },
  {
    name: 'history',
    answer: script(
      "each((u) => { try { history.pushState({}, '', u); } catch {} });\nhistory.pushState({}, '', '/elsewhere/'); each((u) => { new Image().src = u; });",
    ),
  },
  {
    name: 'base-address',
    answer: (to) =>
      to
        .map((u) => u)
        .slice(0, 1)
        .map((u) => `<base href="${u}/"><img src="a.png"><script src="b.js"></script>`)
        .join(''),
  },
  {
    name: 'speculation-prefetch',
    isAlone: true,
    answer: (to) =>
      page(
        `<script type="speculationrules">${JSON.stringify({ prefetch: [{ source: 'list', urls: to, eagerness: 'immediate', requires: [] }] })}</script>`,
      ),
    isQuiet: true,
  },
  {
    name: 'speculation-prerender',
    isAlone: true,
    answer: (to) =>
      page(
        `<script type="speculationrules">${JSON.stringify({ prerender: [{ source: 'list', urls: to, eagerness: 'immediate' }] })}</script>`,
      ),
    isQuiet: true,
  },
  {
    name: 'ftp',
    answer: markup((u) => `<iframe src="${u.replace('http:', 'ftp:')}"></iframe>`),
    isQuiet: true,
  },
  {
    name: 'file-share',
    answer: markup(
      (u) =>
        `<img src="file://${new URL(u).hostname}/share/x.png"><img src="smb://${new URL(u).hostname}/x">`,
    ),
    isQuiet: true,
  },
];

/** Addresses that are no web pages, which no page and no action may open. */
export const FORBIDDEN_SCHEMES: readonly string[] = [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'FILE:///etc/hostname',
  'chrome://version',
  'chrome://settings',
  'chrome://crash',
  'chrome://net-export',
  'chrome-untrusted://terminal',
  'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html',
  'devtools://devtools/bundled/inspector.html',
  'view-source:http://site.test/',
  'view-source:file:///etc/passwd',
  'about:version',
  'about:gpu',
  'javascript:alert(1)',
  'data:text/html,<h1>data</h1>',
  'blob:http://site.test/0b6c1b6e-0000-0000-0000-000000000000',
  'filesystem:http://site.test/temporary/x',
  'ftp://site.test/x',
  'ws://site.test/x',
  'mailto:a@site.test',
  'intent://x#Intent;end',
  'feed:file:///etc/passwd',
  'jar:file:///etc/passwd!/',
];
