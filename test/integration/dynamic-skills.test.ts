import http from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunOptions } from '#contract/entities.ts';
import type { SkillCapability } from '#contract/skills.ts';
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
