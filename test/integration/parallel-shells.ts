import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';
import { DONE, plan, roleOf, stepOf, TASK } from '../fakes/planned-task.ts';

const shell = (command: string): DirectedReply => ({
  calls: [{ name: 'shell_command', arguments: { command } }],
});

/** Resolves for everyone once `count` have come. */
function meeting(count: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const go of waiting.splice(0)) go();
    });
}

/** Steps that go on at the same time, each with commands, over the real app, HTTP and a real sandbox. */
export function testParallelShells(sandbox: 'os' | 'docker'): void {
  it('have a shell each: folder, variables and functions of one are not those of the other', async () => {
    const saw: string[] = [];
    const meets = [meeting(3), meeting(3)];
    const bench = await openAppBench(
      async (request) => {
        switch (roleOf(request)) {
          case 'planner':
            return plan(
              ['one', 'two', 'three'].map((name) => ({ id: name, title: `Work on ${name}` })),
            );
          case 'judge':
            return DONE;
          case 'final':
            return { content: 'All three.' };
          case 'step': {
            const name = stepOf(request).replace('Work on ', '');
            const { results } = request;
            // Nobody asks what is there before everybody has changed it.
            await meets[results.length]?.();
            if (results.length === 0) {
              return shell(
                `mkdir -p ${name}; cd ${name}; export MINE=${name}; is_${name}() { :; }`,
              );
            }
            if (results.length === 1) {
              return shell(
                `echo "$PWD $MINE" $(declare -F | grep -o 'is_.*'); echo ${name} > mine.txt`,
              );
            }
            saw.push(/^\/workspace.*$/m.exec(results[1] ?? '')?.[0] ?? '');
            return { content: 'Done.' };
          }
        }
      },
      { parallelSteps: 3, sandbox },
    );
    const { run, of } = await bench.play(TASK);
    // The plan names no evidence for its steps.
    expect([run.status, of('parallel_start').length]).toEqual(['unverified', 1]);
    expect(saw.sort()).toEqual([
      '/workspace/one one is_one',
      '/workspace/three three is_three',
      '/workspace/two two is_two',
    ]);
    for (const name of ['one', 'two', 'three']) {
      expect(await bench.file(run.threadId, `${name}/mine.txt`)).toBe(`${name}\n`);
    }
  });
}
