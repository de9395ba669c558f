import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VectorPage, VectorPages } from './vector-pages.ts';

/** Embeddings compared per turn of the event loop, some 5 ms of work. */
const AT_ONCE = 5_000;
/** Below this, even the nearest passage is about something else. */
const MIN_COSINE = 0.3;

interface Near {
  readonly id: number;
  readonly cosine: number;
}

export interface NearestOptions {
  readonly model: string;
  /** Of length 1, like the embeddings. */
  readonly query: Float32Array;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The passages whose embeddings are nearest to `query`, best first. Compares every one: at the size of a
 * personal library that costs less than maintaining an index, and misses nothing.
 */
export async function nearestPassages(
  vectors: VectorPages,
  { model, query, limit, signal }: NearestOptions,
): Promise<number[]> {
  let best: readonly Near[] = [];
  let compared = 0;
  for (const page of await vectors.of(model, signal)) {
    signal.throwIfAborted();
    const floor = best.length < limit ? MIN_COSINE : (best.at(-1)?.cosine ?? MIN_COSINE);
    const near = page.size === query.length ? nearIn(page, query, floor) : [];
    if (near.length > 0) {
      best = [...best, ...near].sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    }
    compared += page.ids.length;
    if (compared < AT_ONCE) continue;
    compared = 0;
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
