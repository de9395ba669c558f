import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GUEST_LIMITS } from '../../src-main/skills/dynamic/limits.ts';
import { SkillThread } from '../../src-main/skills/dynamic/skill-thread.ts';
import type { GuestEnd } from '../../src-main/skills/dynamic/worker-messages.ts';

/**
 * What a dynamic skill costs, on the thread of the build:
 *
 *   node test/bench/skills.ts
 *
 * A call through the bridge goes from the engine over its thread to the app and back; beside it stands the
 * same work called directly. A fresh engine is made for every run.
 */
const CALLS = 2_000;
const RUNS = 100;
const root = join(import.meta.dirname, '..', '..');
const built = join(root, 'out', 'main');
const files = { worker: join(built, 'skill-worker.js'), engine: join(built, 'quickjs.wasm') };
const sources = {
  worker: join(root, 'src-main', 'skills', 'dynamic', 'worker', 'skill-worker.ts'),
  engine: createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'),
};
const start = { at: Date.now(), seed: 1 };
const limits = { ...GUEST_LIMITS, calls: CALLS + 1, turnMs: 60_000 };
const signal = new AbortController().signal;
const skill = (body: string): string =>
  `import { defineSkill } from 'hyperagent'; export default defineSkill({ metadata: {}, async run(params, app) { ${body} } });`;

/** What the app does for a call here: reads what was said, and says it again. */
const work = async (given: string): Promise<string> => JSON.stringify({ said: JSON.parse(given) });

async function run(thread: SkillThread, javascript: string, onCall = (): void => undefined) {
  const end: GuestEnd = await thread.run(
    { javascript, params: '{}', start, limits },
    {
      signal,
      onCall: ({ id, given }) => {
        onCall();
        void work(given).then((json) => thread.answer({ id, ok: true, json }));
      },
    },
  );
  if (!end.ok) throw new Error(`${end.code}: ${end.message}`);
}

const ms = (value: number): string => `${value.toFixed(3)} ms`;
const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
function print(name: string, times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  const [median, p95] = [at(sorted, 0.5), at(sorted, 0.95)];
  process.stdout.write(
    `${name.padEnd(44)} median ${ms(median)}, p95 ${ms(p95)}, n ${times.length}\n`,
  );
  return median;
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

let thread = new SkillThread(files);
const trivial = skill('return {};');
print('first run, with the thread of the build', [await timed(() => run(thread, trivial))]);
const template =
  "import { defineSkill } from 'hyperagent';\nconst a: number = 1;\nexport default defineSkill({ metadata: {}, async run() { return { a }; } });";
print('first check of TypeScript', [await timed(() => thread.inspect('typescript', template))]);
const checks: number[] = [];
for (let n = 0; n < RUNS; n += 1)
  checks.push(await timed(() => thread.inspect('typescript', template)));
print('check of TypeScript', checks);
const runs: number[] = [];
for (let n = 0; n < RUNS; n += 1) runs.push(await timed(() => run(thread, trivial)));
print('run of a trivial skill, engine and all', runs);

// One call after another: from the arrival of one to the arrival of the next is one way round.
const arrivals: number[] = [];
await run(
  thread,
  skill(`for (let n = 0; n < ${CALLS + 1}; n += 1) await app.emit('hello'); return {};`),
  () => {
    arrivals.push(performance.now());
  },
);
const bridge = print(
  'a call through the bridge',
  arrivals.slice(1).map((time, n) => time - (arrivals[n] ?? time)),
);
const direct: number[] = [];
for (let n = 0; n < CALLS; n += 1) direct.push(await timed(() => work('["hello"]')));
const plain = print('the same, called directly', direct);
process.stdout.write(`${'ratio of the two medians'.padEnd(44)} ${(bridge / plain).toFixed(0)}\n`);
await thread.end();

thread = new SkillThread(sources);
print('first run, with the thread of the sources', [await timed(() => run(thread, trivial))]);
await thread.end();
process.exitCode = bridge < 1 ? 0 : 1;
