import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VectorPage, VectorPages } from './vector-pages.ts';

/** Embeddings that are looked at between two turns of the event loop, some 5 ms of work. */
const AT_ONCE = 5_000;
/** Below this, what is nearest is still about something else. */
const LEAST_COSINE = 0.3;

interface Near {
  readonly id: number;
  readonly cosine: number;
}

export interface NearestOptions {
  readonly model: string;
  /** Of length 1, as the embeddings are. */
  readonly query: Float32Array;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The passages whose embeddings are nearest to `query`, best first. Every one is looked at: for the size
 * of a person's library that costs less than keeping an index of them, and misses nothing.
 */
export async function nearestPassages(
  vectors: VectorPages,
  { model, query, limit, signal }: NearestOptions,
): Promise<number[]> {
  let best: readonly Near[] = [];
  let looked = 0;
  for (const page of await vectors.of(model, signal)) {
    signal.throwIfAborted();
    const floor = best.length < limit ? LEAST_COSINE : (best.at(-1)?.cosine ?? LEAST_COSINE);
    const near = page.size === query.length ? nearIn(page, query, floor) : [];
    if (near.length > 0) {
      best = [...best, ...near].sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    }
    looked += page.ids.length;
    if (looked < AT_ONCE) continue;
    looked = 0;
    await nextTurn();
  }
  return best.map(({ id }) => id);
}

function nearIn(
  { ids, size, bytes, scales }: VectorPage,
  query: Float32Array,
  floor: number,
): Near[] {
  const near: Near[] = [];
  for (let row = 0; row < ids.length; row += 1) {
    let sum = 0;
    const from = row * size;
    for (let at = 0; at < size; at += 1) {
      sum += (query[at] as number) * (bytes[from + at] as number);
    }
    const cosine = sum * (scales[row] ?? 0);
    const id = ids[row];
    if (cosine >= floor && id !== undefined) near.push({ id, cosine });
  }
  return near;
}
