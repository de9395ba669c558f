import type { EscapeProgram } from './program.ts';

/** What it would be if the function that makes functions were one of the app's. */
const TRY = (of: string): string => `
    try {
      const found = (${of})('return typeof process + typeof require + typeof globalThis.fetch')();
      return { found };
    } catch (error) { return { found: 'threw ' + error.name }; }`;
const NOTHING = { output: { found: 'undefinedundefinedundefined' } } as const;

/** Programs that look for the app, its process or its files. */
export const REACHING_OUT: readonly EscapeProgram[] = [
  {
    name: 'names of Node',
    body: `return { found: [typeof process, typeof require, typeof module, typeof exports, typeof __dirname,
      typeof Buffer, typeof setTimeout, typeof setImmediate, typeof fetch, typeof WebSocket, typeof XMLHttpRequest,
      typeof Worker, typeof WebAssembly, typeof Deno, typeof Bun, typeof std, typeof os, typeof scriptArgs]
      .filter((type) => type !== 'undefined') };`,
    ends: { output: { found: [] } },
  },
  {
    name: 'process.exit',
    body: 'process.exit(1);',
    ends: { error: 'SKILL_FAILED', says: /process is not defined/ },
  },
  {
    name: 'require of a module',
    body: "return { text: require('node:fs').readFileSync(params.secret, 'utf8') };",
    ends: { error: 'SKILL_FAILED', says: /require is not defined/ },
  },
  {
    name: 'an import of a module of Node',
    top: "import fs from 'node:fs';",
    body: "return { text: fs.readFileSync(params.secret, 'utf8') };",
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'an export from a module of Node',
    top: "export * from 'node:os';",
    body: 'return {};',
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'an import of a file beside it',
    top: "import { x } from './guest.ts';",
    body: 'return { x };',
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'an import that is computed',
    body: "return { fs: Object.keys(await import('node:' + 'fs')) };",
    ends: { refused: 'SKILL_CODE_INVALID' },
  },
  {
    name: 'an import made by Function at run time',
    body: `const load = new Function('name', 'return import(name)');
      return { found: Object.keys(await load('node:child_process')) };`,
    ends: { error: 'SKILL_FAILED', says: /Only the module hyperagent/ },
  },
  {
    name: 'an import made by eval at run time, of a path',
    body: `return { found: Object.keys(await eval("import('file://" + params.secret + "')")) };`,
    ends: { error: 'SKILL_FAILED', says: /Only the module hyperagent/ },
  },
  {
    name: 'an import of the module itself, for a second copy',
    body: `return { found: Object.keys(await (0, eval)("import('skill')")) };`,
    ends: { error: 'SKILL_FAILED', says: /Only the module hyperagent/ },
  },
  {
    name: 'the constructor of the constructor of this',
    body: TRY('(function () { return (this ?? globalThis).constructor.constructor; })()'),
    ends: NOTHING,
  },
  { name: 'the constructor of params', body: TRY('params.constructor.constructor'), ends: NOTHING },
  { name: 'the constructor of app', body: TRY('app.constructor.constructor'), ends: NOTHING },
  {
    name: 'the constructor of a bridge function',
    body: TRY('app.fetch.constructor'),
    ends: NOTHING,
  },
  {
    name: 'the constructor of a nested bridge object',
    body: TRY('app.sandbox.__proto__.constructor.constructor'),
    ends: NOTHING,
  },
  {
    name: 'the constructor of a promise of the bridge',
    body: `const promise = app.fetch('x'); promise.catch(() => 0); ${TRY('promise.constructor.constructor')}`,
    ends: NOTHING,
  },
  {
    name: 'the constructor of an error of the bridge',
    body: `let caught; try { await app.fetch('x'); } catch (error) { caught = error; } ${TRY('caught.constructor.constructor')}`,
    ends: NOTHING,
  },
  {
    name: 'the prototype chain of an error of the bridge, to its end',
    body: `let caught; try { await app.fetch('x'); } catch (error) { caught = error; }
      const found = [];
      for (let one = caught; one !== null; one = Object.getPrototypeOf(one)) {
        found.push(one.constructor.constructor('return typeof process')());
      }
      return { found: [...new Set(found)] };`,
    ends: { output: { found: ['undefined'] } },
  },
  {
    name: 'the constructor of what the app answered',
    capabilities: ['fetch'],
    body: `const page = await app.fetch('https://example.org/'); ${TRY('page.constructor.constructor')}`,
    ends: NOTHING,
    reaches: ['fetch_page'],
  },
  {
    name: 'the constructor of async functions',
    body: `const Make = (async () => 0).constructor;
      return { found: await Make('return typeof process + typeof require + typeof globalThis.fetch')() };`,
    ends: NOTHING,
  },
  {
    name: 'the constructor of generators',
    body: `const Make = (function* () {}).constructor;
      return { found: Make('yield typeof process + typeof require + typeof globalThis.fetch')().next().value };`,
    ends: NOTHING,
  },
  {
    name: 'the constructor of async generators',
    body: `const Make = (async function* () {}).constructor;
      const { value } = await Make('yield typeof process + typeof require + typeof globalThis.fetch')().next();
      return { found: value };`,
    ends: NOTHING,
  },
  {
    name: 'an iterator of the engine',
    body: TRY('[][Symbol.iterator]().__proto__.__proto__.constructor.constructor'),
    ends: NOTHING,
  },
  {
    name: 'eval, direct and indirect',
    body: `return { found: [eval('typeof process'), (0, eval)('typeof process'), globalThis.eval('typeof require')] };`,
    ends: { output: { found: ['undefined', 'undefined', 'undefined'] } },
  },
  {
    name: 'who called it',
    body: `let found;
      try { found = typeof new Function('return arguments.callee.caller')(); } catch (error) { found = error.name; }
      return { found: found === 'TypeError' || found === 'object' || found === 'undefined' };`,
    ends: { output: { found: true } },
  },
  {
    name: 'call sites by prepareStackTrace',
    body: `Error.prepareStackTrace = (_error, sites) => sites;
      let caught; try { await app.fetch('x'); } catch (error) { caught = error; }
      const stack = caught.stack;
      const found = (Array.isArray(stack) ? stack : []).flatMap((site) =>
        [site.getThis?.(), site.getFunction?.()].filter((one) => one?.constructor?.constructor?.('return typeof process')() === 'object'));
      return { found: found.length };`,
    ends: { output: { found: 0 } },
  },
  {
    name: 'stacks of every error that it can cause',
    body: `const stacks = [];
      const attempts = [() => app.fetch('x'), () => app.fetch(1n), () => null.x, () => JSON.parse('{'),
        () => (0, eval)('import("fs")'), () => new Array(-1), () => app.emit(Symbol())];
      for (const attempt of attempts) { try { await attempt(); } catch (error) { stacks.push(String(error.stack) + error.message); } }
      return { found: stacks.filter((text) => /node:|file:|\\.ts\\b|wasm|worker|[/\\\\](?:work|tmp|home|root)/.test(text)), count: stacks.length };`,
    ends: { output: { found: [], count: 7 } },
  },
  {
    name: 'functions of the bridge, read as text and turned inside out',
    body: `const seen = new Set(); const found = [];
      const look = (value) => {
        if (value === null || !/^(?:object|function)$/.test(typeof value) || seen.has(value)) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          let inner; try { inner = value[key]; } catch { continue; }
          if (typeof inner === 'function' && /^(?:process|require|fetch|postMessage|binding)$/.test(inner.name)) found.push(inner.name);
          look(inner);
        }
        look(Object.getPrototypeOf(value));
      };
      look(app.llm); look(app.sandbox); look(globalThis); look(params);
      return { found };`,
    ends: { output: { found: [] } },
  },
  {
    name: 'the file of the canary, by every name of the sandbox that it was not granted',
    body: `const found = [];
      for (const attempt of [() => app.sandbox.readFile(params.secret), () => app.sandbox.writeFile(params.file, 'x'),
        () => app.sandbox.listFiles('/'), () => app.sandbox.run('bash', 'touch ' + params.file)]) {
        try { await attempt(); found.push('got in'); } catch (error) { found.push(error.code); }
      }
      return { found: [...new Set(found)] };`,
    ends: { output: { found: ['SKILL_CAPABILITY_DENIED'] } },
  },
  {
    name: 'the listener of the canary, by fetch',
    body: 'await app.fetch(params.url); return {};',
    ends: { error: 'SKILL_CAPABILITY_DENIED', says: /does not request fetch/ },
  },
  {
    name: 'memory that is shared, and a wait that blocks',
    body: `let found = 'nothing';
      try { const shared = new Int32Array(new SharedArrayBuffer(8)); found = Atomics.wait(shared, 0, 0, 50); }
      catch (error) { found = 'threw'; }
      return { found: found === 'threw' || found === 'timed-out' };`,
    ends: { output: { found: true } },
  },
];
