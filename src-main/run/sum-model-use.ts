import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelUse } from '#contract/model-use.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Clock } from '../base/clock.ts';
import type { ModelUseStore, RunWithUse, UseOfDay } from '../storage/model-use-store.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 30;
/** The thread is held no longer at a time than a frame of a window may wait. */
const TURN_MS = 8;

/** Sums up what model requests cost. Logs of runs that ended do not change, so each is read once in a process. */
export class ModelUseTotals {
  readonly #store: ModelUseStore;
  readonly #clock: Clock;
  readonly #ended = new Map<string, readonly UseOfDay[]>();

  constructor(store: ModelUseStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Of a task, or of all. Other work goes on in between. Throws `NOT_FOUND`. */
  async of(threadId?: string): Promise<RequestOutput<'usage.get'>> {
    const firstDay = Math.floor(this.#clock.now() / DAY_MS) - (RECENT_DAYS - 1);
    const all = new Map<string, ModelUse>();
    const recent = new Map<string, ModelUse>();
    let began = performance.now();
    for (const run of this.#store.runs(threadId)) {
      if (performance.now() - began > TURN_MS) {
        await nextTurn();
        began = performance.now();
      }
      for (const { day, ...use } of this.#ofRun(run)) {
        add(all, use);
        if (day >= firstDay) add(recent, use);
      }
    }
    return { all: mostFirst(all), recent: mostFirst(recent) };
  }

  #ofRun(run: RunWithUse): readonly UseOfDay[] {
    const known = this.#ended.get(run.runId);
    if (known !== undefined) return known;
    const use = this.#store.ofRun(run);
    if (run.hasEnded) this.#ended.set(run.runId, use);
    return use;
  }
}

function add(totals: Map<string, ModelUse>, use: ModelUse): void {
  const before = totals.get(use.model);
  totals.set(
    use.model,
    before === undefined
      ? use
      : {
          model: use.model,
          requests: before.requests + use.requests,
          promptTokens: before.promptTokens + use.promptTokens,
          completionTokens: before.completionTokens + use.completionTokens,
          durationMs: before.durationMs + use.durationMs,
          estimated: before.estimated + use.estimated,
        },
  );
}

function mostFirst(totals: ReadonlyMap<string, ModelUse>): ModelUse[] {
  const tokens = (use: ModelUse): number => use.promptTokens + use.completionTokens;
  return [...totals.values()].sort((a, b) => tokens(b) - tokens(a));
}
