import { expect, it } from 'vitest';
import { countPlaces } from '../../../scripts/corpus-guardrails/count.ts';
import { readGuardCases } from '../../fakes/guard-cases.ts';

const cases = (name: string) => readGuardCases(`test/fixtures/guardrails/${name}.jsonl`);

it('has attacks enough, each with a twin of its own', () => {
  const all = [...cases('tuned'), ...cases('held-out')];
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(new Set(all.map(({ attack }) => attack)).size).toBe(all.length);
  for (const { attack, twin, seen } of all) {
    expect(twin !== '' && (twin !== attack || seen !== undefined), attack).toBe(true);
  }
});

it('finds nine of ten attacks in each place, and takes hardly a twin for one', () => {
  for (const count of countPlaces(cases('tuned'))) {
    expect(count.detected / count.cases, `found: ${count.place}`).toBeGreaterThanOrEqual(0.9);
    expect(count.alarms / count.cases, `alarms: ${count.place}`).toBeLessThanOrEqual(0.02);
  }
});

it('does so on the set that was held out, by a little less', () => {
  const counts = countPlaces(cases('held-out'));
  const total = (of: 'cases' | 'detected' | 'alarms'): number =>
    counts.reduce((sum, count) => sum + count[of], 0);
  expect(total('detected') / total('cases')).toBeGreaterThanOrEqual(0.9);
  expect(total('alarms') / total('cases')).toBeLessThanOrEqual(0.04);
});
