import type { Artifact } from '#contract/artifacts.ts';
import type { HyperagentBridge } from '#contract/requests.ts';

/** Pictures of some kilobytes each. */
const KEPT = 500;
/** Main decodes one at a time; more would only wait there. */
const AT_ONCE = 2;

interface Wanted {
  readonly artifact: Artifact;
  readonly give: (preview: string | null) => void;
}

/** Small pictures of artifacts, by their version. What was asked for last is requested first: it is in sight. */
export class PreviewCache {
  readonly #bridge: Pick<HyperagentBridge, 'request'>;
  /** Null for a picture that cannot be shown. */
  readonly #known = new Map<number, string | null>();
  #queue: Wanted[] = [];
  #running = 0;

  constructor(bridge: Pick<HyperagentBridge, 'request'>) {
    this.#bridge = bridge;
  }

  /** A small PNG as a `data:` URL, null where there is none; undefined if it was not requested yet. */
  peek({ id }: Artifact): string | null | undefined {
    return this.#known.get(id);
  }

  /** Calls `give` once the picture is there, unless the returned function was called before. */
  request(artifact: Artifact, give: (preview: string | null) => void): () => void {
    const wanted: Wanted = { artifact, give };
    this.#queue.push(wanted);
    this.#next();
    return () => {
      this.#queue = this.#queue.filter((other) => other !== wanted);
    };
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const wanted = this.#queue.pop();
      if (wanted === undefined) return;
      this.#running += 1;
      void this.#load(wanted).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #load({ artifact, give }: Wanted): Promise<void> {
    const { id, threadId, path } = artifact;
    if (!this.#known.has(id)) {
      const result = await this.#bridge.request('artifacts.preview', { threadId, path });
      const preview = result.ok && 'preview' in result.data ? result.data.preview : null;
      // After a lost connection the next look may succeed.
      if (result.ok || result.error.code === 'NOT_FOUND') this.#known.set(id, preview);
      const [oldest] = this.#known.keys();
      if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    }
    give(this.#known.get(id) ?? null);
  }
}
