import { expect, it, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { graphSkill } from '#main/skills/graph-skill.ts';
import { toolSkill } from '#main/skills/tool-skill.ts';
import type { Skill, SkillContext, SkillResult } from '#main/skills/types.ts';
import { skillMetadata } from '../../fakes/skill-host.ts';
import { answerOf, openSkillLives } from '../../fakes/skill-lives.ts';

/** A skill that does this one thing. */
function doing(
  id: string,
  work: (context: SkillContext) => Promise<unknown>,
  more: Parameters<typeof skillMetadata>[0] = {},
): Skill {
  const metadata = skillMetadata({ id, name: id, ...more });
  return toolSkill(metadata, async (_params, context) => ({ value: await work(context) }));
}

const calling = (id: string, child: string): Skill =>
  doing(id, (context) => context.invokeSkill(child, {}));

const errorOf = (result: unknown) => (result as Extract<SkillResult, { ok: false }>).error;
const outputOf = (result: SkillResult): unknown => (result.ok ? result.output.value : result.error);

it('lets skills call skills three deep, and tells of all in order and once', async () => {
  const lives = openSkillLives([calling('a', 'b'), calling('b', 'c'), doing('c', async () => 7)]);
  const life = lives.life();
  const result = await life.execute('a');
  expect(outputOf(outputOf(result) as SkillResult)).toMatchObject({
    ...{ ok: true, output: { value: 7 }, executionId: 'run_1~call.1.1' },
  });
  expect(life.emitted()).toEqual([
    ...['a running', 'a.execute running', 'b running', 'b.execute running'],
    ...['c running', 'c.execute running', 'c.execute completed', 'c completed'],
    ...['b.execute completed', 'b completed', 'a.execute completed', 'a completed'],
  ]);
  // The one result of all is given by the tool, at its end.
  expect(life.events.map(({ type }) => type)).not.toContain('skill_output');
  const rows = lives.executions.list({ limit: 10 });
  expect(
    rows.map(({ skillId, parentId, depth, status }) => [skillId, parentId, depth, status]).sort(),
  ).toEqual([
    ['a', null, 1, 'completed'],
    ['b', 'run_1~call', 2, 'completed'],
    ['c', 'run_1~call.1', 3, 'completed'],
  ]);
});

it('refuses the fourth, before anything of it runs', async () => {
  const fourth = vi.fn(async () => 1);
  const lives = openSkillLives([
    ...[calling('a', 'b'), calling('b', 'c'), calling('c', 'd')],
    doing('d', fourth),
  ]);
  const result = await lives.life().execute('a');
  const c = outputOf(outputOf(result) as SkillResult) as SkillResult;
  expect(errorOf(outputOf(c))).toMatchObject({
    ...{ code: 'SKILL_TOO_DEEP', message: 'a → b → c → d: skills call skills at most 3 deep.' },
  });
  expect(fourth).not.toHaveBeenCalled();
  expect(lives.executions.list({ skillId: 'd', limit: 1 })).toEqual([]);
});

it.each([
  ['itself', [calling('a', 'a')], 'a → a'],
  ['what called it', [calling('a', 'b'), calling('b', 'a')], 'a → b → a'],
])('refuses a skill that calls %s', async (_what, skills, chain) => {
  const lives = openSkillLives(skills);
  let result: unknown = outputOf(await lives.life().execute('a'));
  while ((result as SkillResult).ok) result = outputOf(result as SkillResult);
  expect(errorOf(result)).toMatchObject({
    ...{ code: 'SKILL_TOO_DEEP', message: expect.stringContaining(chain) },
  });
  expect(lives.executions.list({ limit: 10 })).toHaveLength(skills.length);
});

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

it('gives a parent the failure, the time-out and the cancelling of a child as data', async () => {
  const fails = doing('fails', async () => {
    throw new AppError('FETCH_FAILED', 'Nobody answered.');
  });
  const breaks = doing('breaks', async () => (undefined as unknown as string[]).length);
  const slow = doing('slow', ({ signal }) => never(signal), { maxExecutionTimeSeconds: 1 });
  const deaf = doing('deaf', () => new Promise(() => undefined), { maxExecutionTimeSeconds: 1 });
  const cancelled = doing('cancelled', ({ signal }) => never(signal));
  const parent = doing('parent', async (context) => {
    const stop = new AbortController();
    const codes: unknown[] = [];
    for (const id of ['fails', 'breaks', 'slow', 'deaf', 'unknown']) {
      codes.push(errorOf(await context.invokeSkill(id, {})).code);
    }
    setTimeout(() => stop.abort(), 20);
    const options = { signal: stop.signal };
    codes.push(errorOf(await context.invokeSkill('cancelled', {}, options)).code);
    return codes;
  });
  const lives = openSkillLives([fails, breaks, slow, deaf, cancelled, parent]);
  const life = lives.life();
  const result = await life.execute('parent');
  expect(outputOf(result)).toEqual([
    ...['FETCH_FAILED', 'SKILL_FAILED', 'SKILL_TIMED_OUT', 'SKILL_TIMED_OUT', 'SKILL_UNKNOWN'],
    'CANCELLED',
  ]);
  const children = ['fails', 'breaks', 'slow', 'deaf', 'cancelled'];
  expect(life.emitted()).toEqual([
    ...['parent running', 'parent.execute running'],
    ...children.flatMap((id) => [
      ...[`${id} running`, `${id}.execute running`, `${id}.execute failed`, `${id} failed`],
    ]),
    ...['parent.execute completed', 'parent completed'],
  ]);
  const statuses = children.map((id) => lives.executions.list({ skillId: id, limit: 1 })[0]);
  expect(statuses.map((row) => [row?.status, row?.error?.code])).toEqual([
    ...[
      ['failed', 'FETCH_FAILED'],
      ['failed', 'SKILL_FAILED'],
    ],
    ...[
      ['failed', 'SKILL_TIMED_OUT'],
      ['failed', 'SKILL_TIMED_OUT'],
    ],
    ['cancelled', 'CANCELLED'],
  ]);
});

it('ends the children of a parent whose time is up before it, and what a skill left running', async () => {
  const slow = doing('slow', ({ signal }) => never(signal));
  const parent = doing('parent', (context) => context.invokeSkill('slow', {}), {
    maxExecutionTimeSeconds: 1,
  });
  let left: AbortSignal | null = null;
  const careless = doing('careless', async (context) => {
    left = context.signal;
    void context.invokeSkill('slow', {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'done';
  });
  const lives = openSkillLives([slow, parent, careless]);
  const life = lives.life();
  expect(errorOf(await life.execute('parent')).code).toBe('SKILL_TIMED_OUT');
  expect(life.emitted()).toEqual([
    ...['parent running', 'parent.execute running', 'slow running', 'slow.execute running'],
    ...['slow.execute failed', 'slow failed', 'parent.execute failed', 'parent failed'],
  ]);
  const other = lives.life({ call: 'other' });
  expect(outputOf(await other.execute('careless'))).toBe('done');
  expect(left).toMatchObject({ aborted: true });
  expect(other.emitted().slice(-3)).toEqual([
    'slow.execute failed',
    'slow failed',
    'careless completed',
  ]);
  expect(lives.executions.list({ limit: 10 }).every(({ endedAt }) => endedAt !== null)).toBe(true);
});

it('lets a stop of the run through, and leaves the execution open', async () => {
  const lives = openSkillLives([doing('slow', ({ signal }) => never(signal))]);
  const life = lives.life();
  const ended = life.execute('slow');
  setTimeout(() => life.abort.abort(new AppError('CANCELLED', 'Stopped.')), 30);
  await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(life.emitted()).toEqual(['slow running', 'slow.execute running']);
  expect(lives.executions.list({ limit: 1 })).toMatchObject([{ status: 'running', endedAt: null }]);
});

it('checks tools before anything runs, and gives a skill no others', async () => {
  const work = vi.fn(async ({ tools }: SkillContext) => {
    const allowed = await tools.call('web_search', { query: 'x' });
    const refused = await tools.call('execute_code', {}).catch((error: unknown) => error);
    return [allowed.content, (refused as AppError).code];
  });
  const skill = doing('tooled', work, { requiredTools: ['web_search'] });
  const loops = doing('loops', ({ services }) =>
    services.agents.loop({ system: '', prompt: '', tools: ['shell_command'], maxRounds: 1 }),
  );
  const lives = openSkillLives([skill, loops]);
  const result = await lives.life().execute('tooled');
  expect(errorOf(result)).toEqual({
    code: 'SKILL_TOOL_MISSING',
    message: 'The skill tooled needs tools that are not available: web_search.',
  });
  expect(work).not.toHaveBeenCalled();
  expect(lives.executions.list({ limit: 1 })).toEqual([]);
  const call = vi.fn(async () => answerOf('found'));
  const host = { call, toolNames: new Set(['web_search', 'execute_code', 'shell_command']) };
  const other = lives.life({ host, call: 'other' });
  expect(outputOf(await other.execute('tooled'))).toEqual(['found', 'SKILL_TOOL_MISSING']);
  expect(call).toHaveBeenCalledTimes(1);
  const third = await lives.life({ host, call: 'third' }).execute('loops');
  expect(errorOf(third)).toMatchObject({ code: 'SKILL_TOOL_MISSING' });
});

it('tells what a skill takes where the parameters do not fit', async () => {
  const topic = { name: 'topic', type: 'string', description: 'What.', required: true } as const;
  const lives = openSkillLives([doing('asks', async () => 1, { parameters: [topic] })]);
  const life = lives.life();
  expect(errorOf(await life.execute('asks', { tpoic: 'x' }))).toEqual({
    code: 'SKILL_INPUT_INVALID',
    message:
      'The parameters do not fit asks: tpoic: asks has no such parameter; topic: is missing; it is a string.',
    expectedParameters: [topic],
  });
  expect(life.emitted()).toEqual([]);
});

it('holds what a skill gives against its output schema', async () => {
  const outputSchema = {
    ...{ type: 'object', properties: { value: { type: 'number' } }, required: ['value'] },
  };
  const lives = openSkillLives([
    doing('wrong', async () => 'seven', { outputSchema }),
    doing('right', async () => 7, { outputSchema }),
  ]);
  expect(errorOf(await lives.life({ call: 'one' }).execute('wrong'))).toMatchObject({
    ...{ code: 'SKILL_OUTPUT_INVALID', message: expect.stringContaining('value') },
  });
  expect(outputOf(await lives.life({ call: 'two' }).execute('right'))).toBe(7);
});

it('does not count time in which the user is waited for, for any skill above', async () => {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const limits = { maxExecutionTimeSeconds: 1 };
  const asks = doing('asks', ({ tools }) => tools.call('ask_user', {}), {
    ...{ ...limits, requiredTools: ['ask_user'] },
  });
  const b = doing('b', (context) => context.invokeSkill('asks', {}), limits);
  const a = doing('a', (context) => context.invokeSkill('b', {}), limits);
  const lives = openSkillLives([a, b, asks]);
  const host = (isUser: boolean): Parameters<typeof lives.life>[0] => ({
    call: isUser ? 'answered' : 'machine',
    host: {
      toolNames: new Set(['ask_user']),
      call: async (_call, _place, { clock, signal }) => {
        if (isUser) await clock.waitFor(() => wait(1_300));
        else await Promise.race([wait(1_300), never(signal)]);
        return answerOf('yes');
      },
    },
  });
  const [answered, machine] = await Promise.all([
    lives.life(host(true)).execute('a'),
    lives.life(host(false)).execute('a'),
  ]);
  expect(answered.ok).toBe(true);
  expect(JSON.stringify(answered)).toContain('yes');
  expect(JSON.stringify(machine)).toContain('SKILL_TIMED_OUT');
});

it('stops a workflow that goes round and round', async () => {
  const steps = vi.fn(async () => ({ next: 'again' }));
  const skill = graphSkill(skillMetadata({ id: 'round', maxIterations: 4 }), [
    { name: 'again', description: 'Again', run: steps },
  ]);
  const lives = openSkillLives([skill]);
  expect(errorOf(await lives.life().execute('round'))).toMatchObject({
    code: 'SKILL_ITERATION_LIMIT',
  });
  expect(steps).toHaveBeenCalledTimes(4);
});

it('keeps what became of each, and counts', async () => {
  const lives = openSkillLives([
    toolSkill(
      skillMetadata({
        parameters: [{ name: 'n', type: 'number', description: '', required: true }],
      }),
      async ({ n }, context) => {
        context.progress('Half way');
        if (n === 0) throw new AppError('FETCH_FAILED', 'Nobody answered.');
        return { n };
      },
    ),
  ]);
  lives.clock.time = 5_000;
  const before = Date.now();
  await lives.life({ call: 'one' }).execute('sample', { n: '3' });
  await lives.life({ call: 'two' }).execute('sample', { n: 0 });
  const [two, one] = lives.executions.list({ skillId: 'sample', limit: 5 });
  expect(one).toMatchObject({
    ...{ id: 'run_1~one', runId: 'run_1', threadId: 'thr_1', parentId: null, depth: 1 },
    ...{ status: 'completed', input: { n: 3 }, output: { n: 3 }, error: null },
  });
  expect(one?.startedAt).toBeGreaterThanOrEqual(before);
  expect(one?.endedAt).toBeGreaterThanOrEqual(one?.startedAt ?? Number.POSITIVE_INFINITY);
  expect(one?.events.map(({ name, status, description }) => [name, status, description])).toEqual([
    ['skill_sample', 'running', 'Skill Sample'],
    ['skill_sample.execute', 'running', 'Sample'],
    ['skill_sample.execute', 'running', 'Half way'],
    ['skill_sample.execute', 'completed', 'Sample'],
    ['skill_sample', 'completed', 'Skill Sample'],
  ]);
  expect(two).toMatchObject({
    ...{ status: 'failed', input: { n: 0 }, output: null },
    error: { code: 'FETCH_FAILED', message: 'Nobody answered.' },
  });
  expect(lives.store.definition('sample')).toMatchObject({ invocationCount: 2 });
  expect(lives.store.definition('sample')?.lastInvokedAt).toBeGreaterThanOrEqual(before);
  // One that has ended is not done again: its result is given.
  const again = await lives.life({ call: 'one' }).execute('sample', { n: 3 });
  expect(again).toEqual({ ok: true, executionId: 'run_1~one', output: { n: 3 } });
  expect(lives.store.definition('sample')?.invocationCount).toBe(2);
});
