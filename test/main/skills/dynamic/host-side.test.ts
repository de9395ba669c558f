import { expect, test } from 'vitest';
import { SkillCheck } from '#contract/skills.ts';
import { openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';

/** What a skill could make the app keep, or compute, on its own side of the bridge. */

test('calls that wait may say so much together; what was answered makes room', async () => {
  const bench = openDynamicBench({ limits: { waitingChars: 10_000 } });
  let [waiting, most] = [0, 0];
  bench.tools.execute_code = async ({ code }) => {
    waiting += String(code).length;
    most = Math.max(most, waiting);
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting -= String(code).length;
    return { data: { exit_code: 0, stdout: '', stderr: '' } };
  };
  const body = `
    const long = 'x'.repeat(3_000);
    const flood = Array.from({ length: 50 }, () => app.sandbox.run('bash', long).then(() => 'ok', (error) => error));
    const first = await Promise.all(flood);
    const refused = first.filter((one) => one !== 'ok');
    await app.sandbox.run('bash', long);
    return { ok: first.length - refused.length, code: refused[0].code, says: refused[0].message };`;
  const id = await bench.add(skillSource(body, { capabilities: ['sandbox'] }), {
    language: 'javascript',
  });
  expect(await bench.invoke(id)).toMatchObject({
    output: { ok: 3, code: 'SKILL_CALL_LIMIT', says: expect.stringContaining('may have 10000') },
  });
  expect(most).toBeLessThanOrEqual(10_000);
  expect(bench.calls).toHaveLength(4);
});

test('answers have a limit together, as they are kept', async () => {
  const bench = openDynamicBench({ limits: { answersChars: 10_000 } });
  bench.files.set('a.txt', 'x'.repeat(3_000));
  const body = `
    const read = [];
    for (let i = 0; i < 6; i += 1) {
      try { read.push((await app.sandbox.readFile('a.txt')).length); } catch (error) { read.push(error.code); }
    }
    return { read };`;
  const id = await bench.add(skillSource(body, { capabilities: ['sandbox'] }), {
    language: 'javascript',
  });
  const limit = 'SKILL_CALL_LIMIT';
  expect(await bench.invoke(id)).toMatchObject({
    output: { read: [3_000, 3_000, 3_000, limit, limit, limit] },
  });
});

test('a call that says more than its kind may is refused before it is read', async () => {
  const bench = openDynamicBench();
  const body = `
    const tried = [() => app.emit(Array(9_000).fill(1)), () => app.search('x', { limit: 'y'.repeat(20_000) }),
      () => app.invokeSkill('probe', { many: Array(30_000).fill(1) })];
    const said = [];
    for (const call of tried) { try { await call(); } catch (error) { said.push(error.message); } }
    return { said };`;
  const id = await bench.add(
    skillSource(body, { capabilities: ['emit', 'search', 'invokeSkill'] }),
    { language: 'javascript' },
  );
  expect(await bench.invoke(id)).toMatchObject({
    output: {
      said: [
        expect.stringMatching(/may have 2000/),
        expect.stringMatching(/may have 15000/),
        expect.stringMatching(/more than 20000 values/),
      ],
    },
  });
});

test('an output of very many values is refused, and one that costs much to check', async () => {
  const bench = openDynamicBench();
  const many = skillSource('return { list: Array(params.n).fill(1) };', {
    metadata: { parameters: [{ name: 'n', type: 'number', description: 'How many.' }] },
  });
  const id = await bench.add(many, { language: 'javascript' });
  expect(await bench.invoke(id, { n: 15_000 })).toMatchObject({ ok: true });
  expect(await bench.invoke(id, { n: 25_000 })).toMatchObject({
    error: { code: 'SKILL_OUTPUT_INVALID', message: expect.stringMatching(/20000 values/) },
  });
  const anyOf = Array.from({ length: 100 }, () => ({ type: 'string' }));
  const costly = skillSource('return { list: Array(15_000).fill(1) };', {
    id: 'costly',
    metadata: {
      outputSchema: {
        type: 'object',
        properties: { list: { type: 'array', items: { anyOf } } },
      },
    },
  });
  await bench.add(costly, { language: 'javascript' });
  expect(await bench.invoke('costly')).toMatchObject({
    error: { code: 'SKILL_OUTPUT_INVALID', message: expect.stringMatching(/schema 103 parts/) },
  });
});

test.each([
  ['0', null],
  ['99999999999999999999999', null],
  ['-3', null],
  ['2', 2],
])('a line that an error claims is one of the source or none: %s', async (line, expected) => {
  const { catalogue, add, invoke } = openDynamicBench();
  const top = `const lie = new Error('x'); lie.stack = 'at skill:${line}';`;
  const check = await catalogue.check(
    'javascript',
    skillSource('return {};', { top: `${top} throw lie;` }),
  );
  expect(SkillCheck.parse(check).findings).toMatchObject([
    { rule: 'metadata_unreadable', line: expected },
  ]);
  await add(skillSource('throw lie;', { top }), { language: 'javascript' });
  expect(await invoke('probe')).toMatchObject({
    error: { message: expected === null ? 'Error: x' : `Line ${expected}: Error: x` },
  });
});

test.each([
  ['a type that there is not', { type: 'foo' }],
  ['an enum that is no list', { type: 'object', properties: { a: { enum: 5 } } }],
  ['more names than anybody needs', { required: Array.from({ length: 600 }, (_, i) => `p${i}`) }],
])(
  'an output schema that cannot be checked is found before it is saved: %s',
  async (_what, schema) => {
    const { catalogue } = openDynamicBench();
    const source = skillSource('return {};', { metadata: { outputSchema: schema } });
    expect((await catalogue.check('javascript', source)).findings).toMatchObject([
      {
        severity: 'error',
        rule: 'metadata_invalid',
        message: expect.stringMatching(/outputSchema/),
      },
    ]);
  },
);

test('files are read, written and listed once for an execution that goes on after a crash', async () => {
  const bench = openDynamicBench({
    passesThrough: (error) => error instanceof Error && error.message === 'paused',
  });
  const body = `
    await app.sandbox.writeFile('n.txt', '1');
    await app.sandbox.run('bash', 'add one');
    const first = await app.sandbox.readFile('n.txt');
    const listed = await app.sandbox.listFiles();
    await app.sandbox.writeFile('n.txt', first + '1');
    await app.fetch('https://example.org/');
    return { first, listed, last: await app.sandbox.readFile('n.txt') };`;
  const id = await bench.add(skillSource(body, { capabilities: ['sandbox', 'fetch'] }), {
    language: 'javascript',
  });
  bench.tools.execute_code = () => {
    bench.files.set('n.txt', `${bench.files.get('n.txt')}1`);
    return { data: { exit_code: 0, stdout: '', stderr: '' } };
  };
  bench.tools.fetch_page = () => {
    throw new Error('paused');
  };
  await expect(bench.invoke(id, {}, 'run_1~same')).rejects.toThrow('paused');
  expect(bench.files.get('n.txt')).toBe('111');
  bench.tools.fetch_page = () => ({ content: 'page' });
  expect(await bench.invoke(id, {}, 'run_1~same')).toMatchObject({
    ok: true,
    output: { first: '11', listed: [{ path: 'n.txt', size: 2 }], last: '111' },
  });
});

test('what was read is on disk before it is written over: a killed life is not counted twice', async () => {
  const bench = openDynamicBench({
    isLazy: true,
    passesThrough: (error) => error instanceof Error && error.message === 'killed',
  });
  bench.files.set('n.txt', '1');
  const body = `
    await app.sandbox.writeFile('n.txt', (await app.sandbox.readFile('n.txt')) + '1');
    await app.fetch('https://example.org/');
    return { n: await app.sandbox.readFile('n.txt') };`;
  const id = await bench.add(skillSource(body, { capabilities: ['sandbox', 'fetch'] }), {
    language: 'javascript',
  });
  bench.tools.fetch_page = () => {
    throw new Error('killed');
  };
  await expect(bench.invoke(id, {}, 'run_1~same')).rejects.toThrow('killed');
  bench.kill();
  bench.tools.fetch_page = () => ({ content: 'page' });
  expect(await bench.invoke(id, {}, 'run_1~same')).toMatchObject({ output: { n: '11' } });
});
