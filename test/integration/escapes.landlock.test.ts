import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { sample } from '../setup/sampling.ts';
import { ATTACKS, AttackGround } from './landlock-attacks.ts';

/** Attacks that say they got out where something is meant to be open, with the reason. */
const MEANT: Readonly<Record<string, string>> = {
  '50-readlink-chdir-outside.py': 'targets of links are told like sizes and times: SECURITY.md',
  '82-relay-no-credential.py':
    'the port is that of this sandbox alone, and no socket of another process leads to it',
  '139-limit-memory-many.py':
    'without a control group, the memory of all processes together is watched: on a busy computer it may be over for a moment',
  '140-limit-memory-memfd.py': 'memory is watched',
  '141-limit-disk-files.py': 'the disk is watched, in every local sandbox: docs/decisions/0010',
  '142-limit-disk-deleted.py': 'the disk is watched',
  '143-limit-disk-fallocate.py': 'the disk is watched',
};

const provider = new LandlockProvider(providerParts(join(homedir(), '.hyperagent-test-inspect')));
const all = process.arch === 'x64' ? (await readdir(ATTACKS)).sort() : [];
const names = all.filter((name) => MEANT[name] === undefined);

await describeSandboxProvider('attacks on the sandbox of Landlock', provider, () => {
  let ground: AttackGround;
  beforeAll(async () => {
    ground = await AttackGround.open();
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  test.each(sample(names, { name: 'attacks on Landlock', size: 16 }))('%s', async (name) => {
    const { verdict, out } = await ground.run(name);
    expect(out).toEqual([]);
    // One that fails by itself shows nothing. A limit may end it before it can print.
    expect(verdict).toMatch(/^(HELD|N\/A|KNOWN|CHECK):|^ended: (out_of_memory|out_of_disk)/);
  });

  test('the attacks get out where there is no sandbox, so they show something', async () => {
    const results = await Promise.all(
      ['01-read-open.py', '12-meta-chmod.py', '59-tcp-connect.py', '87-signal-kill.py'].map(
        (name) => ground.runOutside(name),
      ),
    );
    expect(results.filter((verdict) => !verdict.startsWith('OUT:'))).toEqual([]);
  });
});
