import type { Run } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { RunMode } from '#contract/vocabulary.ts';
import type { ServerOptionsInput } from '../../test/fakes/model-server/options.ts';
import type { ModelRule } from '../../test/fakes/research-model.ts';

/** What the scripted model answers: turn by turn, or by what it is asked. */
export type Script = NonNullable<ServerOptionsInput['turns']> | ModelRule;

/** What became of a task that the app was given. */
export interface Outcome {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  /** The answer at its end; empty where there is none. */
  readonly answer: string;
  /** A file of the workspace as text; null where it is not there. */
  readonly file: (path: string) => string | null;
  /** Paths of the workspace's files, sorted. */
  readonly files: readonly string[];
}

/** Null for done, else why it is not, in words. */
export type Verdict = string | null;

/** A task for the app. */
export interface AppTask {
  readonly name: string;
  readonly prompt: string;
  readonly mode?: RunMode;
  /** Text files that come along, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where what happened so far is enough, the run is stopped. */
  readonly until?: (event: RunEvent) => boolean;
  readonly check: (outcome: Outcome) => Verdict;
  readonly script: Script;
  /** Tools without which there is nothing to choose. */
  readonly tools?: readonly string[];
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
  /** Whether a source file is there, by its path from the top of the repository. */
  readonly has: (file: string) => boolean;
}

export interface EvalSet {
  readonly name: string;
  /** What of the app is not there, in words; null where all is. */
  readonly missing?: (parts: Parts) => string | null;
  /** Starts what the tasks need outside of the app, and says how the app is set for their time. */
  readonly prepare?: () => Promise<Surroundings>;
  readonly tasks: () => readonly EvalTask[] | Promise<readonly EvalTask[]>;
}

/** What stands around the app for the time of a set. */
export interface Surroundings extends AsyncDisposable {
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a task cost. */
export interface Cost {
  readonly requests: number;
  readonly tokens: number;
  readonly seconds: number;
}

export interface TaskResult extends Cost {
  readonly set: string;
  readonly task: string;
  readonly pass: boolean;
  /** Why it is no pass; empty for one. */
  readonly why: string;
}

/** A set and how it went; `skipped` says why nothing of it was done. */
export interface SetResult {
  readonly set: string;
  readonly skipped: string | null;
  readonly tasks: readonly TaskResult[];
}
