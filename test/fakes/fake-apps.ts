import type { AppBuild, AppPart, AppState, TaskApp } from '#contract/apps.ts';
import type { PushMessage } from '#contract/requests.ts';
import { Refusal } from './refusal.ts';

const NONE = {
  ...{ folder: null, template: null, server: 'stopped', comesBack: false },
  ...{ previewUrl: null, ports: [], problem: null, build: null },
} as const satisfies Omit<TaskApp, 'threadId'>;

const BUILDING: AppBuild = {
  ...{ status: 'running', folder: null, files: 0, bytes: 0, unchecked: null, problem: null },
};

/** Apps as main has them: a server that starts when it is asked to, at an address that a test gives. */
export class FakeApps {
  /** Where a server that is started is shown. */
  previewUrl = 'http://fake.localhost:9/';
  /** How the next build ends. */
  built: Promise<AppBuild> = Promise.resolve({
    ...{ status: 'completed', folder: 'habits/dist', files: 4, bytes: 190_000 },
    ...{ unchecked: null, problem: null },
  });
  #stopBuild: () => void = () => undefined;
  readonly logs = new Map<string, string>();
  /** Oldest first, by task. */
  readonly states = new Map<string, AppState[]>();
  /** JPEG in base64, by snapshot. */
  readonly pictures = new Map<string, string>();
  /** Tasks whose server was started by the window, in order. */
  readonly started: string[] = [];
  readonly #states = new Map<string, TaskApp>();
  readonly #push: (message: PushMessage) => void;

  constructor(push: (message: PushMessage) => void) {
    this.#push = push;
  }

  state(threadId: string): TaskApp {
    return this.#states.get(threadId) ?? { threadId, ...NONE };
  }

  /** Changes an app as main does, and tells windows. */
  change(threadId: string, change: Partial<TaskApp>): TaskApp {
    const app = { ...this.state(threadId), ...change };
    this.#states.set(threadId, app);
    this.#push({ kind: 'app_changed', app });
    return app;
  }

  readonly handlers = {
    'apps.state': ({ threadId }: { threadId: string }) => this.state(threadId),
    'apps.start': ({ threadId }: { threadId: string }) => {
      if (this.state(threadId).folder === null) {
        throw new Refusal('NOT_FOUND', 'This task has no app.');
      }
      this.started.push(threadId);
      const { previewUrl } = this;
      return this.change(threadId, {
        ...{ server: 'running', previewUrl, ports: [5173], comesBack: true, problem: null },
      });
    },
    'apps.stop': ({ threadId }: { threadId: string }) =>
      this.change(threadId, { server: 'stopped', previewUrl: null, ports: [], comesBack: false }),
    'apps.show': ({ threadId, port }: { threadId: string; port: number }) => {
      const { ports } = this.state(threadId);
      return this.change(threadId, { ports: [port, ...ports.filter((one) => one !== port)] });
    },
    'apps.log': ({ threadId }: { threadId: string }) => ({ text: this.logs.get(threadId) ?? '' }),
    'apps.states': ({ threadId }: { threadId: string }) => ({
      states: this.states.get(threadId) ?? [],
    }),
    'apps.picture': ({ snapshotId }: { threadId: string; snapshotId: string }) => {
      const data = this.pictures.get(snapshotId);
      if (data === undefined) throw new Refusal('NOT_FOUND', 'There is no picture of this state.');
      return { data };
    },
    'apps.use': () => ({}),
    'apps.build': async ({ threadId }: { threadId: string }) => {
      this.change(threadId, { build: BUILDING });
      const stopped = Promise.withResolvers<AppBuild>();
      this.#stopBuild = () => stopped.resolve({ ...BUILDING, status: 'cancelled' });
      const build = await Promise.race([this.built, stopped.promise]);
      return this.change(threadId, { build });
    },
    'apps.cancelBuild': ({ threadId }: { threadId: string }) => {
      this.#stopBuild();
      return this.state(threadId);
    },
    'apps.zip': ({ part }: { threadId: string; part: AppPart }) => ({
      fileName: part === 'build' ? 'habits-built.zip' : 'habits.zip',
      data: btoa(`the ${part}`),
      leftOut: part === 'build' ? [] : ['.env'],
    }),
  };
}
