import type { Duplex } from 'node:stream';
import type {
  BackgroundProgram,
  ProbeResult,
  SandboxReport,
  WorkspaceEntry,
} from '#contract/entities.ts';
import type {
  CodeLanguage,
  ExecutionOutcome,
  SandboxChoice,
  SandboxKind,
  SandboxLevel,
} from '#contract/vocabulary.ts';
import type { EgressClient } from '../egress/types.ts';
import type { SeenProcess } from './shell/shell-process.ts';

export interface SandboxLimits {
  /** For all processes of the runtime together. */
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  /** Largest file that may be written. */
  readonly fileBytes: number;
  /**
   * What one command may take of the host's disk in all, with what goes on in the background after it, until
   * the next one; absent: no limit.
   */
  readonly diskBytes?: number;
}

export interface RuntimeSpec {
  /** `unified:{user}:{task}`; one runtime each. */
  readonly key: string;
  /** Folder of the host that is the workspace inside, the only writable place that outlives a command. */
  readonly workspaceDir: string;
  readonly limits: SandboxLimits;
  /** The one way between programs inside and the app; absent: there is none. */
  readonly channel?: RuntimeChannel;
}

/** What the app makes of connections that programs inside open. They are not trusted. */
export interface RuntimeChannel {
  /** To the proxy that `HTTP_PROXY` names inside. */
  onProxy(stream: Duplex): void;
  /** Calls of the `hyperagent` module. */
  onCall(stream: Duplex): void;
}

/** The way into a sandbox from outside: a sandbox has no port of its own. */
export interface SandboxNetwork {
  /** Resolves when programs inside can use the proxy, or when it is known that they never can. */
  readonly ready: Promise<void>;
  /** A connection to a port on the loopback inside; it ends with an error when none listens. */
  connect(port: number): Duplex;
}

export interface Command {
  readonly commandId: string;
  readonly language: CodeLanguage;
  /** Source of the program; for `bash` it runs in the runtime's one shell session. */
  readonly code: string;
  /**
   * Python only: it gets nothing of the workspace, of the environment, or of installed packages, so that
   * no file that is there runs as a part of it. For looking at what programs did.
   */
  readonly isolated?: boolean;
  /** Milliseconds; past them the command is killed and ends as `timed_out`. */
  readonly timeoutMs: number;
}

/** A piece of output as it is printed; `offset` counts the UTF-16 units of that stream before it. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly offset: number;
  readonly text: string;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: OutputChunk) => void;
}

export interface CommandResult {
  readonly outcome: ExecutionOutcome;
  /** Null unless `completed`. */
  readonly exitCode: number | null;
  /** Whole output up to the runtime's cap; then its head and tail with a mark between. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** True when the shell was restarted and its variables are gone; files are kept. */
  readonly sessionLost: boolean;
  /** Why that was done between commands, where programs in the background passed a limit. */
  readonly backgroundEnd?: 'out_of_memory' | 'out_of_disk';
}

/**
 * A warm sandbox. Commands run one at a time, in order of call; the shell's variables and directory,
 * files and installed packages survive between them. Aborting kills the command and what it started.
 * `/workspace` is the working directory inside.
 */
export interface SandboxRuntime extends AsyncDisposable {
  readonly level: SandboxLevel;
  /** Null where there is no channel, or its relay has died. */
  readonly network: SandboxNetwork | null;
  run(command: Command, options: CommandOptions): Promise<CommandResult>;
  /** What runs beside the app's own processes; null where nobody outside can see that. */
  programs(): Promise<readonly SeenProcess[] | null>;
  /** Ends every program, the shell and a command that runs too. The next command gets a new shell. */
  endPrograms(): Promise<void>;
}

/** One way to build a wall. Implementations pass `test/conformance/sandbox-provider.ts`. */
export interface SandboxProvider {
  readonly kind: SandboxKind;
  /**
   * Never picked by itself, and not even looked at before the person names it: files of the task
   * leave this computer.
   */
  readonly isOptIn?: true;
  /** Whether it can be used here, and if not, the one thing to do. Does not start anything. */
  inspect(signal: AbortSignal): Promise<ProviderState>;
  /** Makes ready what takes long (the image). Progress is a line each. */
  prepare(onProgress: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** Tries to break out of a fresh runtime in every known way. */
  probe(signal: AbortSignal): Promise<ProbeResult[]>;
  start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime>;
}

export type ProviderState =
  | {
      readonly status: 'ready';
      readonly detail: string /** Changes when the wall could have changed. */;
      readonly fingerprint: string;
    }
  | { readonly status: 'needs_preparation'; readonly detail: string; readonly remedy: string }
  | {
      readonly status: 'unavailable';
      readonly detail: string;
      readonly remedy: string;
      /** What failed when it was looked at. */
      readonly cause?: unknown;
    };

/** A change of the workspace between two looks at it. */
export interface WorkspaceChange {
  readonly operation: 'create' | 'modify' | 'delete';
  readonly path: string;
  readonly size: number;
}

/**
 * The files of one workspace, seen from outside the wall. Every path is relative and untrusted:
 * what leads out, over a link or otherwise, throws `PATH_OUTSIDE_WORKSPACE`.
 */
export interface WorkspaceFiles {
  list(
    path: string,
    options?: { recursive?: boolean },
  ): Promise<{ entries: WorkspaceEntry[]; truncated: boolean }>;
  /** At most `maxBytes` from the start; `size` is the whole. */
  read(path: string, maxBytes: number): Promise<{ data: Buffer; size: number }>;
  write(path: string, data: string | Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}

/** The files of a task, and what happens to them. */
export interface Workspace extends WorkspaceFiles {
  readonly dir: string;
  /**
   * Where `path` leads now, over no link and relative to the workspace; it need not exist. With `keep`, a
   * link at its end is the end.
   */
  pathOf(path: string, lastLink: 'follow' | 'keep'): string;
  /** The same files, opened by their names alone: a link on the way throws `CONFLICT`. */
  withoutLinks(): WorkspaceFiles;
  /** Copies a file of the host in under `name`, made unique; returns its path inside. */
  importFile(hostPath: string, name: string): Promise<string>;
  /** Takes stock, unless that was done: what is there now is no change. */
  markBaseline(): Promise<void>;
  /** What changed since the last call, or since stock was taken. The first call only looks. */
  changes(): Promise<WorkspaceChange[]>;
}

export interface TaskSandbox {
  readonly workspace: Workspace;
  /** The proved runtime of the task, started on first use. Throws `SANDBOX_…`. */
  runtime(options: {
    signal: AbortSignal;
    onProgress: (line: string) => void;
  }): Promise<SandboxRuntime>;
  /** Another runtime over the same files, for what must run while a command of this one does. */
  beside(): TaskSandbox;
  /**
   * A shell of its own over the same files and the same way out, for work that goes on at the same time:
   * folder, variables and background programs are its own. One for each name, until it is disposed.
   */
  lane(name: string): TaskSandbox & AsyncDisposable;
  /** Lets programs inside out through `egressClient` until disposed; between runs there is no way out. */
  openNetwork(egressClient: EgressClient): Disposable;
  /** Takes connections of the `hyperagent` module until disposed. */
  takeCalls(take: (stream: Duplex) => void): Disposable;
}

/** A run that uses the sandbox of its task. */
export interface SandboxRun {
  readonly runId: string;
  /** All that says what programs may reach and do, as text to compare; read when the run begins, and at its end. */
  readonly network: () => string;
}

/** What runs in the sandbox of a task without a command that waits for it. */
export interface BackgroundPrograms {
  readonly programs: readonly BackgroundProgram[];
  /** False where nobody outside can see what runs in there: there may be more. */
  readonly isKnown: boolean;
}

/** Gives each task its one sandbox and keeps it warm; proves the wall before first use. */
export interface SandboxService extends AsyncDisposable {
  /** No sandbox is started by this. */
  forTask(taskId: string, choice: SandboxChoice): TaskSandbox;
  /** Starts the runtime in the background, so that it is warm when the model has answered. */
  warm(taskId: string, choice: SandboxChoice): void;
  report(options: { probe: boolean; signal: AbortSignal }): Promise<SandboxReport[]>;
  prepare(
    kind: SandboxKind,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Before a run lets programs out: ends what was started under another network policy, with every shell, and
   * gives it back. The same policy lets it go on.
   */
  beginRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms>;
  /** To be called when a run is over or rests, with what was given to `beginRun`: what goes on after it. */
  leaveRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms>;
  programs(taskId: string): Promise<BackgroundPrograms>;
  /**
   * Ends all that runs for a task in the background, seen or not, with its shells, and gives back what was
   * seen. With `runId`: wherever that run had a command; behind one wall nothing tells for certain whose a
   * program is.
   */
  endPrograms(taskId: string, runId?: string): Promise<BackgroundPrograms>;
  /** Gives a new task the files of another as they are now. */
  copyTask(fromTaskId: string, toTaskId: string): Promise<void>;
  /** Ends the runtime and removes the workspace of a deleted task. */
  removeTask(taskId: string): Promise<void>;
}
