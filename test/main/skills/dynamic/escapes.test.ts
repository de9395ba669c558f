import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { appRoot } from '#main/app-root.ts';
import { SkillThreads } from '#main/skills/dynamic/skill-threads.ts';
import type { SkillResult } from '#main/skills/types.ts';
import { openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';
import { CALLS, CPU_BOMBS, MEMORY_BOMBS } from './escapes/bombs.ts';
import { BRIDGE, OUTPUTS } from './escapes/bridge.ts';
import { type Canaries, openCanaries } from './escapes/canaries.ts';
import type { EscapeProgram } from './escapes/program.ts';
import { REACHING_OUT } from './escapes/reaching-out.ts';

const ALL = { REACHING_OUT, BRIDGE, OUTPUTS, CPU_BOMBS, MEMORY_BOMBS, CALLS };
const LIMITS = { memoryBytes: 16 * 1024 * 1024 };
/** Short where it is run to; else so long that a busy machine does not run to it. */
const TURN_MS: Readonly<Record<string, number>> = { CPU_BOMBS: 400 };
const PARAMETERS = ['file', 'secret', 'url'].map((name) => ({
  ...{ name, type: 'string', description: 'Of a canary.', required: false },
}));

let canaries: Canaries;
/** Of all: what one did to a thread, the next one would find. */
const threads = new SkillThreads(appRoot());
let tried = 0;
let out = 0;
beforeAll(async () => {
  // It makes a global of its own.
  await import('@langchain/langgraph');
  canaries = await openCanaries();
});
afterAll(async () => {
  await threads[Symbol.asyncDispose]();
  await canaries[Symbol.asyncDispose]();
  process.stdout.write(`escapes from dynamic skills: ${tried} tried, ${out} got out\n`);
});

/** How a program ended: a result, or the code that it was refused with when it was saved. */
async function attempt(program: EscapeProgram, group: string) {
  const { body, top, capabilities, granted, metadata, limits } = program;
  const bench = openDynamicBench({
    threads,
    limits: { ...LIMITS, turnMs: TURN_MS[group] ?? 200_000, ...limits },
  });
  const source = skillSource(body, {
    ...(top === undefined ? {} : { top }),
    ...(capabilities === undefined ? {} : { capabilities }),
    metadata: { parameters: PARAMETERS, ...metadata },
  });
  let ended: SkillResult | { readonly refused: string };
  try {
    const options = {
      language: 'javascript' as const,
      ...(granted === undefined ? {} : { granted }),
    };
    const id = await bench.add(source, options);
    ended = await bench.invoke(id, canaries.params);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ended = { refused: error.code };
  }
  return { ended, bench };
}

for (const [group, programs] of Object.entries(ALL)) {
  describe(group.toLowerCase().replaceAll('_', ' '), () => {
    test.each(programs)('$name', async (program) => {
      tried += 1;
      const { ended, bench } = await attempt(program, group);
      const said = JSON.stringify([ended, bench.events, [...bench.files]]);
      const touched = await canaries.touched(said);
      if (touched.length > 0) out += 1;
      expect(touched).toEqual([]);
      expect(bench.calls.map(({ name }) => name)).toEqual(program.reaches ?? []);
      const { ends } = program;
      if ('refused' in ends) expect(ended).toEqual(ends);
      else if ('output' in ends) {
        expect(ended).toEqual({ ok: true, executionId: expect.any(String), output: ends.output });
      } else {
        expect(ended).toMatchObject({ ok: false, error: { code: ends.error } });
        if (ends.says !== undefined) expect(said).toMatch(ends.says);
      }
      // Whatever it did, the next one is served as if nothing had been.
      await bench.add(
        skillSource("return { a: [1].concat(2), p: ({}).polluted ?? 'none' };", { id: 'next' }),
      );
      expect(await bench.invoke('next')).toMatchObject({
        ok: true,
        output: { a: [1, 2], p: 'none' },
      });
    });
  });
}

test('there are at least 60 of them', () => {
  expect(Object.values(ALL).flat().length).toBeGreaterThanOrEqual(60);
});

test('the canaries see anything that gets out', async () => {
  const { file, secret, url } = canaries.params;
  const getOut = new Function(
    'params',
    'app',
    "return app.constructor.constructor('return process')()",
  );
  const process_ = getOut({}, {}) as NodeJS.Process;
  const fs = process_.getBuiltinModule('node:fs');
  fs.writeFileSync(file, 'x');
  await new Promise((resolve) => http.get(url, (answer) => answer.resume().on('end', resolve)));
  (Object.prototype as Record<string, unknown>).polluted = true;
  (globalThis as Record<string, unknown>).escaped = true;
  const touched = await canaries.touched(fs.readFileSync(secret, 'utf8') + process_.version);
  delete (Object.prototype as Record<string, unknown>).polluted;
  delete (globalThis as Record<string, unknown>).escaped;
  expect(touched).toEqual([
    'a file was written',
    'the secret was read',
    'the process was seen',
    'the listener was reached',
    'Object.prototype was changed',
    'a prototype was changed',
    'a global was made: escaped',
  ]);
  expect(await canaries.touched('')).toEqual([]);
});
