import type { ServerResponse } from 'node:http';
import type { HostilePage } from './hostile-pages.ts';
import { page } from './site.ts';

/** Writes for as long as somebody reads, `bytes` at most. */
function stream(response: ServerResponse, piece: string, bytes: number): void {
  let left = bytes;
  const write = (): void => {
    while (left > 0) {
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
}

const html = { 'content-type': 'text/html; charset=utf-8' } as const;
const MEGABYTE = 2 ** 20;
const PIECE = `<p>${'Hostile words that go on and on. '.repeat(500)}</p>\n`;

/** What servers answer that no browser can show, or not soon. */
export const HOSTILE_ANSWERS: readonly HostilePage[] = [
  { name: 'headers that never come', answer: () => undefined },
  {
    name: 'body that never comes',
    answer: (_request, response) => void response.writeHead(200, html).flushHeaders(),
  },
  {
    name: 'body that never ends',
    answer: (_request, response) =>
      void response.writeHead(200, html).write('<h1>Hostile</h1><button>Go</button>'),
    click: 'Go',
    shows: /Hostile/,
  },
  {
    name: 'body by the byte',
    answer: (_request, response) => {
      response.writeHead(200, html);
      const text = page('<h1>Hostile</h1>'.repeat(100));
      let at = 0;
      const timer = setInterval(() => response.write(text[at++ % text.length] ?? ''), 50);
      response.once('close', () => clearInterval(timer));
    },
  },
  {
    name: 'stalled script',
    answer: page('<h1>Hostile</h1><script src="/never"></script><button>Go</button>'),
  },
  {
    name: 'stalled stylesheet',
    answer: page('<link rel="stylesheet" href="/never"><h1>Hostile</h1><button>Go</button>'),
  },
  {
    name: 'stalled images',
    answer: page(`<h1>Hostile</h1>${'<img src="/never?">'.repeat(50)}<button>Go</button>`),
    click: 'Go',
    shows: /Hostile/,
  },
  {
    name: 'stalled frames',
    answer: page(
      `<h1>Hostile</h1>${'<iframe src="/never?"></iframe>'.repeat(5)}<button>Go</button>`,
    ),
    click: 'Go',
    shows: /Hostile/,
  },
  {
    name: 'stalled font',
    answer: page(
      '<style>@font-face{font-family:f;src:url(/never)}*{font-family:f}</style><h1>Hostile</h1>',
    ),
  },
  {
    name: '100 megabytes',
    answer: (_request, response) => {
      response.writeHead(200, html);
      stream(response, PIECE, 100 * MEGABYTE);
    },
    isHeavy: true,
  },
  {
    name: '20 megabytes',
    answer: (_request, response) => {
      response.writeHead(200, html);
      stream(response, PIECE, 20 * MEGABYTE);
    },
  },
  {
    name: '100 megabytes of plain text',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      stream(response, 'Hostile '.repeat(1000), 100 * MEGABYTE);
    },
    isHeavy: true,
  },
  {
    name: '100 megabytes of a comment',
    answer: (_request, response) => {
      response.writeHead(200, html).write('<h1>Hostile</h1><!--');
      stream(response, 'x'.repeat(65_536), 100 * MEGABYTE);
    },
  },
  {
    name: 'redirects to itself',
    answer: (request, response) => void response.writeHead(302, { location: request.url }).end(),
  },
  {
    name: 'redirects without end',
    answer: (_request, response) =>
      void response.writeHead(302, { location: `/x?${Math.random()}` }).end(),
  },
  {
    name: 'redirect to nowhere',
    answer: (_request, response) => void response.writeHead(302, { location: 'http://[' }).end(),
  },
  {
    name: 'redirect without a place',
    answer: (_request, response) => void response.writeHead(302).end(),
  },
  {
    name: 'empty answer',
    answer: (_request, response) => void response.writeHead(200, html).end(),
  },
  { name: 'no content', answer: (_request, response) => void response.writeHead(204).end() },
  { name: 'status 205', answer: (_request, response) => void response.writeHead(205).end() },
  {
    name: 'status 999',
    answer: (_request, response) => void response.writeHead(999, html).end('<h1>Hostile</h1>'),
  },
  {
    name: 'error page of a server',
    answer: (_request, response) => void response.writeHead(500, html).end('<h1>Hostile</h1>'),
    shows: /Hostile/,
  },
  {
    name: 'asks for a password',
    answer: (_request, response) =>
      void response
        .writeHead(401, { 'www-authenticate': 'Basic realm="Your proxy password"' })
        .end(),
  },
  {
    name: 'imitates the proxy',
    answer: (_request, response) =>
      void response
        .writeHead(407, { 'proxy-authenticate': 'Basic realm="Your proxy password"' })
        .end(),
  },
  {
    name: 'broken off',
    answer: (_request, response) => {
      response
        .writeHead(200, { ...html, 'content-length': '100000' })
        .write('<h1>Hostile</h1>', () => response.destroy());
    },
  },
  { name: 'closed at once', answer: (_request, response) => void response.destroy() },
  {
    name: 'no HTTP',
    answer: (_request, response) => {
      response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n');
    },
  },
  {
    name: 'header of a megabyte',
    answer: (_request, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(MEGABYTE)}\r\n\r\n<h1>Hostile</h1>`);
    },
  },
  {
    name: '10,000 headers',
    answer: (_request, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}\r\n<h1>Hostile</h1>`);
    },
  },
  {
    name: 'false gzip',
    answer: (_request, response) =>
      void response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end('<h1>Hostile</h1>'),
  },
  {
    name: 'download of a page',
    answer: (_request, response) =>
      void response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="../../etc/x.txt"',
        })
        .end('hostile'),
  },
  {
    name: 'download with a hostile name',
    answer: (_request, response) =>
      void response
        .writeHead(200, {
          'content-type': 'application/x-x',
          'content-disposition': `attachment; filename="${'a'.repeat(500)}\\\\..\\\\CON.exe.txt"`,
        })
        .end('hostile'),
  },
  {
    name: 'download that never ends',
    answer: (_request, response) =>
      void response
        .writeHead(200, {
          'content-type': 'application/x-x',
          'content-disposition': 'attachment; filename="slow"',
        })
        .write('a little'),
  },
  {
    name: 'download without end',
    answer: (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/x-x',
        'content-disposition': 'attachment; filename="huge"',
      });
      stream(response, 'x'.repeat(65_536), 4_096 * MEGABYTE);
    },
    isHeavy: true,
  },
  {
    name: 'downloads of a page by the hundred',
    answer: page(
      `<h1>Hostile</h1>${Array.from({ length: 100 }, (_, at) => `<iframe src="/download?${at}"></iframe>`).join('')}`,
    ),
  },
  {
    name: 'wrong type',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'x/y; charset=nonsense' })
        .end('<h1>Hostile</h1>'),
  },
  {
    name: 'picture that is none',
    answer: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end('no picture'),
  },
  {
    name: 'PDF that is none',
    answer: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 no'),
  },
  {
    name: 'video that never ends',
    answer: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'video/mp4' }).write('x'),
  },
  {
    name: 'parts that replace each other',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=b' });
      const timer = setInterval(
        () =>
          response.write(
            `--b\r\ncontent-type: text/html\r\n\r\n<h1>Hostile ${Math.random()}</h1>\r\n`,
          ),
        20,
      );
      response.once('close', () => clearInterval(timer));
    },
  },
  {
    name: 'policy that forbids everything',
    answer: (_request, response) =>
      void response
        .writeHead(200, {
          ...html,
          'content-security-policy':
            "default-src 'none'; sandbox; require-trusted-types-for 'script'; trusted-types 'none'",
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-embedder-policy': 'require-corp',
          'permissions-policy': 'unload=()',
        })
        .end(page('<h1>Hostile</h1><button>Go</button>')),
    click: 'Go',
    shows: /Hostile/,
  },
  {
    name: 'clears what it stored',
    answer: (_request, response) =>
      void response.writeHead(200, { ...html, 'clear-site-data': '"*"' }).end('<h1>Hostile</h1>'),
  },
];
