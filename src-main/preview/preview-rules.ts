import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Where the preview is served, and the server behind it. */
export interface PreviewPlace {
  /** `NAME.localhost:PORT`: the only `Host` that is answered. */
  readonly host: string;
  /** `localhost:PORT` of the server in the sandbox: development servers refuse names that they do not know. */
  readonly upstream: string;
  /** Sources of `frame-ancestors`: the window. */
  readonly framedBy: readonly string[];
}

/** Headers about one connection, which are not passed on. */
const HOP_BY_HOP: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/** Headers that browsers do not know, but for those of the preview itself. */
const OWN = /^x-(?!frame-options|dns-prefetch-control|content-type-options)/;

/**
 * What of the server's answer is passed on, beside headers of its own (`x-…`). Everything else may make a browser ask
 * others by itself: reports, hints, speculation, alternative services.
 */
const PASSED_BACK: ReadonlySet<string> = new Set([
  ...['accept-ranges', 'age', 'allow', 'cache-control', 'content-disposition', 'content-encoding'],
  ...['content-language', 'content-length', 'content-range', 'content-type', 'date', 'etag'],
  ...['expires', 'last-modified', 'location', 'pragma', 'retry-after', 'set-cookie', 'vary'],
  ...['access-control-allow-credentials', 'access-control-allow-headers'],
  ...['access-control-allow-methods', 'access-control-allow-origin'],
  ...['access-control-expose-headers', 'access-control-max-age'],
]);

/** Why a request is not answered; null if it is. Service workers would outlive the preview. */
export function refusalOf(
  headers: IncomingHttpHeaders,
  { host }: PreviewPlace,
): { readonly status: 403 | 421; readonly reason: string } | null {
  if (headers.host !== host)
    return { status: 421, reason: 'This is not the address of a preview.' };
  if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker') {
    return { status: 403, reason: 'Previews have no service workers.' };
  }
  const site = headers['sec-fetch-site'];
  const isFromElsewhere = site === 'cross-site' || site === 'same-site';
  if (isFromElsewhere && headers['sec-fetch-mode'] !== 'navigate') {
    return { status: 403, reason: 'Only the preview itself loads its parts.' };
  }
  return null;
}

/** What the server in the sandbox is sent: it sees its own address, and asks for no compressed documents. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  { host, upstream }: PreviewPlace,
): OutgoingHttpHeaders {
  const passed = withoutConnection(headers);
  const own = `http://${host}`;
  const { origin, referer } = headers;
  return {
    ...passed,
    host: upstream,
    ...(origin === own ? { origin: `http://${upstream}` } : {}),
    ...(referer?.startsWith(`${own}/`) === true
      ? { referer: `http://${upstream}${referer.slice(own.length)}` }
      : {}),
    ...(isDocument(headers) ? { 'accept-encoding': 'identity' } : {}),
  };
}

/** Whether a document is asked for, and no part of one. */
export function isDocument(headers: IncomingHttpHeaders): boolean {
  const dest = headers['sec-fetch-dest'];
  if (dest !== undefined) return dest === 'document' || dest === 'iframe' || dest === 'frame';
  return headers.accept?.includes('text/html') === true;
}

/** What the window is answered: the server's headers under the policy of every preview. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  place: PreviewPlace,
): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && (PASSED_BACK.has(name) || OWN.test(name))) passed[name] = value;
  }
  if (headers.location !== undefined) passed.location = ownAddress(headers.location, place);
  if (headers['set-cookie'] !== undefined) {
    passed['set-cookie'] = headers['set-cookie'].map((one) =>
      one.replace(/;\s*domain=[^;]*/gi, ''),
    );
  }
  return { ...passed, ...PREVIEW_HEADERS, 'content-security-policy': previewPolicy(place) };
}

/** Sent with every answer, those of the preview itself included. */
export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), display-capture=(), payment=(), publickey-credentials-get=()',
};

/**
 * The page reaches its own origin, and nothing else: no other host, no frame of another page, no pop-up. It may run any
 * script of its own, for development servers evaluate code.
 */
export function previewPolicy({ host, framedBy }: PreviewPlace): string {
  return [
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
    `connect-src 'self' ws://${host} data: blob:`,
    "frame-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...framedBy].join(' ')}`,
    `sandbox ${FRAME_PERMISSIONS}`,
  ].join('; ');
}

/** What the page may do beyond showing itself; the window's frame has the same. */
const FRAME_PERMISSIONS =
  'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads';

function withoutConnection(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set([
    ...HOP_BY_HOP,
    ...(headers.connection ?? '').toLowerCase().split(/\s*,\s*/),
  ]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !named.has(name)));
}

/** A redirect of the server to its own address leads to the preview. */
function ownAddress(location: string, { host, upstream }: PreviewPlace): string {
  const target = URL.parse(location, `http://${upstream}/`);
  const isOwn =
    target !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(target.hostname)
      ? target.port === new URL(`http://${upstream}`).port
      : false;
  if (target === null || !isOwn || target.protocol !== 'http:') return location;
  return `http://${host}${target.pathname}${target.search}${target.hash}`;
}
