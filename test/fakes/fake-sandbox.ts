import type { PushMessage } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';

/** Sandboxes as main reports them: the programs of tasks, and an image whose build only talks. */
export function fakeSandboxRequests({
  state,
  push,
}: {
  readonly state: () => FakeState;
  readonly push: (message: PushMessage) => void;
}) {
  return {
    'sandbox.status': () => ({ sandboxes: state().setupCheck.sandboxes }),
    'sandbox.programs': ({ threadId }: { threadId: string }) => ({
      programs: state().programs.get(threadId) ?? [],
      isKnown: true,
    }),
    'sandbox.endPrograms': ({ threadId }: { threadId: string }) => {
      state().programs.delete(threadId);
      return {};
    },
    'sandbox.build': () => {
      for (const line of [
        'Step 1/4 : FROM debian:bookworm-slim',
        'Step 2/4 : RUN apt-get install python3',
      ]) {
        push({ kind: 'sandbox_progress', line });
      }
      return {};
    },
  };
}
