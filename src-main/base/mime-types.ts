import { extname } from 'node:path';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.py': 'text/x-python',
  '.sh': 'text/x-shellscript',
  '.svg': 'image/svg+xml',
  '.ts': 'text/typescript',
  '.tsv': 'text/tab-separated-values',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
};

/** The type for a file's extension; null if it is unknown. */
export function mimeTypeOf(path: string): string | null {
  return MIME_TYPES[extname(path).toLowerCase()] ?? null;
}

/** The first extension, with its dot, of files of a type; empty if it is unknown. */
export function extensionOf(mimeType: string): string {
  const type = mimeType.toLowerCase().split(';')[0]?.trim();
  return Object.keys(MIME_TYPES).find((extension) => MIME_TYPES[extension] === type) ?? '';
}
