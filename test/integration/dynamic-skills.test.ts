import http from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunOptions } from '#contract/entities.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { SkillCapability } from '#contract/skills.ts';
import { sha256 } from '#main/base/canonical-json.ts';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { type AppBench, openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { skillSource } from '../fakes/dynamic-skill-source.ts';

/** The whole app over HTTP, with a model that invokes the skill it is told to, and answers what a skill asks. */
const SKILL_REQUEST = 'You do one part of the work of a skill.';

function invoking(skill: string, params: Readonly<Record<string, unknown>> = {}) {
  return ({ system, format, results }: DirectedRequest): DirectedReply => {
    if (system.includes(SKILL_REQUEST)) {
      return { content: format === null ? 'Four.' : '{"answer":4}' };
    }
    if (results.length > 0) return { content: 'That is all.' };
    return { calls: [{ name: 'invoke_skill', arguments: { skill_id: skill, params } }] };
  };
}

async function add(
  { app }: AppBench,
  source: string,
  granted?: readonly SkillCapability[],
): Promise<string> {
  const { api } = app;
  const { summary } = (await api['skills.save']({ language: 'javascript', source })).skill;
  expect(summary.state).toBe('needs_review');
  const review = (await api['skills.review']({ skillId: summary.id })).review;
  const capabilities = [...(granted ?? review.capabilities.after)];
  const detail = (
    await api['skills.approve']({ skillId: summary.id, sha256: review.sha256, capabilities })
  ).skill;
  expect(detail.summary.state).toBe('ready');
  return summary.id;
}

/** What the skill said, as the model got it. */
async function resultOf(
  bench: AppBench,
  options: Partial<RunOptions> = {},
): Promise<Record<string, unknown>> {
  const { run, of } = await bench.play('Do what the skill probe does.', options);
  expect(run.status).toBe('completed');
  const [result] = of('tool_result').filter(({ name }) => name === 'invoke_skill');
  return JSON.parse(result?.content ?? '{}') as Record<string, unknown>;
}

describe('a dynamic skill in a run', () => {
  it('is invoked by the agent, asks the model, writes a file, and its output and stages are told', async () => {
    const bench = await openAppBench(invoking('probe', { n: 2 }));
    await add(
      bench,
      skillSource(
        `await app.emit('Thinking');
         const { answer } = await app.llm.ask({ prompt: params.n + ' and 2?', schema: { type: 'object',
           properties: { answer: { type: 'number' } }, required: ['answer'] } });
         const text = await app.llm.ask({ system: 'Say it in words.', prompt: String(answer) });
         await app.sandbox.writeFile('answer.txt', text);
         return { answer, again: await app.sandbox.readFile('answer.txt') };`,
        {
          capabilities: ['llm', 'sandbox', 'emit'],
          metadata: { parameters: [{ name: 'n', type: 'number', description: 'One of two.' }] },
        },
      ),
    );
    const notices: string[] = [];
    bench.app.onBroadcast(({ kind }) => void notices.push(kind));
    const { run, of, answer } = await bench.play('Do what the skill probe does.');
    expect([run.status, answer]).toEqual(['completed', 'That is all.']);
    expect(of('skill_output')).toMatchObject([
      { skillId: 'probe', output: { answer: 4, again: 'Four.' } },
    ]);
    expect(await bench.file(run.threadId, 'answer.txt')).toBe('Four.');
    const stages = of('stage').filter(({ skill }) => skill?.id === 'probe');
    expect(stages.map(({ status, description }) => [status, description])).toEqual([
      ['running', 'Skill Probe'],
      ['running', 'Probe'],
      ['running', 'Thinking'],
      ['completed', 'Probe'],
      ['completed', 'Skill Probe'],
    ]);
    const { api } = bench.app;
    expect(api['skills.executions']({ skillId: 'probe' }).executions).toMatchObject([
      { status: 'completed', depth: 1, output: { answer: 4 } },
    ]);
    expect((await api['skills.get']({ skillId: 'probe' })).skill.summary.invocationCount).toBe(1);
    // A page that shows the counter hears of it.
    expect(notices).toContain('skills_changed');
  });

  it('is refused what was not granted, with the reason, and the run goes on', async () => {
    const bench = await openAppBench(invoking('probe'));
    const body = "await app.sandbox.writeFile('x.txt', 'x'); return {};";
    await add(bench, skillSource(body, { capabilities: ['sandbox', 'llm'] }), ['llm']);
    expect(await resultOf(bench)).toMatchObject({
      success: false,
      error_code: 'SKILL_CAPABILITY_DENIED',
      error: expect.stringContaining('did not grant it sandbox'),
    });
  });

  it('is not there before the yes, and no longer after a change', async () => {
    const bench = await openAppBench(invoking('probe'));
    const source = skillSource('return {};');
    await add(bench, source);
    await bench.app.api['skills.save']({ language: 'javascript', source: `${source}// more\n` });
    expect(await resultOf(bench)).toMatchObject({
      success: false,
      error_code: 'SKILL_NEEDS_REVIEW',
    });
  });

  it('invokes another three deep and no deeper, never in a circle, and gets failures as data', async () => {
    const bench = await openAppBench(invoking('probe'));
    const next = (id: string): string =>
      `const { ok, output, error } = await app.invokeSkill('${id}');
       return ok ? { here: '${id}', ...output } : { here: '${id}', code: error.code };`;
    const capabilities = ['invokeSkill'] as const;
    await add(bench, skillSource("throw new Error('broken');", { id: 'fourth' }));
    await add(bench, skillSource(next('fourth'), { id: 'third', capabilities }));
    await add(
      bench,
      skillSource(
        `const deep = await app.invokeSkill('third');
         const circle = await app.invokeSkill('probe');
         const wrong = await app.invokeSkill('fourth', { alien: 1 });
         return { deep: deep.output, circle: circle.error.code, wrong: wrong.error.code };`,
        { id: 'second', capabilities },
      ),
    );
    await add(
      bench,
      skillSource("return (await app.invokeSkill('second')).output;", { capabilities }),
    );
    expect(await resultOf(bench)).toMatchObject({
      success: true,
      output: {
        deep: { here: 'fourth', code: 'SKILL_TOO_DEEP' },
        circle: 'SKILL_TOO_DEEP',
        wrong: 'SKILL_INPUT_INVALID',
      },
    });
    const depths = bench.app.api['skills.executions']({}).executions.map(({ skillId, depth }) => [
      skillId,
      depth,
    ]);
    expect(depths.sort()).toEqual([
      ['probe', 1],
      ['second', 2],
      ['third', 3],
    ]);
  });

  it('runs programs in the sandbox of the task', async () => {
    const bench = await openAppBench(invoking('probe'));
    const body = `await app.sandbox.writeFile('in.txt', '20');
      const { stdout, ok, exitCode } = await app.sandbox.run('python', "print(int(open('in.txt').read()) + 1)");
      const files = await app.sandbox.listFiles();
      return { stdout: stdout.trim(), ok, exitCode, files: files.map(({ path }) => path) };`;
    await add(bench, skillSource(body, { capabilities: ['sandbox'] }));
    expect(await resultOf(bench)).toMatchObject({
      output: { stdout: '21', ok: true, exitCode: 0, files: expect.arrayContaining(['in.txt']) },
    });
  });

  it('reaches no listener of this machine by fetch, with the network open', async () => {
    let connections = 0;
    const server = http.createServer((_request, response) => response.end('secret'));
    server.on('connection', () => {
      connections += 1;
    });
    const port = await listen(server, '127.0.0.1');
    onTestFinished(() => closeServer(server));
    const bench = await openAppBench(invoking('probe'), { network: 'open' });
    const body = `const codes = [];
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '127.1']) {
        try { codes.push((await app.fetch('http://' + host + ':${port}/')).text); } catch (error) { codes.push(error.code); }
      }
      return { codes: [...new Set(codes)] };`;
    await add(bench, skillSource(body, { capabilities: ['fetch'] }));
    const result = await resultOf(bench, { network: 'open' });
    expect(result).toMatchObject({ output: { codes: ['FETCH_FAILED'] } });
    expect(connections).toBe(0);
  });

  it('has an id of its own: those of builtin skills and their aliases are taken', async () => {
    const bench = await openAppBench(invoking('probe'));
    const { api } = bench.app;
    const ids = ['research', ...api['skills.list']({}).skills.map(({ id }) => id)];
    for (const id of ids) {
      const source = skillSource('return {};', { id });
      await expect(api['skills.save']({ language: 'javascript', source })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
  });
});

describe('a skill that a skill starts', () => {
  const parent = skillSource(
    `const { ok, output, error } = await app.invokeSkill('child', { n: 1 });
     return ok ? { made: output.made } : { code: error.code, why: error.message };`,
    { capabilities: ['invokeSkill'] },
  );
  const parameters = [{ name: 'n', type: 'number', description: 'Which.' }];
  const child = skillSource(
    "const made = 'child ' + params.n + '.txt'; await app.sandbox.writeFile(made, 'x'); return { made };",
    { id: 'child', capabilities: ['sandbox'], metadata: { parameters } },
  );
  const quiet = skillSource("return { made: 'nothing ' + params.n };", {
    id: 'child',
    metadata: { parameters },
  });

  async function play(source: string, answerOf: (skill: string) => InterruptResponse | null) {
    const bench = await openAppBench(invoking('probe'));
    await add(bench, source);
    await add(bench, parent);
    const { api } = bench.app;
    const run = await bench.start('Do what the skill probe does.', { approve: 'ask' });
    const asked: string[] = [];
    let isOver = false;
    const user = (async () => {
      while (!isOver) {
        for (const question of api['runs.waiting']().questions) {
          const text = question.argumentsText ?? '';
          asked.push(text);
          const own = answerOf((JSON.parse(text) as { skill_id: string }).skill_id);
          const argumentsSha256 = question.argumentsSha256 ?? '';
          const response = own ?? { action: 'approve', argumentsSha256, always: false };
          api['runs.respond']({ runId: run.id, interruptId: question.interruptId, response });
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const played = await bench.settled(run.id);
    isOver = true;
    await user;
    const { output } = played.of('skill_output')[0] ?? {};
    return { bench, run, asked, output };
  }

  it('is asked about by its own risk, with its own arguments', async () => {
    const { bench, run, asked, output } = await play(child, () => null);
    expect(asked).toEqual([
      '{"params":{},"skill_id":"probe"}',
      '{"params":{"n":1},"skill_id":"child"}',
    ]);
    expect(output).toEqual({ made: 'child 1.txt' });
    expect(await bench.file(run.threadId, 'child 1.txt')).toBe('x');
  });

  it('does nothing when it is denied, and its parent goes on', async () => {
    const { bench, run, output } = await play(child, (skill) =>
      skill === 'child' ? { action: 'deny', reason: 'Not that one.' } : null,
    );
    expect(output).toMatchObject({
      code: 'TOOL_DENIED',
      why: expect.stringContaining('Not that one.'),
    });
    expect(await bench.file(run.threadId, 'child 1.txt')).toBeNull();
    const { executions } = bench.app.api['skills.executions']({});
    expect(executions.map(({ skillId }) => skillId)).toEqual(['probe']);
  });

  it('runs with the parameters that the user made of them', async () => {
    const edited = '{"params":{"n":2},"skill_id":"child"}';
    const { bench, run, output } = await play(child, (skill) =>
      skill === 'child'
        ? { action: 'approve', always: false, edited, argumentsSha256: sha256(edited) }
        : null,
    );
    expect(output).toEqual({ made: 'child 2.txt' });
    expect(await bench.file(run.threadId, 'child 1.txt')).toBeNull();
  });

  it('of no risk runs unasked', async () => {
    const { asked, output } = await play(quiet, () => null);
    expect([asked.length, output]).toEqual([1, { made: 'nothing 1' }]);
  });
});

describe('several skills in one answer', () => {
  const calls = (...ids: string[]) =>
    ids.map((skill_id) => ({ name: 'invoke_skill', arguments: { skill_id, params: {} } }));
  const meeting = (id: string) =>
    skillSource(`const said = await app.llm.ask({ prompt: 'I am ${id}' }); return { said };`, {
      id,
      capabilities: ['llm'],
    });

  it('run side by side where they only read, with results in the order of the calls', async () => {
    let open = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const bench = await openAppBench(async ({ messages, results, turn }) => {
      const own = /I am (\w+)/.exec(messages.at(-1)?.content ?? '')?.[1];
      if (own !== undefined) {
        open += 1;
        most = Math.max(most, open);
        if (open === 2) both.resolve();
        // Each waits for the other: one after the other they would never end.
        await both.promise;
        open -= 1;
        return { content: `${own} was here` };
      }
      expect(turn).not.toBe('');
      return results.length === 0 ? { calls: calls('first', 'second') } : { content: 'Done.' };
    });
    await add(bench, meeting('first'));
    await add(bench, meeting('second'));
    const { run, of } = await bench.play('Do both.');
    expect([run.status, most]).toEqual(['completed', 2]);
    const read = bench.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(read.map(({ content = '' }) => JSON.parse(content).output)).toEqual([
      { said: 'first was here' },
      { said: 'second was here' },
    ]);
    expect(
      of('skill_output')
        .map(({ skillId }) => skillId)
        .sort(),
    ).toEqual(['first', 'second']);
  });

  it('run one after the other where they change files', async () => {
    const bench = await openAppBench(({ results }) =>
      results.length === 0 ? { calls: calls('writer', 'reader') } : { content: 'Done.' },
    );
    const body = (id: string, text: string) => skillSource(text, { id, capabilities: ['sandbox'] });
    await add(
      bench,
      body('writer', "await app.sandbox.run('bash', 'sleep 0.3; echo hi > a.txt'); return {};"),
    );
    await add(bench, body('reader', "return { read: await app.sandbox.readFile('a.txt') };"));
    const { of } = await bench.play('Do both.');
    expect(of('skill_output').map(({ skillId, output }) => [skillId, output])).toEqual([
      ['writer', {}],
      ['reader', { read: 'hi\n' }],
    ]);
  });
});
