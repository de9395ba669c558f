import { expect, test } from 'vitest';
import { type DynamicBench, openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';

/** What becomes of a skill that is changed, switched off or removed while it is running, or in two windows. */

const WAITING = skillSource(
  "const { text } = await app.fetch('https://example.org/'); return { text };",
  {
    capabilities: ['fetch'],
  },
);

type Change = (bench: DynamicBench) => unknown;
const CHANGES: readonly (readonly [string, Change, string])[] = [
  ['removed', ({ catalogue }) => catalogue.remove('probe'), 'SKILL_UNKNOWN'],
  ['switched off', ({ registry }) => registry.setEnabled('probe', false), 'SKILL_DISABLED'],
  [
    'changed',
    ({ catalogue }) => catalogue.save('typescript', `${WAITING}// more\n`),
    'SKILL_NEEDS_REVIEW',
  ],
];

test.each(CHANGES)(
  'one that is %s while it is running finishes, and does not start again',
  async (_what, change, code) => {
    const bench = openDynamicBench();
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<{ content: string }>();
    bench.tools.fetch_page = () => {
      begun.resolve();
      return answer.promise;
    };
    await bench.add(WAITING);
    const ended = bench.invoke('probe');
    await begun.promise;
    await change(bench);
    bench.registry.changed();
    answer.resolve({ content: 'page' });
    expect(await ended).toMatchObject({ ok: true, output: { text: 'page' } });
    expect(await bench.invoke('probe')).toMatchObject({ ok: false, error: { code } });
  },
);

test.each(CHANGES)(
  'one that is %s while its run rests ends, typed, when the run goes on',
  async (_what, change, code) => {
    const bench = openDynamicBench({
      passesThrough: (error) => error instanceof Error && error.message === 'paused',
    });
    bench.tools.fetch_page = () => {
      throw new Error('paused');
    };
    await bench.add(WAITING);
    await expect(bench.invoke('probe', {}, 'run_1~same')).rejects.toThrow('paused');
    await change(bench);
    bench.registry.changed();
    const before = bench.events.length;
    expect(await bench.invoke('probe', {}, 'run_1~same')).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(bench.executions.find('run_1~same')).toMatchObject({
      status: 'failed',
      error: { code },
    });
    expect(bench.events.slice(before)).toMatchObject([
      { type: 'stage', name: 'skill_probe.execute', status: 'failed' },
      { type: 'stage', name: 'skill_probe', status: 'failed' },
    ]);
  },
);

test('a source that was changed elsewhere meanwhile is not written over unseen', async () => {
  const { catalogue } = openDynamicBench();
  const first = skillSource('return { at: 1 };');
  const [mine, theirs] = [`${first}// mine\n`, `${first}// theirs\n`];
  await catalogue.save('typescript', first, { base: null });
  const base = catalogue.describe('probe').code?.sha256 ?? '';
  await catalogue.save('typescript', theirs, { base });
  const newest = catalogue.describe('probe').code?.sha256 ?? '';
  await expect(catalogue.save('typescript', mine, { base })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', details: { skill: 'probe', newest } },
  });
  // A new skill that takes the id of another, as a template saved twice does.
  await expect(catalogue.save('typescript', mine, { base: null })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(catalogue.versions('probe').map(({ source }) => source)).toEqual([theirs, first]);
  // The same as there is, or over what the user was shown.
  await catalogue.save('typescript', theirs, { base });
  await catalogue.save('typescript', mine, { base: newest });
  expect(catalogue.versions('probe').map(({ source }) => source)).toEqual([mine, theirs, first]);
});
