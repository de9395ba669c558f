import { expect, test } from 'vitest';
import type { DirectedRequest } from '../../../fakes/directed-model.ts';
import { openSkillBench } from '../../../fakes/skill-bench.ts';

const HEADINGS = ['Hive', 'Honey', 'Winter'];
const sectionOf = ({ turn }: DirectedRequest): string =>
  /Write section \d+, "(.*?)"/.exec(turn)?.[1] ?? 'outline';

test('a text that was interrupted is written on from where it was, into the same file', async () => {
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let isHeld = true;
  const bench = await openSkillBench(async (request) => {
    const section = sectionOf(request);
    if (section === 'outline') {
      const sections = HEADINGS.map((heading) => ({ heading, points: `About ${heading}.` }));
      return { content: JSON.stringify({ title: 'On Bees', sections }) };
    }
    if (section === 'Honey' && isHeld) {
      reached.resolve();
      await release.promise;
    }
    return { content: `All about ${section}.` };
  });
  const { api, runs } = bench.app;
  const params = { request: 'Bees.', length: 'long' };
  const { run } = await bench.begin('simple_writing', params);
  await reached.promise;
  api['runs.pause']({ runId: run.id });
  isHeld = false;
  release.resolve();
  expect((await runs.settled(run.id)).status).toBe('paused');
  const before = bench.requests.map(sectionOf);
  api['runs.resume']({ runId: run.id });
  const played = await bench.end(run.id);
  expect(played.output).toMatchObject({
    content: `# On Bees\n\n${HEADINGS.map((name) => `## ${name}\n\nAll about ${name}.`).join('\n\n')}`,
    path: 'on-bees.md',
  });
  const asked = bench.requests.map(sectionOf);
  // What was answered before is not asked again.
  expect(asked.slice(before.length)).not.toContain('outline');
  expect(asked.slice(before.length)).not.toContain('Hive');
  expect(played.execution?.status).toBe('completed');
  expect(played.of('skill_output')).toHaveLength(1);
  expect(played.stages.filter((stage) => stage === 'write')).toHaveLength(1);
});

test('a run that is cancelled leaves its skill cancelled, and the model is let go', async () => {
  const reached = Promise.withResolvers<void>();
  const bench = await openSkillBench(async () => {
    reached.resolve();
    return new Promise(() => undefined);
  });
  const { run } = await bench.begin('task_planning', { task: 'Move the site.' });
  await reached.promise;
  await bench.app.api['runs.cancel']({ runId: run.id });
  const played = await bench.end(run.id);
  expect(played.run.status).toBe('cancelled');
  expect(played.execution).toMatchObject({ status: 'cancelled', output: null });
  expect(played.of('skill_output')).toEqual([]);
});
