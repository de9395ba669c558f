import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { removeLeftoverFolders } from '#main/browser/browser-folder.ts';
import { BROWSING_SCENARIO } from '../kill/browsing-scenario.ts';
import { KillHarness } from '../kill/harness.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { sample } from '../setup/sampling.ts';

/** Processes that were started with this folder for temporary files. Linux only. */
function startedWith(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const isOurs = variables.includes(`TMPDIR=${folder}`);
      return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').slice(0, 100)] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

const isHere = chromiumPath !== null && process.platform === 'linux';

/** An app that is killed while it uses a browser: a sample of what `npm run kills -- 1 browsing` does. */
describe.skipIf(!isHere)(`kill -9 in the browser${chromiumNote}`, () => {
  let harness: KillHarness;
  let names: readonly string[] = [];

  beforeAll(async () => {
    harness = await KillHarness.open(BROWSING_SCENARIO);
    const undisturbed = await harness.undisturbed();
    names = undisturbed.names;
    expect(undisturbed.run?.status).toBe('completed');
    expect(undisturbed.effects).toBe('order\n');
  });

  afterAll(() => harness?.[Symbol.asyncDispose]());

  it('the order is sent once, and no process and no folder is left', async () => {
    const boundaries = sample(
      names.map((_, i) => i + 1),
      { name: 'kills of a browsing run', size: 3, command: 'npm run kills -- 1 browsing' },
    );
    const { TMPDIR: folder = '' } = harness.env;
    const { TMPDIR: before } = process.env;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
    const verdicts: unknown[] = [];
    for (const at of boundaries) {
      const { doubled, lost, differences } = await harness.kill(at);
      await expect.poll(() => startedWith(folder)).toEqual([]);
      // As the next start does.
      process.env.TMPDIR = folder;
      await removeLeftoverFolders();
      const left = readdirSync(folder).filter((name) => /browser|playwright/.test(name));
      verdicts.push({ at, doubled, lost, differences, left });
    }
    expect(verdicts).toEqual(
      boundaries.map((at) => ({ at, doubled: [], lost: [], differences: [], left: [] })),
    );
  }, 900_000);
});
