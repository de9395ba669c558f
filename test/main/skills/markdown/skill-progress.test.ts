import { expect, it } from 'vitest';
import type { SkillStep } from '#contract/skills.ts';
import { parseSteps } from '#main/skills/markdown/parse-steps.ts';
import {
  describePlace,
  describeUnfinished,
  PLACE_CHARS,
} from '#main/skills/markdown/progress-text.ts';
import {
  answerCheckpoint,
  completeStep,
  currentStep,
  type Moved,
  noteUserMessage,
  readSubskill,
  requiredLeft,
  startProgress,
  withRefusal,
} from '#main/skills/markdown/skill-progress.ts';

const FILES = ['SKILL.md', 'sub/one.md', 'sub/two.md', 'sub/a b.md', 'two/deep.md', 'deep.md'];
const parse = (list: string) => parseSteps(`# T\n\n## Steps\n${list}\n`, { files: FILES });
const step = (title: string, more: Partial<SkillStep> = {}) => ({
  title,
  subskills: [],
  checkpoints: [],
  ...more,
});
const stepsOf = (list: string) => parse(list).steps.map(({ number: _, ...rest }) => rest);

it('reads titles, files, checkpoints and marks of steps', () => {
  expect(
    stepsOf(
      [
        '1. **Agree on it**: with `checkpoint: one_two`, or Checkpoint: three.',
        '2. Read the plan. Then [one](sub/one.md#top "title") and [two](./sub/two.md), not [that](https://x.test/y.md).',
        '   - nested: call → one, call -> deep',
        '3) (optional) (REPEAT) Look at `sub/two.md` and read two.md!',
        '4. [**Linked**](sub/one.md) (waits)',
      ].join('\n'),
    ),
  ).toEqual([
    step('Agree on it', { checkpoints: ['one_two', 'three'] }),
    step('Read the plan', { subskills: ['sub/one.md', 'sub/two.md', 'deep.md'] }),
    step('Look at sub/two.md and read two.md!', {
      subskills: ['sub/two.md'],
      marks: ['optional', 'repeat'],
    }),
    step('Linked', { subskills: ['sub/one.md'], marks: ['waits'] }),
  ]);
});

it('takes the steps to the next heading, and none from fences or other headings', () => {
  const body =
    '## steps ##\n1. One.\n### Below\n2. Two.\n```\n3. Three.\n```\n## After\n4. Four.\n';
  expect(parseSteps(body, { files: [] }).steps.map(({ title }) => title)).toEqual(['One', 'Two']);
  expect(parseSteps('# Steps\n1. One.\n## Steps to take\n1. Two.', { files: [] }).steps).toEqual(
    [],
  );
});

it('takes no list within an item for steps, and no mark of its parts for its own', () => {
  expect(
    stepsOf(
      [
        '1. **Draw.**',
        '   1. Add a title.',
        '   2. Add a legend (optional)',
        '2. **Show.**',
        '   Say it (waits).',
        '10. **End.**',
        '    1. Really.',
        ' 11. **After.** (optional)',
      ].join('\n'),
    ),
  ).toEqual([step('Draw'), step('Show'), step('End'), step('After', { marks: ['optional'] })]);
});

it('takes a line without end, whose title ends all the same', () => {
  const long = 'word '.repeat(20_000);
  expect(stepsOf(`1. ${long}read one.md`)).toMatchObject([
    { title: long.slice(0, 120), subskills: ['sub/one.md'] },
  ]);
});

const WALK = startProgress(
  'x',
  'hash',
  parse(
    '1. A. checkpoint: ok\n2. B. read sub/one.md (optional)\n3. C. read sub/two.md, read sub/one.md',
  ),
);
const after = (...moves: readonly ((walk: typeof WALK) => Moved)[]): typeof WALK =>
  moves.reduce((walk, move) => {
    const moved = move(walk);
    if (!moved.ok) throw new Error(moved.why);
    return moved.walk;
  }, WALK);
const read = (file: string) => (walk: typeof WALK) => readSubskill(walk, file);
const answer = (id: string) => (walk: typeof WALK) => answerCheckpoint(walk, id);
const complete = (number: number) => (walk: typeof WALK) => completeStep(walk, number);

it('lets steps be done in their order only', () => {
  expect(completeStep(WALK, 2)).toEqual({
    ok: false,
    why: 'step 1 (A) comes first, and is not done. Missing: request_human_approval with the checkpoint ok.',
  });
  expect(completeStep(WALK, 1)).toMatchObject({ ok: false });
  expect(completeStep(WALK, 9)).toMatchObject({
    ok: false,
    why: 'x has 3 steps, and no step 9.',
  });
  expect(readSubskill(WALK, 'sub/one.md')).toMatchObject({ ok: false });
  expect(answerCheckpoint(after(answer('ok'), complete(1)), 'ok')).toMatchObject({ ok: true });
});

it('knows a checkpoint in other letters, and one of no step is free', () => {
  expect(after(answer(' OK ')).steps[0]?.answered).toEqual(['ok']);
  expect(answerCheckpoint(WALK, 'other')).toEqual({ ok: true, walk: WALK });
});

it('counts a file in the step in which it was read', () => {
  const first = after(answer('ok'), complete(1), read('sub/one.md'));
  expect(first.steps.map(({ read }) => read)).toEqual([[], ['sub/one.md'], []]);
  expect(completeStep(first, 3)).toMatchObject({
    ok: false,
    why: 'step 3 (C) is not complete. Missing: read_file sub/two.md; read_file sub/one.md.',
  });
  expect(currentStep(first)?.number).toBe(2);
});

it('may leave out what is optional, and is over when the last is done', () => {
  const walk = after(
    answer('ok'),
    complete(1),
    read('sub/two.md'),
    read('sub/one.md'),
    read('sub/one.md'),
    complete(3),
  );
  expect(walk.status).toBe('completed');
  expect(walk.steps.map(({ status }) => status)).toEqual(['done', 'pending', 'done']);
  expect(completeStep(walk, 3)).toEqual({ ok: true, walk });
  expect(completeStep(walk, 2)).toMatchObject({ ok: false });
});

it('has nothing required left while only optional steps are, and is not over yet', () => {
  const optional = startProgress('x', 'h', parse('1. A.\n2. B. (optional)'));
  const moved = completeStep(optional, 1);
  expect(
    moved.ok && [moved.walk.status, requiredLeft(moved.walk), currentStep(moved.walk)?.number],
  ).toEqual([...['active', [], 2]]);
});

it('never moves a walk that was stopped', () => {
  const stopped = { ...after(answer('ok')), status: 'cancelled' as const };
  expect(completeStep(stopped, 1)).toMatchObject({ ok: false });
  expect(readSubskill(stopped, 'sub/one.md')).toEqual({ ok: true, walk: stopped });
});

it('keeps the last twenty refusals, short', () => {
  let walk = WALK;
  for (let i = 1; i <= 25; i += 1) walk = withRefusal(walk, `call ${i}`, 'w'.repeat(1_000));
  expect(walk.refusals.map(({ what }) => what)).toEqual(
    Array.from({ length: 20 }, (_, i) => `call ${i + 6}`),
  );
  expect(walk.refusals[0]?.why).toHaveLength(600);
});

it('says where it is in few words, however long the skill', () => {
  const long = Array.from(
    { length: 50 },
    (_, i) => `${i + 1}. **${'Long title '.repeat(10)}** read sub/one.md`,
  );
  const walk = startProgress('x', 'h', parse(long.join('\n')));
  const tools = Array.from({ length: 40 }, (_, i) => ({ tool: `a_tool_of_some_length_${i}` }));
  expect(describePlace(walk, tools).length).toBeLessThanOrEqual(PLACE_CHARS);
  expect(describePlace(walk, tools)).toContain('Now: step 1');
  expect(describePlace(WALK, [{ tool: 'sandbox_file' }])).toBe(
    [
      '[State of the skill x, kept by the app; only its tools change it]',
      '[>] 1 A',
      '[ ] 2 B',
      '[ ] 3 C',
      'Now: step 1, A. Before it is complete: request_human_approval with the checkpoint ok.',
      'Never invent what a file of it says, what the person answered, a grade or a result: read, ask, compute.',
      'Tools while it is at work: sandbox_file.',
      'To leave it unfinished: request_human_approval with the checkpoint leave_skill.',
    ].join('\n'),
  );
});

it('lets a turn end where nothing required is left, or the step waits', () => {
  const waits = startProgress('x', 'h', parse('1. A. (waits)\n2. B.'));
  expect(describeUnfinished(waits)).toBeNull();
  const later = completeStep(noteUserMessage(waits), 1);
  expect(later.ok && describeUnfinished(later.walk)).toBe('Steps that were not done: 2 (B).');
});

it('is not done with a step that waits before the person said something in it, each time anew', () => {
  const begun = startProgress(
    'x',
    'h',
    parse('1. A. (optional) (waits)\n2. B. (waits)\n3. C. (waits)'),
  );
  const missing = 'Missing: what the person says: ask_user, or end your turn and wait.';
  expect(completeStep(begun, 2)).toEqual({
    ok: false,
    why: `step 2 (B) is not complete. ${missing}`,
  });
  const heard = noteUserMessage(begun);
  expect(heard.steps.map((one) => one.heard)).toEqual([true, true, undefined]);
  const second = completeStep(heard, 2);
  if (!second.ok) throw new Error(second.why);
  // What was said counts for one step only.
  expect(completeStep(second.walk, 1)).toMatchObject({ ok: false });
  expect(completeStep(second.walk, 3)).toMatchObject({ ok: false });
  expect(completeStep(noteUserMessage(second.walk), 3)).toMatchObject({ ok: true });
});
