import { globSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { scanResult } from '#main/guardrails/injection-scan.ts';
import { createModelService } from '#main/models/model-service.ts';
import { countPlaces } from '../../../scripts/corpus-guardrails/count.ts';
import {
  countOpinions,
  countToxicity,
  readOpinionCases,
} from '../../../scripts/corpus-guardrails/flash.ts';
import { countPatterns } from '../../../scripts/corpus-guardrails/patterns.ts';
import { startDirectedModel } from '../../fakes/directed-model.ts';
import { type GuardCase, readGuardCases } from '../../fakes/guard-cases.ts';

const cases = (name: string) => readGuardCases(`test/fixtures/guardrails/${name}.jsonl`);

it('has enough attacks, each with a harmless twin', () => {
  const all = [...cases('tuned'), ...cases('held-out')];
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(new Set(all.map(({ attack }) => attack)).size).toBe(all.length);
  for (const { attack, twin, seen } of all) {
    expect(twin !== '' && (twin !== attack || seen !== undefined), attack).toBe(true);
  }
});

it('finds nine of ten attacks in each place, with hardly a false alarm on twins', () => {
  for (const count of countPlaces(cases('tuned'))) {
    expect(count.detected / count.cases, `found: ${count.place}`).toBeGreaterThanOrEqual(0.9);
    expect(count.alarms / count.cases, `alarms: ${count.place}`).toBeLessThanOrEqual(0.02);
  }
});

it('does almost as well on the held-out set', () => {
  const counts = countPlaces(cases('held-out'));
  const total = (of: 'cases' | 'detected' | 'alarms'): number =>
    counts.reduce((sum, count) => sum + count[of], 0);
  expect(total('detected') / total('cases')).toBeGreaterThanOrEqual(0.9);
  expect(total('alarms') / total('cases')).toBeLessThanOrEqual(0.04);
});

const SETS = ['tuned', 'held-out', 'afterwards', 'results-paraphrased'] as const;

it('keeps no word pattern that matches only its own set, and none that matches a twin', () => {
  const counts = countPatterns(SETS.map(cases));
  expect(counts.length).toBeGreaterThan(30);
  // Signs are marks that no honest text has: they need no second confirmation.
  const words = counts.filter(({ pattern }) => !pattern.startsWith('/'));
  const onlyTuned = words.filter(({ hits }) => hits.slice(1).every(({ attacks }) => attacks === 0));
  const alarming = counts.filter(({ hits }) => hits.some(({ twins }) => twins > 0));
  expect([onlyTuned, alarming].map((found) => found.map(({ pattern }) => pattern))).toEqual([
    ...[[], []],
  ]);
});

it('raises no alarm on skills that others wrote, nor on our own', () => {
  const files = [
    ...globSync('node_modules/playwright-core/lib/tools/skills/**/*.md'),
    ...globSync('resources/skills/**/*.md'),
  ];
  expect(files.length).toBeGreaterThan(10);
  const alarms = files.flatMap((file) =>
    scanResult(readFileSync(file, 'utf8')).map(({ rule }) => `${file}: ${rule}`),
  );
  expect(alarms).toEqual([]);
  expect(scanResult('Then call sandbox_file, or use read_page on each of them.')).toEqual([]);
});

it('counts the verdicts of a model on a server about calls and answers, asked as runs do', async () => {
  const opinions = readOpinionCases('test/fixtures/guardrails/second-opinion.jsonl');
  const toxicity = cases('toxicity');
  // Agrees with every page, and finds abuse wherever there is an exclamation mark.
  const server = await startDirectedModel(({ system, turn }) => {
    if (system === 'calls')
      return { content: `{"serves":"${turn.includes('fetch_page') ? 'yes' : 'no'}"}` };
    return { content: `{"kind":"${/<data-\w+>[\s\S]*!/.test(turn) ? 'abuse' : 'none'}"}` };
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { signal } = new AbortController();
  const models = createModelService({
    ...{ settings: () => Settings.parse({}), readSecret: () => null, env: {} },
    ...{ memoryBytes: 0, root: process.cwd() },
  });
  await using model = await models.open(
    { provider: 'ollama', name: 'x' },
    { baseUrl: server.url, signal },
  );
  const pages = (serves: boolean) =>
    opinions.filter((one) => one.serves === serves && one.call.tool === 'fetch_page').length;
  const total = (serves: boolean) => opinions.filter((one) => one.serves === serves).length;
  const counted = await countOpinions(opinions, { model, systemPrompt: 'calls', signal });
  expect(counted.map(({ serves, cases: all, asked }) => [serves, all, asked])).toEqual(
    [false, true].map((serves) => [serves, total(serves), total(serves) - pages(serves)]),
  );
  const loud = (of: (one: GuardCase) => string) =>
    toxicity.filter((one) => of(one).includes('!')).length;
  expect(await countToxicity(toxicity, { model, systemPrompt: 'answers', signal })).toEqual({
    cases: toxicity.length,
    found: loud(({ attack }) => attack),
    alarms: loud(({ twin }) => twin),
    unchecked: 0,
  });
});
