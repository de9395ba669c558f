import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { mimeTypeOf } from '../base/mime-types.ts';

export interface RendererFile {
  readonly data: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The files of the built window. Serves only files that existed at startup, by exact path, so that no
 * crafted path can reach another file.
 */
export class RendererFiles {
  readonly #files: ReadonlyMap<string, string>;
  readonly #policy: string;

  private constructor(files: ReadonlyMap<string, string>, policy: string) {
    this.#files = files;
    this.#policy = policy;
  }

  /** `connectSources` lists what the window may connect to besides its own origin. */
  static async open(dir: string, connectSources: readonly string[]): Promise<RendererFiles> {
    const files = new Map<string, string>();
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      files.set(`/${relative(dir, file).split(sep).join('/')}`, file);
    }
    return new RendererFiles(files, contentSecurityPolicy(connectSources));
  }

  /** The file at this path of a URL (`/` is the window itself); null when there is none. */
  async read(path: string): Promise<RendererFile | null> {
    const name = path === '/' ? '/index.html' : path;
    const file = this.#files.get(name);
    if (file === undefined) return null;
    const data = await readFile(file);
    return { data, headers: this.#headers(name, data) };
  }

  #headers(name: string, data: Buffer): Record<string, string> {
    const type = mimeTypeOf(name) ?? 'application/octet-stream';
    const isText = type.startsWith('text/') || type === 'application/json';
    // Asset names contain a hash of their content.
    const isHashed = name.startsWith('/assets/');
    return {
      'Content-Type': isText ? `${type}; charset=utf-8` : type,
      'Cache-Control': isHashed ? 'private, max-age=31536000, immutable' : 'no-store',
      ...securityHeaders(this.#policy),
      ...(name === DIAGRAM_PAGE ? framedHeaders(data) : {}),
    };
  }
}

/** Draws diagrams of models: the one page that is framed, and that by the window alone. */
const DIAGRAM_PAGE = '/diagram.html';

/** The page runs its own script, in an origin of its own; it loads, sends and opens nothing. */
function framedHeaders(page: Buffer): Record<string, string> {
  const script = page.subarray(
    page.indexOf('<script>') + '<script>'.length,
    page.lastIndexOf('</script>'),
  );
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    // Mermaid measures its labels with the styles that it gives them.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'SAMEORIGIN' };
}

/** Sent with every response, errors included. */
export function securityHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
  };
}

/** Scripts and frames only from the app itself, nothing loaded from elsewhere, never framed. */
export function contentSecurityPolicy(connectSources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The terminal and the virtual list position their rows with style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    // Diagrams are drawn in one, which has no origin; apps are shown in one, at an origin of their own.
    "frame-src 'self' http://*.localhost:*",
    `connect-src ${["'self'", ...connectSources].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
