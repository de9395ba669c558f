import type { ModelRef, Run } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { NetworkPolicy, RunMode } from '#contract/vocabulary.ts';
import type { ServerOptionsInput } from '../../test/fakes/model-server/options.ts';
import type { ModelRule } from '../../test/fakes/research-model.ts';

/** What the scripted model answers: turn by turn, or depending on the request. */
export type Script = NonNullable<ServerOptionsInput['turns']> | ModelRule;

/** The outcome of a task in the app. */
export interface Outcome {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  /** The final answer; empty if there is none. */
  readonly answer: string;
  /** A file of the workspace as text; null if it does not exist. */
  readonly file: (path: string) => string | null;
  /** Paths of the workspace's files, sorted. */
  readonly files: readonly string[];
  /** Where the app that it built is open, on this computer only; null if there is none that runs. */
  readonly appUrl: string | null;
}

/** Null for passed, otherwise the reason for failure. */
export type Verdict = string | null;

/** A task for the app. */
export interface AppTask {
  readonly name: string;
  readonly prompt: string;
  readonly mode?: RunMode;
  /** What its programs and pages may reach; as the settings say unless given. */
  readonly network?: NetworkPolicy;
  /** Attached text files, by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Stops the run early at the first event for which this is true. */
  readonly until?: (event: RunEvent) => boolean;
  readonly check: (outcome: Outcome) => Verdict | Promise<Verdict>;
  readonly script: Script;
  /** Tools that must exist; otherwise the task is skipped. */
  readonly tools?: readonly string[] | undefined;
}

/** A task that needs neither app nor model. */
export interface CodeTask {
  readonly name: string;
  readonly decide: () => Verdict;
}

export type EvalTask = AppTask | CodeTask;

/** Parts of the app that a set may need. */
export interface Parts {
  readonly tools: ReadonlySet<string>;
  /** Whether a source file exists, by its path in the repository. */
  readonly has: (file: string) => boolean;
}

export interface EvalSet {
  readonly name: string;
  /** The missing parts of the app, as text; null if none. */
  readonly missing?: (parts: Parts) => string | null;
  /** Starts what the tasks need outside the app, and provides the settings for them. */
  readonly prepare?: (() => Promise<Surroundings>) | undefined;
  /** Settings that name the model. */
  readonly settings?: (model: ModelRef) => Readonly<Record<string, unknown>>;
  readonly tasks: () => readonly EvalTask[] | Promise<readonly EvalTask[]>;
}

/** The environment of the app during a set. */
export interface Surroundings extends AsyncDisposable {
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The cost of a task. */
export interface Cost {
  readonly requests: number;
  readonly tokens: number;
  readonly seconds: number;
}

export interface TaskResult extends Cost {
  readonly set: string;
  readonly task: string;
  readonly pass: boolean;
  /** Why it failed; empty if it passed. */
  readonly why: string;
}

/** The results of a set; `skipped` says why it did not run. */
export interface SetResult {
  readonly set: string;
  readonly skipped: string | null;
  readonly tasks: readonly TaskResult[];
}
