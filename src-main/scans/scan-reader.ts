import { createHash } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import { raceAbort } from '../base/abort.ts';
import { RunningTime } from '../base/running-time.ts';
import type { ReadScans, ScannedPages, ScanRequest } from '../documents/types.ts';
import type { StartHostProcess } from '../models/embedded/host-process.ts';
import { ConfinedProcess } from '../pictures/confined-process.ts';
import type { Size } from '../pictures/types.ts';
import { tooLargeScan, unreadableScan } from './scan-errors.ts';
import { describeScan, isLegible } from './scan-text.ts';
import {
  type PageImage,
  type RecognisedText,
  SCAN_LIMITS,
  type ScanJob,
  type ScanLimits,
  type ScanResult,
} from './types.ts';

/** What is known of a page: null for one that is no scan. */
type Found = RecognisedText | null;

/** Begins to count the time of a document. */
type StartTime = () => Pick<RunningTime, 'passedMs'> & Disposable;

/** Documents whose pages are remembered: one is often read in several parts. */
const REMEMBERED = 16;
/** After so many pages one after another that could not be read, the document is taken for hostile. */
const MOST_FAILURES = 3;

/**
 * Reads scanned pages of PDFs with OCR, one document at a time, in a process that is started on demand and ended when
 * idle or over a limit.
 */
export class ScanReader implements AsyncDisposable {
  readonly #limits: ScanLimits;
  readonly #startTime: StartTime;
  readonly #process: ConfinedProcess<ScanJob, ScanResult>;
  readonly #known = new Map<string, Map<number, Found>>();
  #queue: Promise<unknown> = Promise.resolve();

  /** `root` is the app's folder. */
  constructor(
    root: string,
    {
      start,
      limits = {},
      startTime = () => new RunningTime(),
    }: {
      readonly start?: StartHostProcess | undefined;
      readonly limits?: Partial<ScanLimits>;
      readonly startTime?: StartTime;
    } = {},
  ) {
    this.#limits = { ...SCAN_LIMITS, ...limits };
    this.#startTime = startTime;
    this.#process = new ConfinedProcess({
      ...{ root, start },
      name: 'scan-process',
      sourceDir: import.meta.dirname,
      options: this.#limits,
      timeMs: this.#limits.timeMs,
      failed: (cause) =>
        /memory|allocat|Aborted|unreachable/i.test(cause?.message ?? '')
          ? tooLargeScan('Reading it takes more memory than allowed.')
          : unreadableScan('It is damaged: drawing or reading it failed.', cause),
      tooSlow: (timeMs) =>
        tooLargeScan(`It took longer than ${Math.round(timeMs / 100) / 10} seconds.`),
    });
  }

  /**
   * The text of each page, where scanned pages have what OCR made out, marked with its confidence. Throws
   * `LIBRARY_UNREADABLE` if the PDF cannot be opened. A page that cannot be read says why.
   */
  readonly read: ReadScans = async (bytes, request, signal) =>
    await this.#inTurn(signal, () => this.#read(bytes, request, signal));

  /** A page as PNG. Throws `LIBRARY_UNREADABLE`, `FILE_TOO_LARGE`, and `BAD_REQUEST` for a page that is not there. */
  async draw(
    bytes: Uint8Array,
    { page, within }: { readonly page: number; readonly within: Size },
    signal?: AbortSignal,
  ): Promise<PageImage> {
    return await this.#inTurn(signal, async () => {
      const pages = await this.#open(bytes, signal);
      if (page > pages) {
        throw new AppError('BAD_REQUEST', `The PDF has ${pages} pages; there is no page ${page}.`);
      }
      const drawn = await this.#process.run({ kind: 'draw', page, within }, signal);
      if (drawn.kind !== 'draw') throw new Error('The process answered another job.');
      return drawn.image;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  /** The process has one document open: the next one waits for this one, however it ends. */
  async #inTurn<Result>(
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const turn = this.#queue.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return await (signal === undefined ? turn : raceAbort(turn, signal));
  }

  async #read(
    bytes: Uint8Array,
    { pages, chars = Number.POSITIVE_INFINITY, onPage }: ScanRequest,
    signal: AbortSignal | undefined,
  ): Promise<ScannedPages> {
    const known = this.#knownOf(bytes);
    using time = this.#startTime();
    const texts: string[] = [];
    const unread: number[] = [];
    let isOpen = false;
    let failures = 0;
    let scanned = 0;
    let length = 0;
    for (const [index, layer] of pages.entries()) {
      const page = index + 1;
      const stop =
        length > chars
          ? 'so far'
          : scanned >= this.#limits.pages
            ? `because only ${this.#limits.pages} scanned pages are read`
            : failures >= MOST_FAILURES
              ? `because the ${failures} before could not be`
              : time.passedMs >= this.#limits.documentMs
                ? `because those before took ${Math.round(this.#limits.documentMs / 60_000)} minutes`
                : null;
      if (stop !== null) return finished(texts, unread, { page, of: pages.length, stop });
      let found = known.get(page);
      if (found === undefined) {
        onPage?.({ page, pages: pages.length });
        try {
          if (!isOpen) await this.#open(bytes, signal);
          isOpen = true;
          found = await this.#recognise(page, signal);
          known.set(page, found);
          failures = 0;
        } catch (error) {
          if (!(error instanceof AppError) || signal?.aborted === true || !isOpen) throw error;
          isOpen = false;
          failures += 1;
          unread.push(page);
          texts.push(joined(layer, `[Page ${page}: it could not be read. ${error.message}]`));
          this.#process.end();
          continue;
        }
      }
      if (found !== null) scanned += 1;
      if (found !== null && !isLegible(found)) unread.push(page);
      texts.push(found === null ? layer : joined(layer, describeScan(page, found)));
      length += texts.at(-1)?.length ?? 0;
    }
    return finished(texts, unread, null);
  }

  async #open(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<number> {
    const opened = await this.#process.run({ kind: 'open', bytes }, signal);
    if (opened.kind !== 'open') throw new Error('The process answered another job.');
    return opened.pages;
  }

  async #recognise(page: number, signal: AbortSignal | undefined): Promise<Found> {
    const read = await this.#process.run({ kind: 'recognise', page }, signal);
    if (read.kind !== 'recognise') throw new Error('The process answered another job.');
    return read.found;
  }

  #knownOf(bytes: Uint8Array): Map<number, Found> {
    const key = createHash('sha256').update(bytes).digest('hex');
    const known = this.#known.get(key) ?? new Map<number, Found>();
    // The newest is the last.
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

function joined(layer: string, described: string): string {
  return layer.trim() === '' ? described : `${layer}\n\n${described}`;
}

function finished(
  pages: readonly string[],
  unread: readonly number[],
  rest: { readonly page: number; readonly of: number; readonly stop: string } | null,
): ScannedPages {
  const shown = unread.slice(0, 10).join(', ');
  const more = unread.length > 10 ? ` and ${unread.length - 10} more` : '';
  const leftOut = [
    ...(unread.length === 0 ? [] : [`scans in which no text was made out (page ${shown}${more})`]),
    ...(rest === null ? [] : [`pages ${rest.page} to ${rest.of}, not read ${rest.stop}`]),
  ];
  return {
    pages,
    leftOut: leftOut.length === 0 ? null : leftOut.join('; '),
    next: rest?.page ?? null,
  };
}
