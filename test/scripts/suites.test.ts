import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';
import { costLines, sampleLines } from '../../scripts/test/report.ts';
import { LONG_FILES, SUITES } from '../suites.ts';

const isIn = (file: string, globs: readonly string[]): boolean =>
  globs.some((glob) => matchesGlob(file, glob));

describe('the suites of npm test', () => {
  it('have every test file once, and no long file that is not there', () => {
    const files = globSync('test/**/*.test.{ts,tsx}', { cwd: ROOT });
    const homes = files.map((file) => ({
      file,
      suites: SUITES.filter(
        ({ include, exclude = [] }) => isIn(file, include) && !isIn(file, exclude),
      ).map(({ name }) => name),
    }));
    expect(files.length).toBeGreaterThan(200);
    expect(homes.filter(({ suites }) => suites.length !== 1)).toEqual([]);
    expect(LONG_FILES.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('are told with what they cost beside their budgets, and what was only sampled', () => {
    const [first] = SUITES;
    if (first === undefined) throw new Error('There are no suites');
    const { name, budget } = first;
    const cost = (cpuMs: number) => ({ kind: 'cost', suite: name, file: 'a', cpuMs }) as const;
    expect(costLines([cost(1_400), cost(600)])).toEqual([
      `cost: ${name}: 2 CPU s (budget ${budget})`,
      expect.stringMatching(/^cost: in all \d+ CPU s, /),
    ]);
    expect(costLines([cost((budget + 1) * 1_000)])[0]).toContain('OVER BUDGET');
    const sample = { kind: 'sample', name: 'kills', of: 248, command: 'npm run kills' } as const;
    expect(
      sampleLines([
        { ...sample, taken: 6 },
        { ...sample, taken: 248 },
      ]),
    ).toEqual(['sampled: kills: 6 of 248 (all: npm run kills)']);
  });
});
