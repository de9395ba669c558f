import type { Duplex } from 'node:stream';
import type { BackgroundProgram, ProbeResult, SandboxReport } from '#contract/entities.ts';
import type {
  CodeLanguage,
  ExecutionOutcome,
  SandboxChoice,
  SandboxKind,
  SandboxLevel,
} from '#contract/vocabulary.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import type { EgressClient } from '../egress/types.ts';
import type { SeenProcess } from './shell/shell-process.ts';

export interface SandboxLimits {
  /** All processes of the runtime together. */
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  /** Largest file that may be written. */
  readonly fileBytes: number;
  /**
   * How much of the host's disk one command and its background programs may use until the next command; no
   * limit if absent.
   */
  readonly diskBytes?: number;
}

/** A folder of the host that the user opened to programs, at the same path inside: real, and not the app's own. */
export interface OpenedFolder {
  readonly path: string;
  readonly access: 'read' | 'write';
}

export interface RuntimeSpec {
  /** `unified:{user}:{task}`; one runtime each. */
  readonly key: string;
  /** The workspace's folder on the host: the only writable place inside that outlives a command. */
  readonly workspaceDir: string;
  readonly limits: SandboxLimits;
  /** Throws `SANDBOX_UNAVAILABLE` where the provider cannot open any. None if absent. */
  readonly folders?: readonly OpenedFolder[];
  /** The connection between programs inside and the app; none if absent. */
  readonly channel?: RuntimeChannel;
}

/** Handles connections that programs inside open. They are not trusted. */
export interface RuntimeChannel {
  /** A connection to the proxy that `HTTP_PROXY` names inside. */
  onProxy(stream: Duplex): void;
  /** A call of the `hyperagent` module. */
  onCall(stream: Duplex): void;
}

/** Connects into a sandbox from outside: its ports are not reachable otherwise. */
export interface SandboxNetwork {
  /** Resolves when programs inside can use the proxy, or when it is certain that they never can. */
  readonly ready: Promise<void>;
  /** A connection to a port on the loopback inside; it ends with an error if nothing listens. */
  connect(port: number): Duplex;
}

export interface Command {
  readonly commandId: string;
  readonly language: CodeLanguage;
  /** Source of the program; for `bash` it runs in the runtime's shell session. */
  readonly code: string;
  /**
   * Python only: it imports nothing from the workspace, the environment or installed packages, so that no file
   * there runs as part of it. For inspecting what programs did.
   */
  readonly isolated?: boolean;
  /** False for a program that prints for days: all of it is streamed, and none is in the result. */
  readonly keepsOutput?: boolean;
  /** Milliseconds after which the command is killed and ends as `timed_out`. */
  readonly timeoutMs: number;
}

/** A piece of output; `offset` counts the UTF-16 units before it in its stream. */
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
  /** The whole output up to the runtime's cap; beyond it, head and tail with a note in between. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** True when the shell was restarted and its variables are gone; files are kept. */
  readonly sessionLost: boolean;
  /** Why the shell was restarted between commands, if background programs exceeded a limit. */
  readonly backgroundEnd?: 'out_of_memory' | 'out_of_disk';
}

/**
 * A warm sandbox. Commands run one at a time, in order of call; the shell's variables and directory,
 * files and installed packages survive between them. Aborting kills the command and what it started.
 * `/workspace` is the working directory inside.
 */
export interface SandboxRuntime extends AsyncDisposable {
  readonly level: SandboxLevel;
  /** Null if there is no channel, or its relay has died. */
  readonly network: SandboxNetwork | null;
  run(command: Command, options: CommandOptions): Promise<CommandResult>;
  /** Running programs besides the app's own processes; null if they cannot be seen from outside. */
  programs(): Promise<readonly SeenProcess[] | null>;
  /** Ends every program, including the shell and the current command. The next command gets a new shell. */
  endPrograms(): Promise<void>;
}

/** One kind of sandbox. Implementations pass `test/conformance/sandbox-provider.ts`. */
export interface SandboxProvider {
  readonly kind: SandboxKind;
  /**
   * Never chosen automatically, and not even inspected before the user selects it: files of the task leave
   * this computer.
   */
  readonly isOptIn?: true;
  /** Whether it can be used here, and if not, what to do. Does not start anything. */
  inspect(signal: AbortSignal): Promise<ProviderState>;
  /** Does slow preparation (builds the image). Progress is reported in lines. */
  prepare(onProgress: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** Tries to break out of a fresh runtime in every known way. */
  probe(signal: AbortSignal): Promise<ProbeResult[]>;
  start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime>;
}

export type ProviderState =
  | {
      readonly status: 'ready';
      readonly detail: string /** Changes when the isolation may have changed. */;
      readonly fingerprint: string;
    }
  | { readonly status: 'needs_preparation'; readonly detail: string; readonly remedy: string }
  | {
      readonly status: 'unavailable';
      readonly detail: string;
      readonly remedy: string;
      /** The error of a failed inspection. */
      readonly cause?: unknown;
    };

/** A change of the workspace between two checks. */
export interface WorkspaceChange {
  readonly operation: 'create' | 'modify' | 'delete';
  readonly path: string;
  readonly size: number;
}

/** A change, and which calls may have made it. */
export interface CreditedChange extends WorkspaceChange {
  /** The call that made it; all that ran at that time where it is not known which. */
  readonly by: readonly string[];
  /** Another call that may have made it has ended and reported it. */
  readonly isReported: boolean;
}

/** Credits changes of files to a call while it runs. */
export interface ChangeWatch extends Disposable {
  /** What changed before, while no call ran: by the user, or by programs in the background. */
  readonly others: readonly WorkspaceChange[];
  /** Ends it, and returns what changed by this call, by calls within it, or by one of several. */
  end(): Promise<CreditedChange[]>;
}

/**
 * The files of one workspace, accessed from outside the sandbox. Every path is relative and untrusted: one
 * that leads out, through a link or otherwise, throws `PATH_OUTSIDE_WORKSPACE`.
 */
export interface WorkspaceFiles {
  list(
    path: string,
    options?: { recursive?: boolean },
  ): Promise<{ entries: WorkspaceEntry[]; truncated: boolean }>;
  /** Reads at most `maxBytes`, from `offset` in bytes or the start; `size` is that of the whole file. */
  read(path: string, maxBytes: number, offset?: number): Promise<{ data: Buffer; size: number }>;
  write(path: string, data: string | Buffer): Promise<void>;
  /**
   * Writes a file whole or not at all: where the disk is full, or the app ends meanwhile, what was there stays. Another file is
   * then at `path`: `write` keeps the one that programs watch.
   */
  replace(path: string, data: string | Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}

/** The files of a task, and their changes. */
export interface Workspace extends WorkspaceFiles {
  readonly dir: string;
  /**
   * The current target of `path`, with links resolved, relative to the workspace; it need not exist. With
   * `keep`, a link at its end is not followed.
   */
  pathOf(path: string, lastLink: 'follow' | 'keep'): string;
  /** The same files, without following links: a link on the way throws `CONFLICT`. */
  withoutLinks(): WorkspaceFiles;
  /** Copies a file of the host in as `name`, made unique, in a folder if one is given; returns its path inside. */
  importFile(hostPath: string, name: string, folder?: string): Promise<string>;
  /**
   * Gives a file a new time, so that programs that watch it hear of its last change: many miss one that follows
   * another within 50 ms. It is no change by anybody.
   */
  touch(path: string): Promise<void>;
  /**
   * Does `work` while no other work of this kind is done: a change by the user and one by the model never mix. Not for
   * programs, which write when they like. `work` must not ask for it again.
   */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Credits changes to a call until it ends. `within`: the only paths that it changes, with all below them. */
  watch(callId: string, within?: readonly string[]): Promise<ChangeWatch>;
  /** Changes since the last look at the files, by anyone. The first one only records their state. */
  changes(): Promise<WorkspaceChange[]>;
}

export interface TaskSandbox {
  readonly workspace: Workspace;
  /**
   * The checked runtime of the task, started on first use. A sandbox that needs preparing (an image to download) is prepared
   * where `onProgress` is given. Throws `SANDBOX_…`.
   */
  runtime(options: {
    signal: AbortSignal;
    onProgress: ((line: string) => void) | null;
  }): Promise<SandboxRuntime>;
  /**
   * Why its programs are not certain to stay inside, and undoable, on this computer; null where they are. Starts the
   * sandbox, but prepares nothing.
   */
  whyUncontained(signal: AbortSignal): Promise<string | null>;
  /** Another runtime over the same files, for what must run during a command of this one. */
  beside(): TaskSandbox;
  /**
   * A separate shell over the same files and with the same egress, for parallel work: it has its own folder,
   * variables and background programs. One for each name, until disposed.
   */
  shell(name: string): TaskSandbox & AsyncDisposable;
  /** Gives programs inside egress through `egressClient` until disposed; between runs they have none. */
  openNetwork(egressClient: EgressClient): Disposable;
  /** Handles connections of the `hyperagent` module until disposed. */
  takeCalls(take: (stream: Duplex) => void): Disposable;
}

/** A run that uses the sandbox of its task. */
export interface SandboxRun {
  readonly runId: string;
  /** Everything that decides what programs may reach and do, as text to compare; read at begin and end of the run. */
  readonly network: () => string;
}

/** Programs in the sandbox of a task that no command waits for. */
export interface BackgroundPrograms {
  readonly programs: readonly BackgroundProgram[];
  /** False if programs cannot be seen from outside: there may be more. */
  readonly isKnown: boolean;
}

/** Gives each task its sandbox and keeps it warm; checks the isolation before first use. */
export interface SandboxService extends AsyncDisposable {
  /** Does not start a sandbox. */
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
   * Call before a run gives programs egress: ends programs that were started under another network policy,
   * with every shell, and returns them. Under the same policy they continue.
   */
  beginRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms>;
  /** Call when a run has ended or paused, with the argument of `beginRun`; returns the programs that continue. */
  leaveRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms>;
  programs(taskId: string): Promise<BackgroundPrograms>;
  /**
   * Ends all background programs of a task, seen or not, with its shells, and returns those that were seen.
   * With `runId`: in every runtime where that run had a command, because the owner of a program inside a
   * runtime is never certain.
   */
  endPrograms(taskId: string, runId?: string): Promise<BackgroundPrograms>;
  /** Copies the current files of a task to a new one. */
  copyTask(fromTaskId: string, toTaskId: string): Promise<void>;
  /** Ends the runtime and removes the workspace of a deleted task. */
  removeTask(taskId: string): Promise<void>;
}
