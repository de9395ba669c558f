import type { ServerResponse } from 'node:http';
import { page } from './site.ts';
import { inHeader, type WayOut } from './way-out.ts';

/** One address that is not ASCII would make the whole header invalid. */
const isPlain = (u: string): boolean => /^[\x20-\x7e]*$/.test(u);

/** A page with headers for each address. */
const headers =
  (of: (to: readonly string[]) => Record<string, string | string[]>, body = '<p>headers</p>') =>
  (to: readonly string[]) =>
  (_request: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/html', ...of(to.filter(isPlain)) });
    response.end(page(body));
  };

const groups = (to: readonly string[]): string =>
  to.map((u, at) => `g${at}="${u.replace('http:', 'https:')}"`).join(', ');

/** What the headers of an answer make a browser do. */
export const WAYS_BY_HEADERS: readonly WayOut[] = [
  {
    name: 'csp-report',
    answer: headers(
      (to) => ({ 'content-security-policy': `img-src 'none'; report-uri ${to.join(' ')}` }),
      '<img src="/forbidden.png">',
    ),
  },
  {
    name: 'csp-report-only',
    answer: headers(
      (to) => ({
        'content-security-policy-report-only': `img-src 'none'; report-uri ${to.join(' ')}`,
      }),
      '<img src="/forbidden.png">',
    ),
  },
  {
    name: 'reporting-api',
    isSecure: true,
    answer: headers(
      (to) => ({
        'reporting-endpoints': groups(to),
        'content-security-policy': to.map((_, at) => `img-src 'none'; report-to g${at}`),
      }),
      '<img src="/forbidden.png">',
    ),
    isQuiet: true,
  },
  {
    name: 'network-error-logging',
    isSecure: true,
    answer: headers(
      (to) => ({
        'report-to': to.map((u) =>
          JSON.stringify({
            ...{ group: 'nel', max_age: 1000 },
            endpoints: [{ url: u.replace('http:', 'https:') }],
          }),
        ),
        nel: '{"report_to":"nel","max_age":1000,"success_fraction":1.0}',
      }),
      '<img src="/gone.png">',
    ),
    isQuiet: true,
  },
  {
    name: 'link-preload',
    answer: headers((to) => ({
      link: to.flatMap((u) => [`<${u}>; rel=preload; as=image`, `<${u}?c>; rel=preload; as=style`]),
    })),
  },
  {
    name: 'link-preconnect',
    isQuiet: true,
    answer: headers((to) => ({ link: to.map((u) => `<${u}>; rel=preconnect`) })),
  },
  {
    name: 'link-dns-prefetch',
    isQuiet: true,
    answer: headers((to) => ({ link: to.map((u) => `<${u}>; rel=dns-prefetch`) })),
  },
  {
    name: 'link-stylesheet',
    answer: headers((to) => ({ link: to.map((u) => `<${u}>; rel=stylesheet`) })),
    isQuiet: true,
  },
  {
    name: 'early-hints',
    isSecure: true,
    isAlone: true,
    answer: (to) => (_request, response) => {
      response.writeEarlyHints({
        link: to
          .map(inHeader)
          .flatMap((u) => [
            `<${u.replace('http:', 'https:')}>; rel=preconnect`,
            `<${u.replace('http:', 'https:')}>; rel=preload; as=script`,
          ]),
      });
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page('<p>hints</p>'));
      }, 300);
    },
  },
  {
    name: 'alt-svc',
    isSecure: true,
    answer: headers(
      (to) => ({
        'alt-svc': to
          .map((u) => u.split('/')[2])
          .flatMap((host) => [`h2="${host}"; ma=1000`, `h3="${host}"; ma=1000`])
          .join(', '),
      }),
      '<img src="/a.png"><script>for (let i = 0; i < 5; i++) fetch("/x" + i).catch(() => 0)</script>',
    ),
    isQuiet: true,
  },
  {
    name: 'link-manifest',
    isAlone: true,
    answer: (to) => page(to.map((u) => `<link rel="manifest" href="${u}">`).join('')),
    isQuiet: true,
  },
  {
    name: 'favicon',
    isAlone: true,
    answer: (to) =>
      page(
        to
          .map((u) => `<link rel="icon" href="${u}"><link rel="apple-touch-icon" href="${u}">`)
          .join(''),
      ),
    isQuiet: true,
  },
  ...[301, 302, 303, 307, 308].map(
    (status): WayOut => ({
      name: `image-redirect-${status}`,
      answer: (to) => (request, response) => {
        const at = new URLSearchParams((request.url ?? '').split('?')[1]).get('at');
        if (at !== null) {
          response.writeHead(status, {
            location: inHeader(to[Number(at)] ?? '/'),
            'cache-control': 'no-store',
          });
          response.end();
          return;
        }
        const self = (request.url ?? '').split('?')[0];
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(page(to.map((_, index) => `<img src="${self}?at=${index}">`).join('')));
      },
    }),
  ),
];
