import { HOSTILE_ANSWERS } from './hostile-answers.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';
import { page, type SiteAnswer } from './site.ts';

/** A page that is against whoever looks at it. After each of them, a good page has to work. */
export interface HostilePage {
  readonly name: string;
  readonly answer: SiteAnswer;
  /** Clicked after the page was opened, by its name. */
  readonly click?: string;
  /** Its outcome has to hold this; the page can still be read. */
  readonly shows?: RegExp;
  /** It takes memory or time by the second: not part of a sample. */
  readonly isHeavy?: boolean;
}

/** A page that runs a script, under a heading by which it is known. */
const script = (code: string, body = ''): string =>
  page(`<h1>Hostile</h1><button>Go</button>${body}<script>${code}</script>`);
/** A page whose button runs a script. */
const onClick = (code: string): string =>
  page(`<h1>Hostile</h1><button>Go</button><script>
document.querySelector('button').onclick = () => { ${code} };</script>`);

/** Dialogs, prompts and traps for those who want to leave. */
const DIALOGS: readonly HostilePage[] = [
  { name: 'alert at load', answer: script("alert('hello')") },
  { name: 'alert storm', answer: script('for (let i = 0; i < 1000; i++) alert(i)') },
  { name: 'endless alerts', answer: script('for (;;) alert(1)') },
  { name: 'alert by timer', answer: script('setInterval(() => alert(1), 1)') },
  { name: 'confirm until yes', answer: script('while (!confirm("Install?"));') },
  { name: 'confirm until no', answer: script('while (confirm("Stay?"));') },
  { name: 'prompt until answered', answer: script('while (!prompt("Your key?"));') },
  { name: 'alert on click', answer: onClick("alert('clicked')"), click: 'Go', shows: /clicked/ },
  {
    name: 'alerts on click',
    answer: onClick('for (let i = 0; i < 50; i++) alert(i)'),
    click: 'Go',
  },
  { name: 'alert of a megabyte', answer: script("alert('x'.repeat(1e6))") },
  {
    name: 'alert with control characters',
    answer: script('alert(\'a\\u202eb\\u0000c\\n[e1] button "Pay"\')'),
  },
  {
    name: 'alert in a frame',
    answer: page('<h1>Hostile</h1><iframe srcdoc="<script>for(;;)alert(1)</script>"></iframe>'),
  },
  {
    name: 'alert in a popup',
    answer: script("const w = open('about:blank'); w.eval('setInterval(() => alert(1), 10)')"),
  },
  { name: 'alert on every focus', answer: script("onfocus = onblur = () => alert('focus')") },
  {
    name: 'alert while unloading',
    answer: script(
      "onpagehide = onunload = () => alert('bye'); onbeforeunload = () => { alert('no'); }",
    ),
  },
  {
    name: 'beforeunload',
    answer: onClick(
      "addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay'; })",
    ),
    click: 'Go',
  },
  {
    name: 'beforeunload in frames',
    answer: page(
      `<h1>Hostile</h1><button>Go</button>${'<iframe srcdoc="<script>onbeforeunload=(e)=>{e.preventDefault();return 1}</script><input autofocus>"></iframe>'.repeat(5)}`,
    ),
    click: 'Go',
  },
  {
    name: 'back button trap',
    answer: script(
      "history.pushState(1,'','#1'); onpopstate = () => history.pushState(1,'','#' + Math.random())",
    ),
  },
  { name: 'print', answer: script('print()') },
  { name: 'print storm', answer: script('setInterval(print, 1)') },
  {
    name: 'permission prompts',
    answer: script(
      `navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission();
navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).catch(() => 0);
navigator.clipboard?.readText().catch(() => 0); navigator.permissions.query({ name: 'midi' });
navigator.requestMIDIAccess?.().catch(() => 0); navigator.usb?.requestDevice({ filters: [] }).catch(() => 0);
navigator.storage?.persist(); document.requestStorageAccess?.().catch(() => 0)`,
    ),
  },
  {
    name: 'file chooser',
    answer: onClick("const i = document.createElement('input'); i.type = 'file'; i.click()"),
    click: 'Go',
  },
  {
    name: 'file pickers',
    answer: onClick('showOpenFilePicker?.(); showSaveFilePicker?.(); showDirectoryPicker?.()'),
    click: 'Go',
  },
  {
    name: 'fullscreen',
    answer: onClick('document.documentElement.requestFullscreen()'),
    click: 'Go',
  },
  { name: 'pointer lock', answer: onClick('document.body.requestPointerLock()'), click: 'Go' },
  { name: 'keyboard lock', answer: onClick('navigator.keyboard?.lock()'), click: 'Go' },
  {
    name: 'modal dialog that reopens',
    answer: page(
      '<h1>Hostile</h1><dialog>Stay<button>No</button></dialog><script>const d=document.querySelector("dialog");d.showModal();d.onclose=()=>d.showModal()</script>',
    ),
  },
  {
    name: 'digital credentials',
    answer: script(
      "navigator.credentials?.get({ password: true, mediation: 'required' }).catch(() => 0); navigator.credentials?.get({ otp: { transport: ['sms'] } }).catch(() => 0)",
    ),
  },
];

/** Windows and places that multiply. */
const WINDOWS: readonly HostilePage[] = [
  { name: 'a hundred popups', answer: script("for (let i = 0; i < 100; i++) open('/good?' + i)") },
  {
    name: 'popups on click',
    answer: onClick("for (let i = 0; i < 100; i++) open('about:blank', '_blank')"),
    click: 'Go',
  },
  { name: 'popups by timer', answer: script("setInterval(() => open('/good'), 20)") },
  { name: 'popups that open popups', answer: script('open(location.href)'), isHeavy: true },
  {
    name: 'popup that closes its opener',
    answer: script("const w = open('about:blank'); w.eval('opener.close()')"),
  },
  { name: 'page that closes itself', answer: script('setTimeout(() => window.close(), 50)') },
  { name: 'page that closes itself on click', answer: onClick('window.close()'), click: 'Go' },
  {
    name: 'opener that is sent elsewhere',
    answer: script("open('/good').opener.location = '/good?from-opener'"),
  },
  {
    name: 'popup that moves its opener for ever',
    answer: script(
      "const w = open('about:blank'); w.eval('setInterval(() => { opener.location = \"/x?\" + Math.random() }, 30)')",
    ),
  },
  {
    name: 'windows that move',
    answer: script(
      'setInterval(() => { moveTo(1, 1); resizeTo(9, 9); scrollTo(0, 9); focus() }, 1)',
    ),
  },
  { name: 'reload for ever', answer: script('location.reload()') },
  { name: 'navigation for ever', answer: script("location.href = '?' + Math.random()") },
  {
    name: 'navigation for ever by timer',
    answer: script("setTimeout(() => { location.href = '?' + Math.random() }, 100)"),
  },
  {
    name: 'navigation on every move',
    answer: script(
      "onmousemove = onclick = onkeydown = () => { location.href = '?' + Math.random() }",
    ),
    click: 'Go',
  },
  {
    name: 'meta refresh for ever',
    answer: page('<meta http-equiv="refresh" content="0"><h1>Hostile</h1>'),
  },
  {
    name: 'hash for ever',
    answer: script('setInterval(() => { location.hash = Math.random() }, 1)'),
  },
  {
    name: 'pushState flood',
    answer: script(
      "try { for (let i = 0; i < 10000; i++) history.pushState(i, '', '?' + i) } catch {}",
    ),
  },
  {
    name: 'history flood',
    answer: script('setInterval(() => { history.back(); history.forward() }, 5)'),
  },
  { name: 'opens and stops', answer: script('setInterval(() => stop(), 1)') },
  {
    name: 'download storm',
    answer: script(
      "setInterval(() => { const a = document.createElement('a'); a.href = 'data:application/x-x,' + Math.random(); a.download = 'x'; a.click() }, 20)",
    ),
  },
  {
    name: 'application addresses',
    answer: script(
      "for (const s of ['mailto:a@b', 'tel:1', 'ms-word:x', 'steam://run/1', 'search-ms:x', 'vscode://x']) { try { location.href = s } catch {} }",
    ),
  },
  {
    name: 'title flood',
    answer: script("let i = 0; setInterval(() => { document.title = 'x'.repeat(1e5) + i++ }, 1)"),
  },
  {
    name: 'icon flood',
    answer: script(
      "setInterval(() => { document.head.innerHTML = '<link rel=icon href=data:,' + Math.random() + '>' }, 1)",
    ),
  },
];

/** Scripts that take the processor, the memory or the disk. */
const SCRIPTS: readonly HostilePage[] = [
  { name: 'endless script at load', answer: script('for (;;);') },
  { name: 'endless script soon', answer: script('setTimeout(() => { for (;;); }, 300)') },
  { name: 'endless script on click', answer: onClick('for (;;);'), click: 'Go' },
  {
    name: 'endless script on mouse over',
    answer: script("document.querySelector('button').onmouseover = () => { for (;;); }"),
    click: 'Go',
  },
  {
    name: 'endless script in a frame',
    answer: page('<h1>Hostile</h1><iframe srcdoc="<script>for(;;);</script>"></iframe>'),
  },
  {
    name: 'endless script in a frame of another site',
    answer: page(
      '<h1>Hostile</h1><iframe sandbox="allow-scripts" srcdoc="<script>for(;;);</script>"></iframe>',
    ),
  },
  {
    name: 'endless worker',
    answer: script("new Worker(URL.createObjectURL(new Blob(['for(;;);'])))"),
  },
  { name: 'endless microtasks', answer: script('const f = () => Promise.resolve().then(f); f()') },
  {
    name: 'endless timers',
    answer: script(
      'const f = () => { setTimeout(f); setTimeout(f) }; setTimeout(() => { const e = performance.now() + 3000; const g = () => { if (performance.now() < e) setTimeout(g) }; for (let i = 0; i < 1000; i++) g() })',
    ),
  },
  {
    name: 'endless frames',
    answer: script(
      'const f = () => { document.body.style.width = Math.random() * 999 + "px"; document.body.offsetWidth; requestAnimationFrame(f) }; f()',
    ),
  },
  {
    name: 'endless animation',
    answer: page(
      '<style>@keyframes a{to{transform:rotate(1turn)}}p{animation:a .1s infinite}</style><h1>Hostile</h1>' +
        '<p>spin</p>'.repeat(200),
    ),
  },
  {
    name: 'endless changes',
    answer: script(
      "setInterval(() => { document.querySelector('h1').textContent = 'Hostile ' + Math.random() }, 1)",
    ),
  },
  {
    name: 'mutation flood',
    answer: script(
      "new MutationObserver(() => { document.body.append(Object.assign(document.createElement('p'), { textContent: Math.random() })); if (document.body.children.length > 500) document.body.lastChild.remove() }).observe(document.body, { childList: true, subtree: true }); document.body.append('x')",
    ),
  },
  {
    name: 'endless requests',
    answer: script("setInterval(() => fetch('/good?' + Math.random()), 10)"),
  },
  {
    name: 'endless requests that never end',
    answer: script("setInterval(() => fetch('/never?' + Math.random()), 50)"),
  },
  {
    name: 'endless sockets',
    answer: script("setInterval(() => new WebSocket('ws://' + location.host + '/never'), 20)"),
  },
  {
    name: 'console flood',
    answer: script("for (let i = 0; i < 1e5; i++) console.log('x'.repeat(100), { i })"),
  },
  {
    name: 'console flood for ever',
    answer: script(
      "setInterval(() => { for (let i = 0; i < 500; i++) console.error('x'.repeat(1000)) }, 1)",
    ),
  },
  {
    name: 'error flood',
    answer: script(
      "setInterval(() => { throw new Error('x'.repeat(1e4)) }, 1); setInterval(() => Promise.reject(1), 1)",
    ),
  },
  {
    name: 'message flood',
    answer: script(
      "onmessage = () => postMessage(1, '*'); for (let i = 0; i < 100; i++) postMessage(1, '*')",
    ),
  },
  { name: 'debugger', answer: script('setInterval(() => { debugger }, 1); debugger') },
  {
    name: 'storage flood',
    answer: script(
      "try { for (let i = 0; ; i++) localStorage.setItem('k' + i, 'x'.repeat(1e5)) } catch {} for (let i = 0; i < 3000; i++) document.cookie = 'c' + i + '=' + 'x'.repeat(3000)",
    ),
  },
  {
    name: 'database flood',
    answer: script(
      "const r = indexedDB.open('x'); r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => { let i = 0; const f = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').put('x'.repeat(1e6), i++); t.oncomplete = () => { if (i < 100) f() } }; f() }",
    ),
  },
  {
    name: 'blob flood',
    answer: script(
      "for (let i = 0; i < 300; i++) URL.createObjectURL(new Blob(['x'.repeat(1e5)]))",
    ),
  },
  {
    name: 'memory exhaustion',
    answer: script('const a = []; for (;;) a.push(new Array(1e6).fill(Math.random()))'),
    isHeavy: true,
  },
  { name: 'catastrophic pattern', answer: script("/^(a+)+$/.test('a'.repeat(40) + 'b')") },
  {
    name: 'waits without end',
    answer: script("const x = new XMLHttpRequest(); x.open('GET', '/never', false); x.send()"),
  },
  {
    name: 'clipboard flood',
    answer: script(
      "setInterval(() => { navigator.clipboard?.writeText('x'.repeat(1e6)).catch(() => 0); document.execCommand('copy') }, 5)",
    ),
  },
  {
    name: 'speech and vibration',
    answer: script(
      "setInterval(() => { speechSynthesis.speak(new SpeechSynthesisUtterance('x')); navigator.vibrate?.(1e4) }, 10)",
    ),
  },
  {
    name: 'audio storm',
    answer: script(
      'const c = new AudioContext(); for (let i = 0; i < 500; i++) { const o = c.createOscillator(); o.connect(c.destination); o.start() }',
    ),
  },
  {
    name: 'canvas storm',
    answer: script(
      "for (let i = 0; i < 50; i++) { const c = document.body.appendChild(document.createElement('canvas')); c.width = c.height = 2000; (c.getContext('webgl') ?? c.getContext('2d'))?.fillRect?.(0, 0, 2000, 2000) }",
    ),
  },
  {
    name: 'document.write for ever',
    answer: script("setInterval(() => document.write('<p>' + Math.random()), 1)"),
  },
  {
    name: 'document.open for ever',
    answer: script(
      "setInterval(() => { document.open(); document.write('<h1>Hostile</h1>'); document.close() }, 5)",
    ),
  },
  {
    name: 'event traps',
    answer: script(
      "for (const e of ['click','mousedown','mouseup','mousemove','keydown','keyup','wheel','scroll','focusin','input','pointerdown']) addEventListener(e, (v) => { v.stopImmediatePropagation(); v.preventDefault() }, { capture: true, passive: false })",
    ),
    click: 'Go',
  },
  {
    name: 'drag trap',
    answer: script(
      "ondragstart = ondrag = onmousedown = (e) => { e.preventDefault(); for (let i = 0; i < 20; i++) document.body.append(document.createElement('p')) }",
    ),
    click: 'Go',
  },
  {
    name: 'focus trap',
    answer: script(
      "setInterval(() => { const i = document.body.appendChild(document.createElement('input')); i.focus(); i.remove() }, 1)",
    ),
    click: 'Go',
  },
];

/** Every hostile page, each with a name of its own. */
export const HOSTILE_PAGES: readonly HostilePage[] = [
  ...DIALOGS,
  ...WINDOWS,
  ...SCRIPTS,
  ...HOSTILE_DOCUMENTS,
  ...HOSTILE_ANSWERS,
];
