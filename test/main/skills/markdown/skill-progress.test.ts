import { expect, it } from 'vitest';
import type { SkillStep } from '#contract/skills.ts';
import { parseSteps } from '#main/skills/markdown/parse-steps.ts';
import {
  describeProgress,
  describeUnfinished,
  PROGRESS_CHARS,
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

const STARTED = startProgress(
  'x',
  'hash',
  parse(
    '1. A. checkpoint: ok\n2. B. read sub/one.md (optional)\n3. C. read sub/two.md, read sub/one.md',
  ),
);
const after = (...moves: readonly ((progress: typeof STARTED) => Moved)[]): typeof STARTED =>
  moves.reduce((progress, move) => {
    const moved = move(progress);
    if (!moved.ok) throw new Error(moved.why);
    return moved.progress;
  }, STARTED);
const read = (file: string) => (progress: typeof STARTED) => readSubskill(progress, file);
const answer = (id: string) => (progress: typeof STARTED) => answerCheckpoint(progress, id);
const complete = (number: number) => (progress: typeof STARTED) => completeStep(progress, number);

it('lets steps be done in their order only', () => {
  expect(completeStep(STARTED, 2)).toEqual({
    ok: false,
    why: 'step 1 (A) comes first and is not done. Missing: request_human_approval with the checkpoint ok.',
  });
  expect(completeStep(STARTED, 1)).toMatchObject({ ok: false });
  expect(completeStep(STARTED, 9)).toMatchObject({
    ok: false,
    why: 'x has 3 steps; there is no step 9.',
  });
  expect(readSubskill(STARTED, 'sub/one.md')).toMatchObject({ ok: false });
  expect(answerCheckpoint(after(answer('ok'), complete(1)), 'ok')).toMatchObject({ ok: true });
});

it('knows a checkpoint in other letters, and one of no step is free', () => {
  expect(after(answer(' OK ')).steps[0]?.answered).toEqual(['ok']);
  expect(answerCheckpoint(STARTED, 'other')).toEqual({ ok: true, progress: STARTED });
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
  const progress = after(
    answer('ok'),
    complete(1),
    read('sub/two.md'),
    read('sub/one.md'),
    read('sub/one.md'),
    complete(3),
  );
  expect(progress.status).toBe('completed');
  expect(progress.steps.map(({ status }) => status)).toEqual(['done', 'pending', 'done']);
  expect(completeStep(progress, 3)).toEqual({ ok: true, progress });
  expect(completeStep(progress, 2)).toMatchObject({ ok: false });
});

it('has nothing required left while only optional steps are, and is not over yet', () => {
  const optional = startProgress('x', 'h', parse('1. A.\n2. B. (optional)'));
  const moved = completeStep(optional, 1);
  expect(
    moved.ok && [
      moved.progress.status,
      requiredLeft(moved.progress),
      currentStep(moved.progress)?.number,
    ],
  ).toEqual([...['active', [], 2]]);
});

it('never moves a progress that was stopped', () => {
  const stopped = { ...after(answer('ok')), status: 'cancelled' as const };
  expect(completeStep(stopped, 1)).toMatchObject({ ok: false });
  expect(readSubskill(stopped, 'sub/one.md')).toEqual({ ok: true, progress: stopped });
});

it('keeps the last twenty refusals, short', () => {
  let progress = STARTED;
  for (let i = 1; i <= 25; i += 1) progress = withRefusal(progress, `call ${i}`, 'w'.repeat(1_000));
  expect(progress.refusals.map(({ what }) => what)).toEqual(
    Array.from({ length: 20 }, (_, i) => `call ${i + 6}`),
  );
  expect(progress.refusals[0]?.why).toHaveLength(600);
});

it('says where it is in few words, however long the skill', () => {
  const long = Array.from(
    { length: 50 },
    (_, i) => `${i + 1}. **${'Long title '.repeat(10)}** read sub/one.md`,
  );
  const progress = startProgress('x', 'h', parse(long.join('\n')));
  const tools = Array.from({ length: 40 }, (_, i) => ({ tool: `a_tool_of_some_length_${i}` }));
  expect(describeProgress(progress, tools).length).toBeLessThanOrEqual(PROGRESS_CHARS);
  expect(describeProgress(progress, tools)).toContain('Now: step 1');
  expect(describeProgress(STARTED, [{ tool: 'sandbox_file' }])).toBe(
    [
      '[State of the skill x, tracked by the app; only its tools change it]',
      '[>] 1 A',
      '[ ] 2 B',
      '[ ] 3 C',
      'Now: step 1, A. Before it is complete: request_human_approval with the checkpoint ok.',
      'Never invent what one of its files says, what the user answered, a grade or a result: read, ask, compute.',
      'Tools while it is active: sandbox_file.',
      'To leave it unfinished: request_human_approval with the checkpoint leave_skill.',
    ].join('\n'),
  );
});

it('lets a turn end where nothing required is left, or the step waits', () => {
  const waits = startProgress('x', 'h', parse('1. A. (waits)\n2. B.'));
  expect(describeUnfinished(waits)).toBeNull();
  const later = completeStep(noteUserMessage(waits), 1);
  expect(later.ok && describeUnfinished(later.progress)).toBe('Steps that were not done: 2 (B).');
});

it('needs a message of the user in each step that waits before it is done', () => {
  const begun = startProgress(
    'x',
    'h',
    parse('1. A. (optional) (waits)\n2. B. (waits)\n3. C. (waits)'),
  );
  const missing = 'Missing: an answer from the user: ask_user, or end your turn and wait.';
  expect(completeStep(begun, 2)).toEqual({
    ok: false,
    why: `step 2 (B) is not complete. ${missing}`,
  });
  const heard = noteUserMessage(begun);
  expect(heard.steps.map((one) => one.heard)).toEqual([true, true, undefined]);
  const second = completeStep(heard, 2);
  if (!second.ok) throw new Error(second.why);
  // What was said counts for one step only.
  expect(completeStep(second.progress, 1)).toMatchObject({ ok: false });
  expect(completeStep(second.progress, 3)).toMatchObject({ ok: false });
  expect(completeStep(noteUserMessage(second.progress), 3)).toMatchObject({ ok: true });
});
