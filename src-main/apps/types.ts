import type { Duplex } from 'node:stream';
import type { AppPart, AppTemplate, TaskApp } from '#contract/apps.ts';
import type { WriteBytes } from '../base/zip-writer.ts';
import type { AppCheckParts, AppReport } from './check-app.ts';
import type { AppZip } from './export/zip-app.ts';
import type { TemplateFile } from './templates.ts';

/** What to start: a folder of the workspace, and a line of shell in place of what its `package.json` says. */
export interface ServerWish {
  readonly folder: string;
  readonly command?: string | undefined;
  /** Ends a server that runs as wished, and starts it again. */
  readonly restart?: boolean | undefined;
}

/** What a check is made with. */
export type AppCheckWish = Pick<AppCheckParts, 'files' | 'touch' | 'runtime' | 'steps' | 'signal'>;

/** The apps of tasks: one each, with its server in the sandbox of the task and a preview of it. */
export interface AppService extends AsyncDisposable {
  state(threadId: string): TaskApp;
  /** The files of a new app; nothing is written. */
  files(template: AppTemplate, title: string): Promise<readonly TemplateFile[]>;
  /** This folder is the app of the task from now on; the server of another one is stopped. */
  made(
    threadId: string,
    app: { readonly folder: string; readonly template: AppTemplate },
  ): Promise<void>;
  /**
   * Starts the server of an app, or returns one that runs as wished. Resolves once it answers or has ended, or after
   * some time without either. Throws `NOT_FOUND` where the folder is no project, `APP_UNAVAILABLE`, `SANDBOX_…`.
   */
  start(threadId: string, wish: ServerWish | null, signal: AbortSignal): Promise<TaskApp>;
  /** Stops the server; it does not come back by itself. */
  stop(threadId: string): Promise<TaskApp>;
  /** Does work that needs its server stopped. One that was started starts again after it; that is not waited for. */
  whileStopped<Result>(threadId: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * The files that its server still has as they were, after some time in which it may notice them; none where no server
   * runs.
   */
  stale(threadId: string, signal: AbortSignal): Promise<readonly string[]>;
  show(threadId: string, port: number): TaskApp;
  /** The newest output of its server, or its last lines. */
  log(threadId: string, lines?: number): string;
  /** Checks the app that runs: see `checkApp`. Throws `NOT_FOUND` where the task has none, `BROWSER_UNAVAILABLE`. */
  check(threadId: string, wish: AppCheckWish): Promise<AppReport>;
  /**
   * Builds the app for production, and starts and looks at what was built; the server goes on. Its state says how it
   * went. Throws `NOT_FOUND` and `BAD_REQUEST` for what cannot be built, `CONFLICT` while a build runs, `SANDBOX_…`.
   */
  build(threadId: string, signal: AbortSignal): Promise<TaskApp>;
  /** Stops a build. Resolves when it has ended. */
  cancelBuild(threadId: string): Promise<TaskApp>;
  /** Writes the app as a zip file: see `zipApp`. */
  zip(
    threadId: string,
    part: AppPart,
    target: { readonly write: WriteBytes; readonly signal: AbortSignal },
  ): Promise<AppZip>;
  /** It is in use: the time after which it is stopped begins again. */
  use(threadId: string): void;
  /** Its open preview, and a connection to it without the network; null where none is open. */
  preview(threadId: string): { readonly host: string; readonly connect: () => Duplex } | null;
  /** Ends what belongs to a task that is deleted. */
  close(threadId: string): Promise<void>;
}
