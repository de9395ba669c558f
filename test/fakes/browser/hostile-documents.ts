import type { HostilePage } from './hostile-pages.ts';
import { page } from './site.ts';

const built = (code: string): string =>
  page(`<h1>Hostile</h1><main></main><script>
const main = document.querySelector('main'); ${code}</script>`);

/** Documents of a size, depth or wording that nobody expects. */
export const HOSTILE_DOCUMENTS: readonly HostilePage[] = [
  {
    name: '200,000 elements',
    answer: built('main.innerHTML = \'<p><a href="/x">link</a></p>\'.repeat(100000)'),
    shows: /Hostile/,
  },
  {
    name: '100,000 buttons',
    answer: built("main.innerHTML = '<button>press</button>'.repeat(100000)"),
    shows: /Hostile/,
  },
  {
    name: 'depth of 10,000',
    answer: built(
      "let at = main; for (let i = 0; i < 10000; i++) at = at.appendChild(document.createElement('div')); at.innerHTML = '<button>Deep</button>'",
    ),
  },
  {
    name: 'depth of 10,000 in markup',
    answer: page(`<h1>Hostile</h1>${'<div><b><i>'.repeat(3333)}x`),
  },
  { name: 'depth of spans', answer: page(`<h1>Hostile</h1>${'<span>'.repeat(20_000)}deep`) },
  {
    name: '500 nested shadow roots',
    answer: built(
      "let at = main; for (let i = 0; i < 500; i++) { const d = document.createElement('div'); at.append(d); at = d.attachShadow({ mode: 'open' }); } at.innerHTML = '<button>In the shadow</button>'",
    ),
  },
  {
    name: '2,000 frames',
    answer: built('main.innerHTML = \'<iframe srcdoc="<a href=/x>in</a>"></iframe>\'.repeat(500)'),
  },
  {
    name: '5,000 frames',
    answer: built("main.innerHTML = '<iframe></iframe>'.repeat(5000)"),
    isHeavy: true,
  },
  {
    name: 'frames of itself',
    answer: page('<h1>Hostile</h1><iframe src="/x?1"></iframe><iframe src="/x?2"></iframe>'),
  },
  {
    name: 'frames in frames',
    answer: (request, response) => {
      const depth = Number(new URL(request.url ?? '', 'http://x').searchParams.get('d') ?? 0);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(page(`<h1>Hostile ${depth}</h1><iframe src="?d=${depth + 1}"></iframe>`));
    },
  },
  {
    name: 'frames that reload',
    answer: page(
      '<h1>Hostile</h1>' +
        '<iframe srcdoc="<a href=/x>x</a><script>setTimeout(()=>location.reload(),20)</script>"></iframe>'.repeat(
          20,
        ),
    ),
  },
  {
    name: 'frames that come and go',
    answer: built(
      'setInterval(() => { main.innerHTML = \'<iframe srcdoc="<button>b</button>"></iframe>\'.repeat(5) }, 10)',
    ),
  },
  {
    name: 'name of a megabyte',
    answer: built(
      "main.innerHTML = '<button></button><a href=\"/x\"></a><input>'; for (const e of main.children) e.setAttribute('aria-label', 'name '.repeat(200000))",
    ),
    shows: /Hostile/,
  },
  {
    name: 'text of ten megabytes',
    answer: built("main.textContent = 'lorem ipsum '.repeat(1e6)"),
    shows: /Hostile/,
  },
  {
    name: 'one word of a megabyte',
    answer: built("main.innerHTML = '<p>' + 'x'.repeat(1e6)"),
    shows: /Hostile/,
  },
  {
    name: 'Chinese text of a megabyte',
    answer: built("main.innerHTML = '<button>' + '汉字'.repeat(5e5)"),
    shows: /Hostile/,
  },
  {
    name: 'emoji and combining marks',
    answer: built(
      "main.innerHTML = '<button>' + '👨‍👩‍👧‍👦'.repeat(2e4) + 'a' + '\\u0301'.repeat(1e5)",
    ),
    shows: /Hostile/,
    isHeavy: true,
  },
  {
    name: 'lone surrogates',
    answer: built(
      "main.innerHTML = '<button>a\\ud800b\\udfffc</button><a href=\"/\\ud800\">x\\udc00</a>'; document.title = '\\ud83d'",
    ),
    shows: /Hostile/,
  },
  {
    name: 'address of a megabyte',
    answer: built("main.innerHTML = '<a href=\"/x?' + 'a'.repeat(1e6) + '\">long</a>'"),
    shows: /Hostile/,
  },
  {
    name: 'field with a megabyte',
    answer: built(
      "main.innerHTML = '<input aria-label=f><textarea aria-label=t></textarea>'; for (const e of main.children) e.value = 'v'.repeat(1e6)",
    ),
    shows: /Hostile/,
  },
  {
    name: '50,000 options',
    answer: built(
      "main.innerHTML = '<select aria-label=s>' + '<option>option</option>'.repeat(50000) + '</select>'",
    ),
    shows: /Hostile/,
  },
  {
    name: 'table of 100,000 cells',
    answer: built(
      "main.innerHTML = '<table>' + ('<tr>' + '<td>1</td>'.repeat(100)).repeat(1000) + '</table>'",
    ),
    shows: /Hostile/,
  },
  {
    name: '100,000 text nodes',
    answer: built("for (let i = 0; i < 1e5; i++) main.append(document.createTextNode('t' + i))"),
    shows: /Hostile/,
  },
  {
    name: 'attributes of an element',
    answer: built("for (let i = 0; i < 50000; i++) main.setAttribute('data-a' + i, 'x')"),
    shows: /Hostile/,
  },
  {
    name: 'labels in a ring',
    answer: built(
      'main.innerHTML = \'<button id=a aria-labelledby=b aria-owns=b>A</button><button id=b aria-labelledby=a aria-owns=a>B</button><div id=c aria-owns="c d"><div id=d aria-owns=c>x</div></div>\'',
    ),
    shows: /Hostile/,
  },
  {
    name: '20,000 labels of one field',
    answer: built(
      "let ids = ''; let h = ''; for (let i = 0; i < 20000; i++) { h += '<i id=l' + i + '>label </i>'; ids += ' l' + i } main.innerHTML = h + '<input>'; main.querySelector('input').setAttribute('aria-labelledby', ids)",
    ),
    shows: /Hostile/,
  },
  {
    name: 'labels of labels',
    answer: built(
      "let h = ''; for (let i = 0; i < 2000; i++) h += '<button id=b' + i + ' aria-labelledby=\"b0 b1 b2 b' + (i + 1) + '\">x' + i + '</button>'; main.innerHTML = h",
    ),
    shows: /Hostile/,
  },
  {
    name: 'page a million pixels high',
    answer: built(
      'main.innerHTML = \'<div style="height:30000000px">high</div><button>Below</button>\'',
    ),
    shows: /Hostile/,
  },
  {
    name: 'page a million pixels wide',
    answer: built('main.innerHTML = \'<div style="width:30000000px">wide</div>\''),
    shows: /Hostile/,
  },
  {
    name: 'scaled page',
    answer: built(
      "document.documentElement.style = 'transform:scale(0.001) rotate(45deg);zoom:1e-3'; main.innerHTML = '<button>x</button>'",
    ),
  },
  { name: 'no body', answer: '<html><script>document.documentElement.remove()</script>' },
  { name: 'no document element', answer: '<script>document.replaceChildren()</script>' },
  {
    name: 'frameset',
    answer: '<frameset cols="*,*"><frame src="/good"><frame src="/x"></frameset>',
  },
  {
    name: 'svg document',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg"><a href="/x"><text y="20">Hostile</text></a><script>for(let i=0;i&lt;1e4;i++)document.documentElement.append(document.createElementNS("http://www.w3.org/2000/svg","g"))</script></svg>',
        ),
  },
  {
    name: 'xml that is broken',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/xhtml+xml' })
        .end('<html xmlns="http://www.w3.org/1999/xhtml"><p>Hostile'),
  },
  {
    name: 'entities that grow',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(100)}">${['b', 'c', 'd', 'e', 'f'].map((e, at) => `<!ENTITY ${e} "${`&${'abcdef'[at]};`.repeat(20)}">`).join('')}]><a>&f;</a>`,
        ),
  },
  {
    name: 'JSON of ten megabytes',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`[${'{"name":"Hostile"},'.repeat(500_000)}0]`);
    },
  },
  {
    name: 'text in another encoding',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-16' })
        .end(Buffer.from(page('<h1>Hostile</h1><button>Go</button>'), 'utf16le')),
  },
  {
    name: 'zero bytes',
    answer: page(`<h1>Hostile</h1><p>${'\0'.repeat(1000)}</p><button aria-label="a\0b">x</button>`),
    shows: /Hostile/,
  },
];
