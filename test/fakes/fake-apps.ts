import type { TaskApp } from '#contract/apps.ts';
import type { PushMessage } from '#contract/requests.ts';
import { Refusal } from './refusal.ts';

const NONE = {
  ...{ folder: null, template: null, server: 'stopped', comesBack: false },
  ...{ previewUrl: null, ports: [], problem: null },
} as const satisfies Omit<TaskApp, 'threadId'>;

/** Apps as main has them: a server that starts when it is asked to, at an address that a test gives. */
export class FakeApps {
  /** Where a server that is started is shown. */
  previewUrl = 'http://fake.localhost:9/';
  readonly logs = new Map<string, string>();
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
    'apps.use': () => ({}),
  };
}
