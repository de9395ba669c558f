import { z } from 'zod';

const id = z.string().min(1).max(100);
const task = z.strictObject({ threadId: id });
const nothing = z.strictObject({});

/** What an app starts from: folders of `resources/templates`. */
export const AppTemplate = z.enum(['static', 'react', 'vue', 'express']);
export type AppTemplate = z.infer<typeof AppTemplate>;

/** The addresses of previews: a name that nobody can guess, on this computer alone. */
const PREVIEW = /^(?:http|ws):\/\/[0-9a-f]{16}\.localhost:\d{1,5}\//;

/** Whether an address may be that of a preview: the only ones of others that a window shows in a frame. */
export function isPreviewUrl(url: string): boolean {
  return PREVIEW.test(url);
}

/** Characters that `apps.log` returns at most. */
export const APP_LOG_CHARS = 64 * 1024;

/** The largest zip file of an app that a window saves. */
export const APP_ZIP_BYTES = 32 * 1024 * 1024;

/** A production build of an app: the one that runs, or the last one since HyperAgent was started. */
export const AppBuild = z.strictObject({
  /** `completed`: it was built, and started if it could be. */
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  /** The built files, a folder of the workspace; null where there are none: an app that only starts, or none yet. */
  folder: z.string().nullable(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** What was not checked, and why; null where it was started and its page looked at. */
  unchecked: z.string().nullable(),
  /** Why it failed. The words of programs in the sandbox and of the page. */
  problem: z.string().nullable(),
});
export type AppBuild = z.infer<typeof AppBuild>;

/** What is in a zip file of an app: what it is made of, or what its build made of it. */
export const AppPart = z.enum(['project', 'build']);
export type AppPart = z.infer<typeof AppPart>;

/** The app that a task builds, as a window shows it. */
export const TaskApp = z.strictObject({
  threadId: id,
  /** Its folder in the workspace; null where the task has no app. */
  folder: z.string().nullable(),
  /** Null for a project that came from elsewhere. */
  template: AppTemplate.nullable(),
  /** `failed`: it ended by itself, or could not start; `problem` says why. */
  server: z.enum(['stopped', 'starting', 'running', 'failed']),
  /** Whether it starts again by itself when the task is opened: only the user's own stop ends that. */
  comesBack: z.boolean(),
  /** Where the app is shown; null unless its server runs. It reveals itself to nobody who does not know it. */
  previewUrl: z.string().nullable(),
  /** Ports inside the sandbox that answer; the first is the one that is shown. */
  ports: z.array(z.int()),
  /** What is wrong, and what to do; null where all is well. */
  problem: z.string().nullable(),
  /** Null where none was made. */
  build: AppBuild.nullable(),
});
export type TaskApp = z.infer<typeof TaskApp>;

/** A state of the files of a task, as they were after a turn, or after the user changed them. */
export const AppState = z.strictObject({
  /** What goes back to it: `snapshots.restore`. */
  snapshotId: id,
  at: z.int(),
  /** `restore`: an earlier state that is not kept any more. */
  by: z.enum(['turn', 'user', 'restore']),
  /** The first line of what the user asked for in that turn; null where that is not known. */
  prompt: z.string().nullable(),
  /** The snapshot before its turn, to compare with; null where there were no files. */
  since: id.nullable(),
  /** Whether the files are so now. */
  isCurrent: z.boolean(),
  /** Whether `apps.picture` has one of it. */
  hasPicture: z.boolean(),
});
export type AppState = z.infer<typeof AppState>;

/** Requests about the apps of tasks; a part of `REQUESTS`. A task that does not exist is `NOT_FOUND`. */
export const APP_REQUESTS = {
  'apps.state': { effect: 'read', input: task, output: TaskApp },
  /** Starts the server again, or for the first time. `NOT_FOUND` where the task has no app. */
  'apps.start': { effect: 'once', input: task, output: TaskApp },
  'apps.stop': { effect: 'once', input: task, output: TaskApp },
  /** Shows another port of the app. `BAD_REQUEST` for one that does not answer. */
  'apps.show': {
    effect: 'once',
    input: z.strictObject({ threadId: id, port: z.int().min(1).max(65_535) }),
    output: TaskApp,
  },
  /** The newest output of the server: the words of programs in the sandbox. */
  'apps.log': { effect: 'read', input: task, output: z.strictObject({ text: z.string() }) },
  /**
   * Builds the app for production, starts what was built beside its server, and looks at its page. Resolves at the end;
   * `build` says how it went. `NOT_FOUND` where the task has no app, `BAD_REQUEST` where it has no build, `CONFLICT` while
   * one runs.
   */
  'apps.build': { effect: 'once', input: task, output: TaskApp },
  'apps.cancelBuild': { effect: 'once', input: task, output: TaskApp },
  /**
   * The files of the app as a zip file, in base64. `NOT_FOUND` where the task has no app or it was not built,
   * `FILE_TOO_LARGE` over `APP_ZIP_BYTES`.
   */
  'apps.zip': {
    effect: 'read',
    input: z.strictObject({ threadId: id, part: AppPart }),
    output: z.strictObject({
      fileName: z.string(),
      data: z.base64(),
      /** Files that are not in it and might be missed, such as `.env`: the first 20. */
      leftOut: z.array(z.string()),
    }),
  },
  /** The newest states, oldest first. */
  'apps.states': {
    effect: 'read',
    input: task,
    output: z.strictObject({ states: z.array(AppState) }),
  },
  /** What the app looked like in a state: JPEG, in base64. `NOT_FOUND` where there is no picture. */
  'apps.picture': {
    effect: 'read',
    input: z.strictObject({ threadId: id, snapshotId: id }),
    output: z.strictObject({ data: z.base64() }),
  },
  /** The app is looked at: its server goes on for another half an hour. */
  'apps.use': { effect: 'read', input: task, output: nothing },
} as const;
