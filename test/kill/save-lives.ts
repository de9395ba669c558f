import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KillHarness } from './harness.ts';
import { SCENARIOS } from './scenarios.ts';
import { packLives, type StoredLife } from './stored-life.ts';

/**
 * Kills the run of each scenario at a few boundaries and keeps what it left, for the version of the schema
 * that this tree has. Run it before a change of the schema:
 *
 *   node test/kill/save-lives.ts FOLDER
 */
const [folder = ''] = process.argv.slice(2);
/** Shares of a run after which it is killed. */
const AFTER = [0.12, 0.3, 0.45, 0.6, 0.75, 0.9];

mkdirSync(folder, { recursive: true });
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  await using harness = await KillHarness.open(scenario);
  const { names } = await harness.undisturbed();
  const lives: StoredLife[] = [];
  for (const share of AFTER) {
    const at = Math.max(1, Math.round(names.length * share));
    const life = await harness.leftAt(at, names[at - 1] ?? '');
    if (life !== null) lives.push(life);
  }
  const packed = packLives(lives);
  writeFileSync(join(folder, `${name}.json.gz`), packed);
  process.stdout.write(`${name}: ${lives.length} lives, ${packed.length} bytes\n`);
}
