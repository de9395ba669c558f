import { createHash } from 'node:crypto';
import { type Run, RunOptions, type Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { RequestInput } from '#contract/requests.ts';
import type { Notice, Requests } from '#main/api/types.ts';
import type { Dispose } from '#main/base/disposable.ts';
import type { App } from '#main/compose/app.ts';
import type { RunEventListener } from '#main/run/types.ts';

/** A run that a test steers: it says what `play` says, and ends as `play` ends. */
export interface Stage {
  readonly run: Run;
  readonly signal: AbortSignal;
  emit(...drafts: RunEventDraft[]): void;
  /** Emits an approval for `argumentsText` and waits for its answer; parks when nobody attends. */
  approve(argumentsText: string): Promise<InterruptResponse>;
}

export type Play = (stage: Stage) => Promise<Run['status']>;

export interface FakeRunsOptions {
  readonly play: Play;
  readonly attended: boolean;
  readonly broadcast: (notice: Notice) => void;
}

interface Entry {
  run: Run;
  readonly events: RunEvent[];
  readonly listeners: Set<RunEventListener>;
  readonly abort: AbortController;
  readonly settled: PromiseWithResolvers<Run>;
  readonly questions: Map<string, (response: InterruptResponse) => void>;
}

type Runs = App['runs'];

class Parked extends Error {}

/** Runs in memory, with the promises of `App.runs`. */
export class FakeRuns implements Runs {
  readonly #options: FakeRunsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly threads = new Map<string, Thread>();

  constructor(options: FakeRunsOptions) {
    this.#options = options;
  }

  /** What tests of entry points ask of runs. */
  readonly requests = {
    'runs.start': (input) => this.start(input),
    'runs.cancel': ({ runId }) => {
      this.#entry(runId).abort.abort();
      return {};
    },
    'runs.pause': ({ runId }) => {
      this.#entry(runId).abort.abort();
      return {};
    },
    'runs.respond': ({ runId, interruptId, response }) => {
      const answer = this.#entry(runId).questions.get(interruptId);
      if (answer === undefined) throw new AppError('ALREADY_ANSWERED', 'Somebody answered first.');
      answer(response);
      return {};
    },
    'runs.get': ({ runId }) => ({ run: this.get(runId) }),
    'runs.events': ({ runId, afterSeq, limit = EVENT_PAGE_SIZE }) => {
      const { lastSeq } = this.get(runId);
      return { events: this.events(runId, afterSeq, limit), lastSeq };
    },
    'runs.subscribe': ({ runId, afterSeq }, caller) => {
      const run = this.get(runId);
      caller.subscribe(runId, afterSeq);
      return { run };
    },
    'runs.unsubscribe': ({ runId }, caller) => {
      caller.unsubscribe(runId);
      return {};
    },
    'runs.waiting': () => ({ questions: [] }),
    'runs.export': ({ runId }) => ({
      fileName: `${runId}.json`,
      text: JSON.stringify(this.#entry(runId).events),
    }),
    'runs.resume': notHere,
    'runs.retry': notHere,
    'runs.fork': notHere,
    'runs.edit': notHere,
    'runs.review': notHere,
    'runs.import': notHere,
  } satisfies Requests<'runs'>;

  start(input: RequestInput<'runs.start'>): Promise<{ run: Run; thread: Thread }> {
    const id = `run_${this.#entries.size + 1}`;
    const thread = this.#threadFor(input);
    const run: Run = {
      id,
      threadId: thread.id,
      status: 'running',
      prompt: input.prompt,
      options: RunOptions.parse({
        mode: 'task',
        model: { provider: 'demo', name: 'demo' },
        sandbox: 'auto',
        network: 'offline',
        allowHosts: [],
        approve: 'ask',
        timeoutSeconds: null,
        ...input.options,
      }),
      createdAt: 1_700_000_000_000,
      startedAt: 1_700_000_000_000,
      endedAt: null,
      lastSeq: 0,
      error: null,
      origin: null,
    };
    const entry: Entry = {
      run,
      events: [],
      listeners: new Set(),
      abort: new AbortController(),
      settled: Promise.withResolvers<Run>(),
      questions: new Map(),
    };
    this.#entries.set(id, entry);
    void this.#perform(entry);
    return Promise.resolve({ run, thread });
  }

  isActive(runId: string): boolean {
    return this.#entry(runId).run.status === 'running';
  }

  get(runId: string): Run {
    return this.#entry(runId).run;
  }

  list(): Run[] {
    return [...this.#entries.values()].map((entry) => entry.run).reverse();
  }

  events(runId: string, afterSeq: number, limit: number): RunEvent[] {
    return this.#entry(runId).events.slice(afterSeq, afterSeq + limit);
  }

  listen(runId: string, listener: RunEventListener): Dispose {
    const { listeners } = this.#entry(runId);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  settled(runId: string): Promise<Run> {
    return this.#entry(runId).settled.promise;
  }

  #entry(runId: string): Entry {
    const entry = this.#entries.get(runId);
    if (entry === undefined) throw new AppError('NOT_FOUND', `There is no run ${runId}.`);
    return entry;
  }

  #threadFor({ threadId, prompt, level }: RequestInput<'runs.start'>): Thread {
    const known = threadId === undefined ? undefined : this.threads.get(threadId);
    if (threadId !== undefined && known === undefined) {
      throw new AppError('NOT_FOUND', `There is no task ${threadId}.`);
    }
    const thread: Thread = known ?? {
      id: `thread_${this.threads.size + 1}`,
      title: prompt,
      createdAt: 1_700_000_000_000,
      pinnedAt: null,
      archivedAt: null,
      updatedAt: 1_700_000_000_000,
      status: 'running',
      ...(level === undefined ? {} : { level }),
    };
    this.threads.set(thread.id, thread);
    return thread;
  }

  async #perform(entry: Entry): Promise<void> {
    const stage: Stage = {
      run: entry.run,
      signal: entry.abort.signal,
      emit: (...drafts) => this.#emit(entry, drafts),
      approve: (argumentsText) => this.#approve(entry, argumentsText),
    };
    // After `start` returned, as in the app.
    await Promise.resolve();
    const status = await this.#options.play(stage).catch((error: unknown) => {
      if (error instanceof Parked) return 'waiting' as const;
      if (entry.abort.signal.aborted) return 'cancelled' as const;
      throw error;
    });
    const last = entry.events.at(-1);
    const error = last?.type === 'error' ? { code: last.code, message: last.message } : null;
    entry.run = { ...entry.run, status, lastSeq: entry.events.length, error };
    this.#options.broadcast({ kind: 'run_changed', run: entry.run });
    entry.settled.resolve(entry.run);
  }

  #emit(entry: Entry, drafts: readonly RunEventDraft[]): void {
    const events = drafts.map(
      (draft, index) =>
        ({
          runId: entry.run.id,
          seq: entry.events.length + index + 1,
          at: 1_700_000_000_000,
          ...draft,
        }) as RunEvent,
    );
    entry.events.push(...events);
    for (const listener of entry.listeners) listener(events);
  }

  #approve(entry: Entry, argumentsText: string): Promise<InterruptResponse> {
    const interruptId = `int_${entry.events.length + 1}`;
    this.#emit(entry, [
      {
        type: 'interrupt',
        interruptId,
        kind: 'approval',
        title: 'Run shell_command?',
        message: '',
        toolName: 'shell_command',
        risk: 'high',
        reasons: ['It changes files.'],
        argumentsText,
        argumentsSha256: createHash('sha256').update(argumentsText).digest('hex'),
        rulePattern: argumentsText,
        options: [],
        attentionMs: 120_000,
      },
    ]);
    if (!this.#options.attended) throw new Parked();
    return new Promise((resolve, reject) => {
      entry.abort.signal.addEventListener('abort', () => reject(entry.abort.signal.reason));
      entry.questions.set(interruptId, (response) => {
        entry.questions.delete(interruptId);
        this.#emit(entry, [{ type: 'interrupt_response', interruptId, response, by: 'person' }]);
        resolve(response);
      });
    });
  }
}

/** What tests of entry points never ask for. */
function notHere(): never {
  throw new AppError('CONFLICT', 'The fake cannot do this.');
}
