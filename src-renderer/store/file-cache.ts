import type { HyperagentBridge, RequestOutput } from '#contract/requests.ts';

/** A file of a workspace, ready to be shown. */
export interface FileContent {
  readonly path: string;
  readonly mimeType: string;
  readonly size: number;
  readonly truncated: boolean;
  /** Null where the bytes are not text. */
  readonly text: string | null;
  /** What `files.write` knows it by; null where it cannot be edited. */
  readonly sha256: string | null;
  /** Address of the bytes inside this window. */
  readonly url: string;
}

export type FileResult =
  | { readonly ok: true; readonly content: FileContent }
  | { readonly ok: false; readonly problem: string; readonly isGone: boolean };

/** Cached files: rows of a long chat unmount and mount again while it is scrolled. */
const FILES_AT_HAND = 40;

/** Reads workspace files, each version once. The least recently used are evicted. */
export class FileCache {
  readonly #bridge: Pick<HyperagentBridge, 'request'>;
  readonly #files = new Map<string, Promise<FileResult>>();

  constructor(bridge: Pick<HyperagentBridge, 'request'>) {
    this.#bridge = bridge;
  }

  /** `version` is anything that changes when the file does. */
  read(threadId: string, path: string, version: number | string): Promise<FileResult> {
    const key = JSON.stringify([threadId, path, version]);
    const known = this.#files.get(key);
    const file = known ?? this.#load(threadId, path, key);
    this.#files.delete(key);
    this.#files.set(key, file);
    this.#trim();
    return file;
  }

  async #load(threadId: string, path: string, key: string): Promise<FileResult> {
    const result = await this.#bridge.request('files.read', { threadId, path });
    if (result.ok) return { ok: true, content: describe(result.data) };
    // The next attempt may succeed, so a failure is not cached.
    this.#files.delete(key);
    const { code, message } = result.error;
    return { ok: false, problem: message, isGone: code === 'NOT_FOUND' };
  }

  #trim(): void {
    for (const [key, file] of this.#files) {
      if (this.#files.size <= FILES_AT_HAND) return;
      this.#files.delete(key);
      void file.then((result) => {
        if (result.ok) URL.revokeObjectURL(result.content.url);
      });
    }
  }
}

function describe(file: RequestOutput<'files.read'>): FileContent {
  const { path, mimeType, size, truncated, data, sha256 } = file;
  const isText = file.encoding === 'utf8';
  // Only images keep their type, so that no address can be opened as an HTML page.
  const type = mimeType.startsWith('image/') ? mimeType : 'application/octet-stream';
  const blob = new Blob([isText ? data : decodeBase64(data)], { type });
  return {
    path,
    mimeType,
    size,
    truncated,
    text: isText ? data : null,
    sha256,
    url: URL.createObjectURL(blob),
  };
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
