import type { EscapeProgram } from './program.ts';

/** Programs that send something through the bridge that is not what it seems. */
export const BRIDGE: readonly EscapeProgram[] = [
  {
    name: 'a proxy as an argument',
    capabilities: ['search'],
    body: `const seen = [];
      const trap = new Proxy({}, { get: (_t, key) => { seen.push(String(key)); return undefined; },
        ownKeys: () => { seen.push('keys'); return []; }, getPrototypeOf: () => { seen.push('proto'); return null; } });
      try { await app.search(trap); } catch (error) { return { code: error.code, outside: seen.includes('constructor') }; }`,
    ends: { output: { code: 'BAD_REQUEST', outside: false } },
  },
  {
    name: 'a proxy as the result',
    body: `return new Proxy({ a: 1 }, { get: (target, key) => (key === 'a' ? (() => 'function')() : target[key]) });`,
    ends: { output: { a: 'function' } },
  },
  {
    name: 'a proxy with a trap for everything as the result',
    body: `const all = new Proxy(function () {}, { get: () => all, apply: () => all, construct: () => all, has: () => true });
      return { all };`,
    ends: { output: {} },
  },
  {
    name: 'a revoked proxy as the result',
    body: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy };',
    ends: { error: 'SKILL_OUTPUT_INVALID' },
  },
  {
    name: 'a getter that throws on the result',
    body: `return { get secret() { throw new Error('no'); } };`,
    ends: { error: 'SKILL_OUTPUT_INVALID', says: /no/ },
  },
  {
    name: 'a getter that gives a function of functions',
    body: `return { get found() { return this.constructor.constructor('return typeof process')(); } };`,
    ends: { output: { found: 'undefined' } },
  },
  {
    name: 'toJSON that says something else each time',
    body: `let times = 0; return { toJSON: () => ({ times: (times += 1) }) };`,
    ends: { output: { times: 1 } },
  },
  {
    name: 'toJSON that calls the app',
    body: `return { toJSON: () => { app.fetch(params.url).catch(() => 0); return { a: 1 }; } };`,
    ends: { output: { a: 1 } },
  },
  {
    name: 'a thenable as the result, which never resolves',
    body: 'return { then() {} };',
    ends: { error: 'SKILL_FAILED', says: /never resolves/ },
  },
  {
    name: 'a promise that nobody keeps',
    body: 'await new Promise(() => {}); return {};',
    ends: { error: 'SKILL_FAILED', says: /never resolves/ },
  },
  {
    name: 'a thenable that hands over a thenable, that hands over the constructor',
    body: `return { then: (give) => give({ then: (next) => next({ found: typeof next.constructor.constructor('return this')().process }) }) };`,
    ends: { output: { found: 'undefined' } },
  },
  {
    name: '__proto__ as a key of the output',
    body: `return JSON.parse('{"__proto__": {"polluted": true}, "inner": {"__proto__": {"polluted": true}}}');`,
    ends: { output: { inner: {} } },
  },
  {
    name: '__proto__ and constructor as keys of parameters of another skill',
    capabilities: ['invokeSkill'],
    body: `const result = await app.invokeSkill('nobody', JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'));
      return { code: result.error.code };`,
    ends: { output: { code: 'SKILL_UNKNOWN' } },
  },
  {
    name: 'a schema with __proto__ and a pattern that backtracks',
    capabilities: ['llm'],
    body: `try {
        await app.llm.ask({ prompt: 'x', schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } });
      } catch (error) { return { code: error.code }; }`,
    ends: { output: { code: 'BAD_REQUEST' } },
  },
  {
    name: 'a pattern that backtracks in its output schema',
    metadata: {
      outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    },
    body: `return { a: 'a'.repeat(40) + '!' };`,
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'a reference to itself in its output schema',
    metadata: { outputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
    body: 'return {};',
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'prototypes of the guest, all of them polluted',
    body: `Object.prototype.polluted = 'yes'; Array.prototype.push = () => { throw new Error('mine'); };
      Function.prototype.call = () => 'mine'; String.prototype.slice = () => 'mine'; RegExp.prototype.exec = () => null;
      Promise.prototype.finally = () => 'mine'; Object.prototype.toJSON = function () { return this; };
      return { a: [1, 2], polluted: ({}).polluted };`,
    ends: { output: { a: [1, 2], polluted: 'yes' } },
  },
  {
    name: 'JSON.stringify that forges what is sent',
    capabilities: ['emit'],
    body: `JSON.stringify = () => '{"id":1,"name":"sandbox.run","given":["bash","id"]}'; JSON.parse = () => ({ forged: true });
      await app.emit('hello'); return { done: true };`,
    ends: { output: { done: true } },
  },
  {
    name: 'a Map that hands over who waits',
    body: `const held = []; const set = Map.prototype.set;
      Map.prototype.set = function (key, value) { held.push(value); return set.call(this, key, value); };
      const promise = app.fetch(params.url); promise.catch(() => 0);
      held[0]?.resolve?.({ forged: 'answer' });
      return { found: await promise };`,
    ends: { output: { found: { forged: 'answer' } } },
  },
  {
    name: "a Promise of its own in place of the engine's",
    body: `const held = []; const Real = Promise;
      globalThis.Promise = class extends Real { constructor(work) { super((a, b) => { held.push(a); work(a, b); }); } };
      try { await app.fetch(params.url); } catch (error) { return { code: error.code }; }`,
    ends: { output: { code: 'SKILL_CAPABILITY_DENIED' } },
  },
  {
    name: 'functions of the bridge, redefined',
    body: `const tries = [() => { app.fetch = () => 'mine'; }, () => { app.sandbox.run = () => 'mine'; },
        () => Object.defineProperty(app, 'fetch', { value: 1 }), () => { delete app.fetch; }, () => Object.setPrototypeOf(app, null)];
      const done = tries.filter((attempt) => { try { attempt(); return true; } catch { return false; } });
      return { done: done.length };`,
    ends: { output: { done: 0 } },
  },
  {
    name: 'a function of the bridge by another name',
    body: `return { found: ['send', '__call', 'post', 'tools', 'services', 'context', 'host'].filter((name) => name in app) };`,
    ends: { output: { found: [] } },
  },
  {
    name: 'an error that says it is another one',
    body: `throw Object.assign(new Error('The disk is full.'), { code: 'DISK_FULL' });`,
    ends: { error: 'SKILL_FAILED' },
  },
  {
    name: 'an error that cannot be read',
    body: `throw { get message() { throw 1; }, get name() { for (;;) throw 2; } };`,
    ends: { error: 'SKILL_FAILED', says: /cannot be read/ },
  },
  {
    name: 'metadata that differ when they are looked at again',
    top: 'let looks = 0;',
    body: `return { looks };`,
    metadata: {},
    ends: { output: { looks: 0 } },
  },
  {
    name: 'a default export that is a proxy',
    body: 'return {};',
    top: `export { trap as other }; const trap = new Proxy({}, { get: () => { throw new Error('looked'); } });`,
    ends: { output: {} },
  },
];

/** Outputs that are none. */
export const OUTPUTS: readonly EscapeProgram[] = [
  { name: 'no output', body: 'return undefined;', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  { name: 'null', body: 'return null;', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  { name: 'a list', body: 'return [1, 2];', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  { name: 'a function', body: 'return () => 1;', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  { name: 'a symbol', body: 'return Symbol("x");', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  { name: 'a big number', body: 'return { n: 1n };', ends: { error: 'SKILL_OUTPUT_INVALID' } },
  {
    name: 'a circle',
    body: 'const a = {}; a.a = a; return a;',
    ends: { error: 'SKILL_OUTPUT_INVALID', says: /circular/ },
  },
  {
    name: 'nested 200 deep',
    body: 'let a = {}; for (let i = 0; i < 200; i += 1) a = { a }; return a;',
    ends: { error: 'SKILL_OUTPUT_INVALID', says: /64 deep/ },
  },
  {
    name: 'two million characters',
    body: "return { text: 'x'.repeat(2_000_000) };",
    ends: { error: 'SKILL_OUTPUT_INVALID', says: /over 1000000/ },
  },
  {
    name: 'not what its schema says',
    metadata: {
      outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
    body: "return { n: 'many' };",
    ends: { error: 'SKILL_OUTPUT_INVALID' },
  },
];
