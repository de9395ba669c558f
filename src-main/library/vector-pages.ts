import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryStore } from '../storage/library-types.ts';

/** Embeddings read from the database at once, some 5 ms of work. */
const PAGE = 250;
const FLOAT_BYTES = 4;
const BYTE_RANGE = 127;
/** Memory is freed after this time without a search. */
const IDLE_MS = 5 * 60_000;

/** Embeddings in one buffer, each number quantised to a byte; `scales` reverses that. */
export interface VectorPage {
  readonly ids: readonly number[];
  readonly size: number;
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
}

interface Loaded {
  readonly model: string;
  readonly version: number;
  readonly pages: readonly VectorPage[];
}

/**
 * The embeddings of a model in memory, loaded on the first search and again after a change. One byte per
 * number takes a quarter of the size on disk, and ranks them as well.
 */
export class VectorPages {
  readonly #store: LibraryStore;
  #loaded: Loaded | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(store: LibraryStore) {
    this.#store = store;
  }

  async of(model: string, signal: AbortSignal): Promise<readonly VectorPage[]> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.clear(), IDLE_MS).unref();
    const version = this.#store.vectorsVersion();
    if (this.#loaded?.model === model && this.#loaded.version === version) {
      return this.#loaded.pages;
    }
    this.#loaded = null;
    const pages = await this.#load(model, signal);
    this.#loaded = { model, version, pages };
    return pages;
  }

  clear(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#loaded = null;
  }

  async #load(model: string, signal: AbortSignal): Promise<VectorPage[]> {
    const pages: VectorPage[] = [];
    let after = 0;
    for (;;) {
      signal.throwIfAborted();
      const rows = this.#store.vectorsAfter(model, after, PAGE);
      const last = rows.at(-1);
      if (last === undefined) return pages;
      pages.push(pack(rows));
      after = last.id;
      await nextTurn();
    }
  }
}

function pack(rows: readonly { readonly id: number; readonly vector: Uint8Array }[]): VectorPage {
  const size = (rows[0]?.vector.byteLength ?? 0) / FLOAT_BYTES;
  // Skips vectors of another size: they come from an earlier model with the same name.
  const fitting = rows.filter(({ vector }) => vector.byteLength === size * FLOAT_BYTES);
  const bytes = new Int8Array(fitting.length * size);
  const scales = new Float32Array(fitting.length);
  for (const [row, { vector }] of fitting.entries()) {
    const floats = floatsOf(vector);
    let most = 0;
    // Indexed loops, because iterators would take a hundred times as long here.
    for (let at = 0; at < size; at += 1) most = Math.max(most, Math.abs(floats[at] as number));
    const scale = most === 0 ? 1 : most / BYTE_RANGE;
    scales[row] = scale;
    for (let at = 0; at < size; at += 1) {
      bytes[row * size + at] = Math.round((floats[at] as number) / scale);
    }
  }
  return { ids: fitting.map(({ id }) => id), size, bytes, scales };
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const isAligned = bytes.byteOffset % FLOAT_BYTES === 0;
  const { buffer, byteOffset } = isAligned ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, bytes.byteLength / FLOAT_BYTES);
}
