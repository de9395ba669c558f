import { expect, test, vi } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';

/** So long that nothing here is ended by it: what ends was stopped. */
const LONG_MS = 400_000;

/** The share of the process's CPU time that this thread, the app's own, took during `work`. */
async function shareDuring(work: () => Promise<unknown>): Promise<number> {
  const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;
  const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()];
  await work();
  return sum(process.threadCpuUsage(own)) / sum(process.cpuUsage(whole));
}

test.each([
  ['a loop', 'for (;;) {}'],
  ['a regular expression', "/^(a+)+$/.test('a'.repeat(50) + '!'); return {};"],
  ['memory', 'const all = []; for (;;) { all.push({}); if (all.length > 1e5) all.length = 0; }'],
])('the app goes on while a skill computes: %s', async (_what, body) => {
  const bench = openDynamicBench({ limits: { turnMs: 3_000 } });
  // What is loaded on first use is not what is measured.
  await bench.invoke(await bench.add(skillSource('return {};', { id: 'first' })));
  const id = await bench.add(skillSource(body), { language: 'javascript' });
  const share = await shareDuring(async () => {
    expect(await bench.invoke(id)).toMatchObject({ error: { code: 'SKILL_TIMED_OUT' } });
  });
  // The loop of the app itself is not what computes; it would take nearly all.
  expect(share).toBeLessThan(0.5);
});

test.each([
  ['a loop', 'for (;;) {}'],
  ['a loop that catches', 'for (;;) { try { for (;;) {} } catch {} }'],
  ['microtasks', 'for (;;) await null;'],
  ['a regular expression', "/^(a+)+$/.test('a'.repeat(50) + '!'); return {};"],
  [
    'what cannot be interrupted from within',
    "const t = 'ab'.repeat(2e6); for (;;) t.split('').sort().join('');",
  ],
])('the user stops a run in the middle of: %s', async (_what, body) => {
  const stop = new AbortController();
  const bench = openDynamicBench({ signal: stop.signal, limits: { turnMs: LONG_MS } });
  const id = await bench.add(
    skillSource(`await app.emit('begun'); ${body}`, { capabilities: ['emit'] }),
    {
      language: 'javascript',
    },
  );
  const ended = bench.invoke(id).catch((error: unknown) => error);
  await vi.waitFor(() => expect(bench.events.length).toBeGreaterThan(1), { timeout: 120_000 });
  const reason = new AppError('CANCELLED', 'The user stopped it.');
  stop.abort(reason);
  expect(await ended).toBe(reason);
  await vi.waitFor(() => expect(bench.threads.size).toBe(0), { timeout: LONG_MS / 4 });
});

test('the time of the skill itself ends it in the middle of a turn', async () => {
  const bench = openDynamicBench({ limits: { turnMs: LONG_MS } });
  const id = await bench.add(
    skillSource('for (;;) {}', { metadata: { maxExecutionTimeSeconds: 1 } }),
  );
  expect(await bench.invoke(id)).toMatchObject({
    error: { code: 'SKILL_TIMED_OUT', message: expect.stringContaining('limit of 1 s') },
  });
  await vi.waitFor(() => expect(bench.threads.size).toBe(0), { timeout: LONG_MS / 4 });
});

test('closing the app ends what computes', async () => {
  const bench = openDynamicBench({ limits: { turnMs: LONG_MS } });
  const id = await bench.add(
    skillSource("await app.emit('begun'); for (;;) {}", { capabilities: ['emit'] }),
  );
  const ended = bench.invoke(id);
  await vi.waitFor(() => expect(bench.events.length).toBeGreaterThan(1), { timeout: 120_000 });
  await bench.threads[Symbol.asyncDispose]();
  expect(await ended).toMatchObject({ ok: false });
  expect(bench.threads.size).toBe(0);
});

test('an execution that goes on after a crash does the same again, and nothing twice', async () => {
  const bench = openDynamicBench({
    tools: { web_search: ({ query }) => ({ data: [{ title: query }] }) },
    // As when the run rests: the error is let through, and the execution stays open.
    passesThrough: (error) => error instanceof Error && error.message === 'paused',
  });
  const body = `
    const chance = [Math.random(), Math.random()]; const time = Date.now();
    const found = await app.search('query ' + chance[0]);
    if (time >= Date.now()) throw new Error('time stands still');
    await app.sandbox.writeFile('at.txt', String(time));
    const page = await app.fetch('https://example.org/' + time);
    return { chance, time, title: found[0].title, page: page.text };`;
  const capabilities = ['search', 'fetch', 'sandbox'] as const;
  const id = await bench.add(skillSource(body, { capabilities }), { language: 'javascript' });
  bench.tools.fetch_page = () => {
    throw new Error('paused');
  };
  await expect(bench.invoke(id, {}, 'run_1~same')).rejects.toThrow('paused');
  bench.tools.fetch_page = () => ({ content: 'the page' });
  const second = await bench.invoke(id, {}, 'run_1~same');
  expect(second).toMatchObject({ ok: true, output: { page: 'the page' } });
  const names = bench.calls.map(({ name }) => name);
  expect(names.filter((name) => name === 'web_search')).toHaveLength(1);
  const { output } = second as unknown as {
    output: { chance: number[]; title: string; time: number };
  };
  expect(output.title).toBe(`query ${output.chance[0]}`);
  expect(bench.files.get('at.txt')).toBe(String(output.time));

  const other = await bench.invoke(id, {}, 'run_1~other');
  expect((other as unknown as { output: { chance: number[] } }).output.chance).not.toEqual(
    output.chance,
  );
});

test('what is called and not awaited is over when the execution is', async () => {
  const order: string[] = [];
  const bench = openDynamicBench();
  bench.tools.web_search = () => ({ data: [] });
  bench.tools.fetch_page = async () => {
    order.push('begun');
    await new Promise((resolve) => setTimeout(resolve, 150));
    order.push('done');
    return { content: 'page' };
  };
  const body =
    "app.fetch('https://example.org/').catch(() => 0); await app.search('x'); return {};";
  const id = await bench.add(skillSource(body, { capabilities: ['fetch', 'search'] }));
  expect(await bench.invoke(id)).toMatchObject({ ok: true });
  expect(order).toEqual(['begun', 'done']);
});

test('an answer that is too long is an error that the skill can catch', async () => {
  const bench = openDynamicBench({ limits: { answerChars: 1_000 } });
  bench.tools.fetch_page = () => ({ content: 'x'.repeat(2_000) });
  const body =
    "try { await app.fetch('https://example.org/'); } catch (error) { return { code: error.code }; }";
  const id = await bench.add(skillSource(body, { capabilities: ['fetch'] }), {
    language: 'javascript',
  });
  expect(await bench.invoke(id)).toMatchObject({ output: { code: 'SKILL_CALL_LIMIT' } });
});

test('an error of the app that is not caught keeps its code, with the line that called', async () => {
  const bench = openDynamicBench();
  bench.tools.fetch_page = () => ({ ok: false, status: 'denied', content: 'The user denied it.' });
  const id = await bench.add(
    skillSource("const page: unknown =\n await app.fetch('https://example.org/'); return {};", {
      capabilities: ['fetch'],
    }),
  );
  expect(await bench.invoke(id)).toMatchObject({
    error: { code: 'TOOL_DENIED', message: 'Line 7: The user denied it.' },
  });
});

test('reports are words on one line, with hidden characters named', async () => {
  const bench = openDynamicBench();
  const body = "await app.emit('a\\nb\\u001b[31m\\u202e'); return {};";
  const id = await bench.add(skillSource(body, { capabilities: ['emit'] }), {
    language: 'javascript',
  });
  await bench.invoke(id);
  const stages = bench.events.filter(({ type }) => type === 'stage');
  expect(stages).toMatchObject([
    { type: 'stage', name: 'skill_probe', status: 'running' },
    { type: 'stage', name: 'skill_probe.execute', status: 'running' },
    {
      type: 'stage',
      name: 'skill_probe.execute',
      status: 'running',
      description: 'a b⟨U+001B⟩[31m⟨U+202E⟩',
    },
    { type: 'stage', name: 'skill_probe.execute', status: 'completed' },
    { type: 'stage', name: 'skill_probe', status: 'completed' },
  ]);
});

test('maxIterations ends a skill at the call after it, even one that catches; files and progress are free', async () => {
  const bench = openDynamicBench();
  const capabilities = ['sandbox', 'emit'] as const;
  const body = `
    let done = 0;
    for (let i = 0; i < params.times; i += 1) {
      await app.emit('Round ' + i);
      await app.sandbox.listFiles();
      try { await app.sandbox.run('bash', 'echo ' + i); done += 1; } catch { /* goes on */ }
    }
    return { done };`;
  const parameters = [{ name: 'times', type: 'number', description: 'How often.' }];
  const add = (id: string, more: object) =>
    bench.add(skillSource(body, { id, capabilities, metadata: { parameters, ...more } }), {
      language: 'javascript',
      granted: capabilities,
    });
  const limited = await add('limited', { maxIterations: 3 });
  const free = await add('free', {});
  expect(await bench.invoke(limited, { times: 3 })).toMatchObject({
    ok: true,
    output: { done: 3 },
  });
  expect(await bench.invoke(limited, { times: 4 })).toMatchObject({
    error: { code: 'SKILL_ITERATION_LIMIT', message: expect.stringContaining('limit of 3 steps') },
  });
  expect(await bench.invoke(free, { times: 30 })).toMatchObject({ ok: true, output: { done: 30 } });
});
