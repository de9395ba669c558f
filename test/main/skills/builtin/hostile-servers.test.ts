import { describe, expect, test } from 'vitest';
import { skill as codeGeneration } from '#main/skills/builtin/code-generation/skill.ts';
import { skill as codeReview } from '#main/skills/builtin/code-review/skill.ts';
import { skill as simpleWriting } from '#main/skills/builtin/simple-writing/skill.ts';
import { skill as taskPlanning } from '#main/skills/builtin/task-planning/skill.ts';
import type { WireStepInput } from '../../../fakes/model-server/options.ts';
import { executeOnServer } from '../../../fakes/skill-on-server.ts';

const SKILLS = [
  { skill: codeGeneration, params: { task: 'Double it.', include_tests: true } },
  { skill: codeReview, params: { code: 'let x = 1;' } },
  { skill: simpleWriting, params: { request: 'Bees.' } },
  { skill: taskPlanning, params: { task: 'Move the site.' } },
];

describe.each(SKILLS)('$skill.metadata.id on a server', ({ skill, params }) => {
  const play = (steps: readonly WireStepInput[], seconds = 60) =>
    executeOnServer(skill, params, { steps, seconds });

  test('that stalls is stopped when its time is up, and releases the server', async () => {
    // Long enough for the first request to be at the server.
    const seconds = 4;
    const ways = [[{ stall: true }], [{ text: 'Half' }, { stall: true }]] as const;
    const plays = await Promise.all(ways.map((steps) => play(steps, seconds)));
    for (const { result, left } of plays) {
      expect(result).toMatchObject({ ok: false, error: { code: 'SKILL_TIMED_OUT' } });
      expect(left).toEqual([true]);
    }
  });

  test('that cuts its answer off, breaks, or refuses fails with what the server did', async () => {
    const ways: [readonly WireStepInput[], RegExp][] = [
      [[{ text: 'Half' }, { cut: true }], /^MODEL_/],
      [[{ text: 'Half' }, { reset: true }], /^MODEL_/],
      [[{ text: 'Half an answer' }, { finish: 'length' }], /^SKILL_MODEL_ANSWER$/],
      [[{ refuse: { status: 500, body: '{"error":"out of memory"}' } }], /^MODEL_/],
    ];
    for (const [steps, code] of ways) {
      const { result } = await play(steps);
      expect(result).toMatchObject({ ok: false, error: { code: expect.stringMatching(code) } });
    }
  });
});

test('a program that was cut off at the limit is none, however whole it looks', async () => {
  const text = '```python\nx = 1\n```\n\nIt sets x to one, and then it';
  const params = { task: 'Set x.' };
  const play = (steps: readonly WireStepInput[]) =>
    executeOnServer(codeGeneration, params, { steps, seconds: 60 });
  expect((await play([{ text }])).result).toMatchObject({ ok: true, output: { code: 'x = 1' } });
  expect((await play([{ text }, { finish: 'length' }])).result).toMatchObject({
    ok: false,
    error: { code: 'SKILL_MODEL_ANSWER', message: expect.stringContaining('cut off') },
  });
});
