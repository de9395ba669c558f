import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { DONE, plan, roleOf, stepOf, TASK } from '../fakes/planned-task.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const STEPS = ['red', 'green', 'blue'] as const;
const ROUNDS = 5;

/** Writes two files of the step, each a while after the other. */
const program = (step: string, round: number): string =>
  `for i in 1 2; do echo ${round} > ${step}-${round}-$i.txt; sleep 0.0${round}; done`;

it.skipIf(!osSandboxReady)(
  `no change of parallel steps is credited to a call that did not make it${osSandboxNote}`,
  async () => {
    const bench = await openAppBench(
      (request) => {
        switch (roleOf(request)) {
          case 'planner':
            return plan(STEPS.map((title) => ({ id: title, title })));
          case 'judge':
            return DONE;
          case 'final':
            return { content: 'It works.' };
          case 'step': {
            const round = request.results.length + 1;
            if (round > ROUNDS) return { content: 'I ran it.' };
            const code = program(stepOf(request), round);
            return { calls: [{ name: 'execute_code', arguments: { language: 'bash', code } }] };
          }
        }
      },
      { parallelSteps: 3 },
    );
    const { of } = await bench.play(TASK, { approve: 'all' });
    const stepOfCall = new Map(
      of('tool_call').map((call) => [call.toolCallId, JSON.stringify(call.arguments)]),
    );
    const changes = of('workspace_update');
    const wrong = changes.filter(({ path, origin, among = [origin] }) => {
      const step = path.split('-')[0] ?? '';
      return !among.some((id) => stepOfCall.get(id)?.includes(`${step}-`) === true);
    });
    expect(wrong).toEqual([]);
    // Each of the 30 files is new once; one that was seen before its text was in it changes after that.
    const created = changes.filter(({ operation }) => operation === 'create');
    const later = changes.filter(({ operation }) => operation !== 'create');
    for (const change of later) {
      expect(change.operation).toBe('modify');
      const first = created.find(({ path }) => path === change.path);
      expect(first?.seq).toBeLessThan(change.seq);
      expect(first?.size, change.path).toBe(0);
    }
    expect(created.map(({ path }) => path).sort()).toEqual(
      STEPS.flatMap((step) =>
        Array.from(
          { length: ROUNDS * 2 },
          (_, i) => `${step}-${Math.floor(i / 2) + 1}-${(i % 2) + 1}.txt`,
        ),
      ).sort(),
    );
  },
);
