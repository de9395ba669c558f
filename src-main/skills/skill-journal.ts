import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../base/canonical-json.ts';
import type { StepPath } from '../base/step-path.ts';
import type { RunJournal } from '../storage/types.ts';
import type { SkillHost } from './types.ts';

/** Maximum pieces of work of one execution. */
const MOST_PIECES = 10_000;

/** A piece of work as it is stored: its number, and its result once it is done. */
interface Piece {
  readonly number: number;
  readonly value?: unknown;
}

/**
 * What an execution has already done. A piece of work is identified by its kind, its input and its repetition,
 * so that a resumed execution finds it in any order. Its number is on disk before it begins: its calls and
 * branches stand below its step.
 */
export class SkillJournal {
  readonly #journal: RunJournal;
  readonly #host: Pick<SkillHost, 'runId' | 'persist' | 'pause'>;
  readonly #step: StepPath;
  readonly #times = new Map<string, number>();
  #highest: number | null = null;
  /** Numbers that are assigned, and perhaps not on disk yet. */
  readonly #fresh = new Map<string, number>();

  /** `step`: of the execution. */
  constructor(
    step: StepPath,
    journal: RunJournal,
    host: Pick<SkillHost, 'runId' | 'persist' | 'pause'>,
  ) {
    this.#step = step;
    this.#journal = journal;
    this.#host = host;
  }

  /** The stored result of `work` on `what`, or does it now. Errors are not stored. */
  async do<Result>(
    kind: string,
    what: unknown,
    work: (number: number) => Promise<Result>,
  ): Promise<Result> {
    const { key, known } = this.#find(kind, what);
    // The value is null where the result is undefined.
    if (known !== null && 'value' in known) return known.value as Result;
    const number = this.#begin(key, known);
    const value = await work(number);
    this.#append(key, { number, value: value ?? null });
    return value;
  }

  /** Does `work` on `what`, which stores its result itself, below the step of its number. */
  async number<Result>(
    kind: string,
    what: unknown,
    work: (number: number) => Promise<Result>,
  ): Promise<Result> {
    const { key, known } = this.#find(kind, what);
    return await work(this.#begin(key, known));
  }

  #find(kind: string, what: unknown): { key: string; known: Piece | null } {
    const subject = `${kind} ${sha256(canonicalJson(what)).slice(0, 32)}`;
    const time = (this.#times.get(subject) ?? 0) + 1;
    this.#times.set(subject, time);
    const key = `${subject} ${time}`;
    const entry = this.#journal.at(this.#host.runId, this.#step, key).at(-1);
    return { key, known: entry === undefined ? null : (entry.payload as Piece) };
  }

  #begin(key: string, known: Piece | null): number {
    this.#host.pause.throwIfAborted();
    const begun = known?.number ?? this.#fresh.get(key);
    if (begun !== undefined) return begun;
    this.#highest ??= this.#storedHighest();
    if (this.#highest + 1 >= MOST_PIECES) {
      throw new AppError(
        'SKILL_CALL_LIMIT',
        `A skill may not make more than ${MOST_PIECES} calls.`,
      );
    }
    this.#highest += 1;
    const number = this.#highest;
    this.#fresh.set(key, number);
    this.#append(key, { number });
    return number;
  }

  #storedHighest(): number {
    const stored = this.#journal.at(this.#host.runId, this.#step);
    const numbers = stored.map(({ kind, payload }) =>
      kind === 'work' ? (payload as Piece).number : 0,
    );
    return Math.max(0, ...numbers);
  }

  #append(key: string, payload: Piece): void {
    const entry = { step: this.#step, kind: 'work', hash: key, payload } as const;
    this.#host.persist(() => this.#journal.append(this.#host.runId, entry));
  }
}
