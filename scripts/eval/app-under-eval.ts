import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelRef } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { App } from '#main/compose/app.ts';
import { compose } from '#main/compose.ts';
import { SCRIPTED_REF, startScripted } from './scripted.ts';
import type { AppTask, Cost, Outcome, Parts } from './types.ts';

/** What answers: a model, or the script of each task. */
export type Answerer =
  | { readonly kind: 'scripted' }
  | {
      readonly kind: 'model';
      readonly ref: ModelRef;
      readonly overrides: { readonly baseUrl?: string; readonly apiKey?: string };
    };

export interface AppOptions {
  readonly answerer: Answerer;
  /** Time limit of one task. */
  readonly timeoutSeconds: number;
}

const PAGE = 500;
const ROOT = join(import.meta.dirname, '../..');

/** The whole app with its own data folder, deleted on disposal. No user answers questions. */
export class AppUnderEval implements AsyncDisposable {
  readonly #app: App;
  readonly #dataDir: string;
  readonly #options: AppOptions;

  private constructor(app: App, dataDir: string, options: AppOptions) {
    this.#app = app;
    this.#dataDir = dataDir;
    this.#options = options;
  }

  static async open(options: AppOptions): Promise<AppUnderEval> {
    const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-eval-'));
    const { answerer } = options;
    try {
      const app = await compose({
        dataDir,
        entryPoint: 'terminal',
        attended: false,
        readOnly: false,
        seal: null,
        ...(answerer.kind === 'model' ? { modelOverrides: answerer.overrides } : {}),
      });
      return new AppUnderEval(app, dataDir, options);
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** The model that answers. */
  get model(): ModelRef {
    const { answerer } = this.#options;
    return answerer.kind === 'model' ? answerer.ref : SCRIPTED_REF;
  }

  get parts(): Parts {
    const tools = new Set(this.#app.tools().map(({ name }) => name));
    return { tools, has: (file) => existsSync(join(ROOT, file)) };
  }

  /** Changes the settings for a set of tasks, and returns the previous values. */
  settings(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { api } = this.#app;
    const before = api['settings.get']().settings as unknown as Record<string, unknown>;
    api['settings.update']({ changes });
    return Object.fromEntries(Object.keys(changes).map((name) => [name, before[name]]));
  }

  /** Runs a task in the app and waits for its end. Throws if it cannot start. */
  async run(task: AppTask): Promise<{ readonly outcome: Outcome; readonly cost: Cost }> {
    const { answerer } = this.#options;
    if (answerer.kind === 'model') return this.#run(task, answerer.ref);
    await using server = await startScripted(task.script);
    this.#app.api['settings.update']({ changes: { ollamaUrl: server.url } });
    return await this.#run(task, SCRIPTED_REF);
  }

  /** Stops the server of the app that a task built. */
  async stopAppOf({ run: { threadId } }: Outcome): Promise<void> {
    await this.#app.api['apps.stop']({ threadId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app[Symbol.asyncDispose]();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #run(
    task: AppTask,
    model: ModelRef,
  ): Promise<{ readonly outcome: Outcome; readonly cost: Cost }> {
    const { api, runs } = this.#app;
    const attachmentIds: string[] = [];
    for (const [name, text] of Object.entries(task.files ?? {})) {
      attachmentIds.push(
        (await api['attachments.add']({ name, data: Buffer.from(text).toString('base64') }))
          .attachmentId,
      );
    }
    const startedAt = performance.now();
    const started = await api['runs.start']({
      prompt: task.prompt,
      attachmentIds,
      options: {
        model,
        approve: 'all',
        sandbox: 'auto',
        mode: task.mode ?? 'task',
        ...(task.network === undefined ? {} : { network: task.network }),
        timeoutSeconds: this.#options.timeoutSeconds,
      },
    });
    const { id } = started.run;
    const { until } = task;
    const stopAt = (events: readonly RunEvent[]): void => {
      if (until !== undefined && events.some(until)) void api['runs.cancel']({ runId: id });
    };
    const stopListening = runs.listen(id, stopAt);
    // Events from before the listener.
    stopAt(runs.events(id, 0, PAGE));
    await runs.settled(id);
    stopListening();
    const seconds = (performance.now() - startedAt) / 1000;
    const run = runs.get(id);
    const events = this.#events(id);
    // A run that waits for the user would keep its task and files.
    if (run.endedAt === null) await api['runs.cancel']({ runId: id });
    const workspace = join(this.#dataDir, 'workspaces', started.thread.id);
    return {
      outcome: {
        run,
        events,
        answer: answerOf(events),
        files: filesBelow(workspace),
        file: (path) => readText(join(workspace, path)),
        appUrl: api['apps.state']({ threadId: started.thread.id }).previewUrl,
      },
      cost: { ...costOf(events), seconds },
    };
  }

  #events(runId: string): RunEvent[] {
    const all: RunEvent[] = [];
    for (;;) {
      const page = this.#app.runs.events(runId, all.at(-1)?.seq ?? 0, PAGE);
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }
}

function answerOf(events: readonly RunEvent[]): string {
  const end = events.findLast((event) => event.type === 'complete');
  return end?.type === 'complete' ? end.answer : '';
}

function costOf(events: readonly RunEvent[]): Omit<Cost, 'seconds'> {
  const usage = events.filter((event) => event.type === 'usage');
  const tokens = usage.reduce(
    (total, { promptTokens = 0, completionTokens = 0 }) => total + promptTokens + completionTokens,
    0,
  );
  return { requests: usage.length, tokens };
}

function filesBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true })
    .map(String)
    .filter((path) => statSync(join(dir, path), { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function readText(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(path, 'utf8')
    : null;
}
