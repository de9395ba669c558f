import { expect, it } from 'vitest';
import { ProgramsOfTasks } from '#main/sandbox/background-programs.ts';
import type { SandboxRuntime } from '#main/sandbox/types.ts';

/** A runtime with one program. From the moment that it is to end, the shell knows nothing of it any more. */
function runtimeOf(end: Promise<void>) {
  let isKnown = true;
  const seen = [{ id: 'p1', pid: 7, command: 'python3 ask.py', startedAt: 0 }];
  return {
    network: null,
    programs: async () => (isKnown ? seen : []),
    endPrograms: () => {
      isKnown = false;
      return end;
    },
  } as unknown as SandboxRuntime;
}

it('lists nothing as ended before it is', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const runtime = runtimeOf(promise);
  const programs = new ProgramsOfTasks(() => [runtime]);
  programs.noteCommand('t', runtime);
  expect((await programs.list('t')).programs).toHaveLength(1);
  const order: string[] = [];
  const ended = programs.end('t').then(() => order.push('ended'));
  const listed = programs.list('t').then((list) => order.push(`${list.programs.length} left`));
  await new Promise((later) => setTimeout(later, 20));
  order.push('still ending');
  resolve();
  await Promise.all([ended, listed]);
  expect(order[0]).toBe('still ending');
  expect(order).toContain('0 left');
});

it('lists again after programs could not be ended', async () => {
  const runtime = runtimeOf(Promise.reject(new Error('They are still there')));
  const programs = new ProgramsOfTasks(() => [runtime]);
  programs.noteCommand('t', runtime);
  await expect(programs.end('t')).rejects.toThrow('They are still there');
  expect((await programs.list('t')).programs).toEqual([]);
});
