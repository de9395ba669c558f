import type { AppServices, Broadcast, RequestHandlers } from '../types.ts';

export function sandboxHandlers(
  { sandbox }: AppServices,
  broadcast: Broadcast,
): Pick<
  RequestHandlers,
  'sandbox.status' | 'sandbox.build' | 'sandbox.programs' | 'sandbox.endPrograms'
> {
  return {
    'sandbox.status': async (_input, client) => ({
      sandboxes: await sandbox.report({ probe: false, signal: client.closed }),
    }),
    'sandbox.build': async () => {
      // Not tied to the window: a user who closes it still wants the image.
      const signal = new AbortController().signal;
      await sandbox.prepare(
        'docker',
        (line) => broadcast({ kind: 'sandbox_progress', line }),
        signal,
      );
      return {};
    },
    'sandbox.programs': async ({ threadId }) => {
      const { programs, isKnown } = await sandbox.programs(threadId);
      return { programs: [...programs], isKnown };
    },
    'sandbox.endPrograms': async ({ threadId }) => {
      await sandbox.endPrograms(threadId);
      return {};
    },
  };
}
