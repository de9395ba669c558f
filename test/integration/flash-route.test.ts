import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, file, plan, roleOf, stepOf, writeFileOfStep } from '../fakes/planned-task.ts';

/** A small model that is asked for the route of a task whose words leave it open. */

const UNCERTAIN = 'Make our docs searchable';
const FLASH = { tiers: { max: null, pro: null, flash: { provider: 'ollama', name: 'x' } } };
const isAsked = ({ system }: DirectedRequest): boolean =>
  system.startsWith('You decide how much work');

const model =
  (route: () => string) =>
  (request: DirectedRequest): DirectedReply => {
    if (isAsked(request)) return { content: route() };
    const role = roleOf(request);
    if (role === 'planner')
      return plan([
        { id: 'a', title: 'Make a.txt', evidence: [file('a.txt')] },
        { id: 'b', title: 'Make b.txt', evidence: [file('b.txt')] },
      ]);
    if (role === 'judge') return DONE;
    if (role === 'final') return { content: 'By a plan.' };
    return stepOf(request) === '' ? { content: 'Directly.' } : writeFileOfStep(request);
  };

describe('the Flash model', () => {
  it.each([
    ['sends a task to a plan', '{"route":"plan"}', 'complex', 'By a plan.'],
    ['leaves a task to the executor', '{"route":"one_step"}', 'uncertain', 'Directly.'],
    ['says nothing usable', 'I think so.', 'uncertain', 'Directly.'],
  ])('%s', async (_what, reply, route, answer) => {
    const bench = await openAppBench(
      model(() => reply),
      { ...FLASH, routeByModel: true },
    );
    const played = await bench.play(UNCERTAIN);
    expect([played.run.status, played.answer]).toEqual(['completed', answer]);
    expect(played.of('routing').map((event) => event.route)).toEqual([route]);
  });

  it('may fail', async () => {
    const bench = await openAppBench(
      model(() => {
        throw new Error('broken');
      }),
      { ...FLASH, routeByModel: true },
    );
    const { run, answer } = await bench.play(UNCERTAIN);
    expect([run.status, answer]).toEqual(['completed', 'Directly.']);
  });

  it.each([
    ['unless that is switched on', UNCERTAIN, FLASH],
    ['unless it is set', UNCERTAIN, { routeByModel: true }],
    ['where the words are certain', 'What is DNS?', { ...FLASH, routeByModel: true }],
  ])('is not asked %s', async (_where, prompt, settings) => {
    const bench = await openAppBench(
      model(() => '{"route":"plan"}'),
      settings,
    );
    const { answer } = await bench.play(prompt);
    expect([answer, bench.requests.filter(isAsked).length]).toEqual(['Directly.', 0]);
  });
});
