import type { EscapeProgram } from './program.ts';

const OUT_OF_MEMORY = { error: 'SKILL_MEMORY_LIMIT' } as const;
const TIMED_OUT = { error: 'SKILL_TIMED_OUT' } as const;

/** Programs that compute without an end. */
export const CPU_BOMBS: readonly EscapeProgram[] = [
  { name: 'a loop', body: 'for (;;) {}', ends: TIMED_OUT },
  {
    name: 'a loop that catches what would end it',
    body: 'for (;;) { try { for (;;) {} } catch {} finally { continue; } }',
    ends: TIMED_OUT,
  },
  {
    name: 'a regular expression',
    body: "return { a: /^(a+)+$/.test('a'.repeat(50) + '!') };",
    ends: TIMED_OUT,
  },
  { name: 'microtasks without an end', body: 'for (;;) await null;', ends: TIMED_OUT },
  {
    name: 'microtasks that breed',
    // Each is released: one that waited for the next would take all memory first on a fast machine.
    body: 'const breed = () => { Promise.resolve().then(breed); }; breed(); await new Promise(() => {});',
    ends: TIMED_OUT,
  },
  {
    name: 'microtasks that catch',
    body: 'const go = async () => { for (;;) { try { await null; } catch {} } }; await go();',
    ends: TIMED_OUT,
  },
  { name: 'a comparison of sort', body: '[3, 1, 2].sort(() => { for (;;) {} });', ends: TIMED_OUT },
  {
    name: 'a generator without an end',
    body: 'function* all() { for (;;) yield 1; } for (const _ of all()) {} return {};',
    ends: TIMED_OUT,
  },
  { name: 'a getter of the output', body: 'return { get a() { for (;;) {} } };', ends: TIMED_OUT },
  { name: 'toJSON of the output', body: 'return { toJSON() { for (;;) {} } };', ends: TIMED_OUT },
  {
    name: 'the message of an error',
    body: 'throw { get message() { for (;;) {} } };',
    ends: TIMED_OUT,
  },
  {
    name: 'after an answer of the app',
    capabilities: ['emit'],
    body: "await app.emit('now'); for (;;) {}",
    ends: TIMED_OUT,
  },
  { name: 'code made at run time', body: "(0, eval)('for (;;) {}');", ends: TIMED_OUT },
  {
    name: 'the top of the module',
    top: 'for (;;) {}',
    body: 'return {};',
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'the clock, looked at until it is late',
    body: 'const end = Date.now() + 1e12; while (Date.now() < end) {} return {};',
    ends: TIMED_OUT,
  },
];

/** Programs that take more and more memory. */
export const MEMORY_BOMBS: readonly EscapeProgram[] = [
  {
    name: 'lists',
    body: 'const all = []; for (;;) all.push(new Array(1000).fill(1));',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'texts',
    body: 'const all = []; for (let i = 0; ; i += 1) all.push(String(i).repeat(100_000));',
    ends: OUT_OF_MEMORY,
  },
  { name: 'one list', body: 'return { n: new Array(1e8).fill(0).length };', ends: OUT_OF_MEMORY },
  { name: 'one text', body: "return { n: 'x'.padEnd(2 ** 29).length };", ends: OUT_OF_MEMORY },
  {
    name: 'typed arrays',
    body: 'const all = []; for (;;) all.push(new Uint8Array(1e7));',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'a map',
    body: 'const map = new Map(); for (let i = 0; ; i += 1) map.set(i, { i });',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'symbols',
    body: 'const all = []; for (;;) all.push(Symbol("a".repeat(1000)));',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'properties of one object',
    body: 'const all = {}; for (let i = 0; ; i += 1) all["key" + i] = i;',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'promises that wait',
    body: 'const all = []; for (;;) all.push(new Promise(() => {}));',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'a list made of what never ends',
    body: 'return { n: Array.from({ [Symbol.iterator]: () => ({ next: () => ({ value: {}, done: false }) }) }).length };',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'a match that keeps everything',
    body: "const text = 'ab'.repeat(4e6); return { n: [...text.matchAll(/(a)(b)/g)].length };",
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'calls of calls',
    body: 'const deep = () => deep() + 1; return { n: deep() };',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'async calls of async calls',
    body: 'const deep = async () => (await deep()) + 1; return { n: await deep() };',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'JSON that is nested five million deep',
    body: "return { n: JSON.parse('['.repeat(5e6)) };",
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'a value that is nested too deep to write',
    body: 'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return { text: JSON.stringify(a).length };',
    ends: OUT_OF_MEMORY,
  },
  {
    name: 'a regular expression that is nested too deep to read',
    body: "return { a: new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('a') };",
    ends: { error: 'SKILL_FAILED', says: /SyntaxError/ },
  },
  {
    name: 'lists, caught, and going on with what is left',
    body: `const all = []; try { for (;;) all.push(new Array(1000).fill(1)); } catch { all.length = 0; }
      return { isAlive: true };`,
    ends: { output: { isAlive: true } },
  },
];

/** Programs that ask for more than they were given. */
export const CALLS: readonly EscapeProgram[] = [
  {
    name: 'what its metadata does not ask for',
    body: "await app.search('x'); return {};",
    ends: { error: 'SKILL_CAPABILITY_DENIED', says: /does not request search/ },
  },
  {
    name: 'what was asked for and not granted',
    capabilities: ['search', 'fetch'],
    granted: ['fetch'],
    body: "await app.search('x'); return {};",
    ends: { error: 'SKILL_CAPABILITY_DENIED', says: /did not grant it search/ },
  },
  {
    name: 'everything, with nothing granted',
    capabilities: ['llm', 'search', 'fetch', 'sandbox', 'invokeSkill', 'emit'],
    granted: [],
    body: `const codes = [];
      for (const attempt of [() => app.llm.ask({ prompt: 'x' }), () => app.search('x'), () => app.fetch('x'),
        () => app.sandbox.run('bash', 'x'), () => app.sandbox.readFile('x'), () => app.sandbox.writeFile('x', 'y'),
        () => app.sandbox.listFiles(), () => app.invokeSkill('x'), () => app.emit('x')]) {
        try { await attempt(); codes.push('got in'); } catch (error) { codes.push(error.code); }
      }
      return { codes: [...new Set(codes)], count: codes.length };`,
    ends: { output: { codes: ['SKILL_CAPABILITY_DENIED'], count: 9 } },
  },
  {
    name: 'a flood, one after another',
    capabilities: ['emit'],
    limits: { calls: 50 },
    body: "for (let i = 0; i < 200; i += 1) await app.emit('x'); return {};",
    ends: { error: 'SKILL_CALL_LIMIT', says: /more than 50 calls/ },
  },
  {
    name: 'a flood at once, and none awaited',
    capabilities: ['emit'],
    limits: { calls: 50 },
    body: "for (;;) app.emit('x').catch(() => 0);",
    ends: { error: 'SKILL_CALL_LIMIT' },
  },
  {
    name: 'a flood of calls that are refused',
    limits: { calls: 50 },
    body: "for (;;) { try { await app.search('x'); } catch {} }",
    ends: { error: 'SKILL_CALL_LIMIT' },
  },
  {
    name: 'a message that is too long',
    capabilities: ['search'],
    body: "await app.search('x'.repeat(1_000_001)); return {};",
    ends: { error: 'SKILL_FAILED', says: /may have 1000000 characters/ },
  },
  {
    name: 'a message that is nested too deep',
    capabilities: ['invokeSkill'],
    body: `let a = {}; for (let i = 0; i < 100; i += 1) a = { a };
      try { await app.invokeSkill('x', a); } catch (error) { return { code: error.code }; }`,
    ends: { output: { code: 'BAD_REQUEST' } },
  },
  {
    name: 'itself',
    capabilities: ['invokeSkill'],
    body: "const { error } = await app.invokeSkill('probe'); return { code: error.code };",
    ends: { output: { code: 'SKILL_TOO_DEEP' } },
  },
  {
    name: 'a report with line breaks, escape codes and marks of direction',
    capabilities: ['emit'],
    body: "await app.emit('a\\nb\\u001b[31m\\u202e'); return {};",
    ends: { output: {} },
  },
  {
    name: 'calls after the end',
    capabilities: ['search', 'emit'],
    body: `Promise.resolve().then(() => Promise.resolve()).then(async () => {
        for (let i = 0; i < 20; i += 1) { await null; } app.search('late').catch(() => 0);
      });
      return { done: true };`,
    ends: { output: { done: true } },
  },
  {
    name: 'a loop after the end',
    body: `(async () => { for (let i = 0; i < 50; i += 1) await null; for (;;) {} })(); return { done: true };`,
    ends: { output: { done: true } },
  },
  {
    name: 'a job that waits for the collector, after the end',
    body: `return { found: typeof FinalizationRegistry + typeof WeakRef };`,
    ends: { output: { found: 'undefinedundefined' } },
  },
];
