import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KillHarness } from '../kill/harness.ts';
import { SCENARIOS } from '../kill/scenarios.ts';
import { unpackLives } from '../kill/stored-life.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { sample } from '../setup/sampling.ts';

/**
 * Runs that earlier versions of the app left when they were killed, made by `test/kill/save-lives.ts`. This
 * version opens their database, migrates it, and goes on with them to the same end.
 */
const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'killed-runs');

/**
 * Effects of programs that the app itself writes, and writes otherwise since that version: a skill that was cut off
 * in one runs the new one, because what the old one gave says nothing of it (docs/decisions/0025).
 */
const CHANGED: Readonly<Record<string, readonly string[]>> = { 'v9 skill': ['k1', 'k2'] };
/** Runs in which a step was over that has one call more in the scenario of today. */
const OVERTAKEN: ReadonlySet<string> = new Set(['v9 plan 212 after transaction']);

describe.skipIf(!osSandboxReady).each(
  readdirSync(FIXTURES).flatMap((version) =>
    readdirSync(join(FIXTURES, version)).flatMap((file) => {
      const name = file.replace('.json.gz', '');
      const scenario = SCENARIOS[name];
      return scenario === undefined ? [] : [{ version, name, scenario }];
    }),
  ),
)(`$name, killed under schema $version${osSandboxNote}`, ({ version, name, scenario }) => {
  const lives = unpackLives(join(FIXTURES, version, `${name}.json.gz`)).filter(
    ({ boundary }) => !OVERTAKEN.has(`${version} ${name} ${boundary}`),
  );
  let harness: KillHarness;

  beforeAll(async () => {
    harness = await KillHarness.open(scenario);
    await harness.undisturbed();
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  const taken = sample(lives, { name: `runs of ${name} left by schema ${version}`, size: 2 });
  it.each(taken.map((life) => ({ ...life, title: life.boundary })))(
    'goes on after $title',
    async (life) => {
      expect(life.version).toBe(Number(version.slice(1)));
      const { doubled, lost, differences } = await harness.goOn(life);
      const repeated = doubled.filter(
        (mark) => CHANGED[`${version} ${name}`]?.includes(mark) !== true,
      );
      expect({ repeated, lost, differences }).toEqual({ repeated: [], lost: [], differences: [] });
    },
  );
});
