import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { captureTree } from '#main/sandbox/snapshots/capture-tree.ts';
import { temporaryDir } from '../../storage/support.ts';

test('a failed capture has ended when it rejects: no file is read from closed folders', async () => {
  const dir = join(temporaryDir(), 'workspace');
  mkdirSync(dir);
  for (let file = 0; file < 40; file += 1) writeFileSync(join(dir, `${file}.txt`), `${file % 10}`);
  let begun = 0;
  let atWork = 0;
  const lease = {
    keep: () => false,
    put: async () => {
      begun += 1;
      if (begun === 3) throw new Error('the disk is full');
      atWork += 1;
      await delay(20);
      atWork -= 1;
      return { sha256: 'a'.repeat(64), bytes: 1 };
    },
    [Symbol.dispose]: () => undefined,
  };
  const { signal } = new AbortController();
  const options = { lease, cache: new Map<string, string>(), limitBytes: null, signal };
  await expect(captureTree(dir, options)).rejects.toThrow('the disk is full');
  expect(atWork).toBe(0);
  // And no new read starts after the failure.
  expect(begun).toBeLessThanOrEqual(8);
});
