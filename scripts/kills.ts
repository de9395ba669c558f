import { KillHarness, type Verdict } from '../test/kill/harness.ts';
import { SCENARIOS } from '../test/kill/scenarios.ts';

/**
 * Kills a run at every boundary and resumes it, then kills it twice, then four times:
 *
 *   npm run kills                    a run of 31 calls, every boundary
 *   npm run kills -- 10              every tenth
 *   npm run kills -- 10 plan         a run that replans; `escalation` for one that the executor plans with its
 *                                    first call, `research` for research, `skill` for a skill, `session`
 *                                    for a Markdown skill, `dynamic` for a skill whose source is stored in
 *                                    the app, `pictures` for a run with pictures,
 *                                    `browsing` for an order in the browser
 */
const [everyText = '1', name = 'calls'] = process.argv.slice(2);
const scenario = SCENARIOS[name];
if (scenario === undefined) {
  throw new Error(`There is no scenario ${name}. Use one of: ${Object.keys(SCENARIOS).join(', ')}`);
}
const every = Math.max(1, Number(everyText));
await using harness = await KillHarness.open(scenario);
const { boundaries, names } = await harness.undisturbed();
process.stdout.write(`The undisturbed run has ${boundaries} boundaries.\n`);

const once = Array.from({ length: boundaries }, (_, i) => [i + 1]).filter(
  (_, i) => i % every === 0,
);
// The later the first kill, the shorter the second life; if it ends first, the run is killed only once.
const twice = once.map(([at = 1]) => [at, 1 + ((at * 7) % Math.max(2, boundaries - at))]);
await report('killed once', once);
await report('killed again after resuming', twice);
// Short second and third lives: work that was just restarted is interrupted again.
const often = once.map(([at = 1]) => [at, 3 + (at % 29), 5 + (at % 23), 4 + (at % 31)]);
await report('killed four times', often);

async function report(what: string, plans: readonly (readonly number[])[]): Promise<void> {
  const verdicts: Verdict[] = [];
  const queue = [...plans];
  const work = async (): Promise<void> => {
    for (let kills = queue.shift(); kills !== undefined; kills = queue.shift()) {
      verdicts.push(await harness.kill(...kills));
    }
  };
  await Promise.all(Array.from({ length: harness.atOnce }, work));
  const sum = (of: (verdict: Verdict) => number): number =>
    verdicts.reduce((all, verdict) => all + of(verdict), 0);
  process.stdout.write(
    `${what}: ${sum(({ killed }) => killed)} kills in ${verdicts.length} runs, ` +
      `${verdicts.filter(({ differences }) => differences.length === 0).length} as if undisturbed, ` +
      `${sum(({ doubled }) => doubled.length)} effects doubled, ${sum(({ lost }) => lost.length)} lost, ` +
      `${sum(({ unknown }) => unknown.length)} unknown and asked about\n`,
  );
  for (const { kills, doubled, lost, differences } of verdicts) {
    if (doubled.length + lost.length + differences.length === 0) continue;
    process.exitCode = 1;
    process.stdout.write(
      `  at ${kills.map((at) => names[at - 1] ?? at).join(', then ')}: ` +
        `doubled ${doubled.join(' ') || 'none'}, lost ${lost.join(' ') || 'none'}\n` +
        differences.map((one) => `    ${one}\n`).join(''),
    );
  }
}
