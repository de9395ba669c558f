import type { ChangeWatch, CreditedChange, WorkspaceChange } from '../types.ts';

type Credited = Omit<CreditedChange, 'isReported'>;

/** The state of each file by its path, and whether the scan saw every file. */
export interface FilesSeen {
  readonly files: ReadonlyMap<string, { readonly state: string; readonly size: number }>;
  readonly isWhole: boolean;
}

interface Writer {
  readonly id: string;
  /** Where it writes and nowhere else; null for anywhere. */
  readonly within: readonly string[] | null;
  readonly found: Map<string, Credited>;
}

/**
 * Credits changes of files to the calls that made them. The files are looked at when a call begins and when one ends,
 * so each change falls between two looks. If one call ran between them, the change is its own; if several did, the
 * change is by one of them, and says so. What changed while none ran is nobody's.
 */
export class ChangeCredits {
  readonly #look: () => Promise<FilesSeen>;
  readonly #running = new Set<Writer>();
  readonly #reported = new WeakSet<Credited>();
  #seen: FilesSeen | null = null;
  /** One look at a time: two would each see the same change. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(look: () => Promise<FilesSeen>) {
    this.#look = look;
  }

  /** Starts to credit changes to `id`. `within`: the only paths that it changes, with all below them. */
  async begin(id: string, within: readonly string[] | null = null): Promise<ChangeWatch> {
    const writer: Writer = { id, within, found: new Map() };
    const others = await this.#inTurn(async () => {
      const isQuiet = this.#running.size === 0;
      const changes = await this.#settle();
      this.#running.add(writer);
      return isQuiet ? changes : [];
    });
    return {
      others,
      end: () =>
        this.#inTurn(async () => {
          await this.#settle();
          this.#running.delete(writer);
          const ended = [...writer.found.values()].map((change) => {
            const isReported = this.#reported.has(change);
            this.#reported.add(change);
            return { ...change, isReported };
          });
          return ended;
        }),
      [Symbol.dispose]: () => void this.#running.delete(writer),
    };
  }

  /** Changes since the last look, by anyone; none on the first look. */
  changes(): Promise<WorkspaceChange[]> {
    return this.#inTurn(() => this.#settle());
  }

  /** A file that the user added is no change by a call. */
  note(path: string, state: string, size: number): void {
    if (this.#seen === null) return;
    const files = new Map(this.#seen.files).set(path, { state, size });
    this.#seen = { ...this.#seen, files };
  }

  async #settle(): Promise<WorkspaceChange[]> {
    const before = this.#seen;
    const now = await this.#look();
    this.#seen = now;
    const changes = before === null ? [] : difference(before, now);
    for (const change of changes) this.#credit(change);
    return changes;
  }

  #credit(change: WorkspaceChange): void {
    const running = [...this.#running];
    // A call waits for the calls within it, and has what they did.
    const inner = running.filter(
      ({ id }) => !running.some((other) => other.id.startsWith(`${id}.`)),
    );
    const known = running.filter(({ within }) => within?.some((path) => isIn(change.path, path)));
    const writers = known.length > 0 ? known : inner.filter(({ within }) => within === null);
    const outer = running.filter(({ id }) =>
      writers.some((writer) => writer.id.startsWith(`${id}.`)),
    );
    const takers = [...writers, ...outer].map(({ found }) => found);
    // What was reported already is not reported as new again, and its removal is.
    const created = takers.flatMap((found) => {
      const earlier = found.get(change.path);
      return earlier?.operation === 'create' && !this.#reported.has(earlier) ? [earlier] : [];
    });
    const by = [
      ...new Set([...created, { by: writers.map(({ id }) => id) }].flatMap((one) => one.by)),
    ];
    // Made and removed before anybody ended: nothing is left to report.
    if (created.length > 0 && change.operation === 'delete') {
      for (const found of takers) found.delete(change.path);
      return;
    }
    // One for all of them, so that it is reported by the first that ends, and no other.
    const credited: Credited =
      created.length > 0 ? { ...change, operation: 'create', by } : { ...change, by };
    for (const found of takers) found.set(change.path, credited);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function difference(before: FilesSeen, now: FilesSeen): WorkspaceChange[] {
  const changes: WorkspaceChange[] = [];
  for (const [path, { state, size }] of now.files) {
    const known = before.files.get(path);
    if (known?.state === state) continue;
    changes.push({ operation: known === undefined ? 'create' : 'modify', path, size });
  }
  // Beyond the limit, an entry that was not seen may still exist.
  for (const path of now.isWhole ? before.files.keys() : []) {
    if (!now.files.has(path)) changes.push({ operation: 'delete', path, size: 0 });
  }
  return changes;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
