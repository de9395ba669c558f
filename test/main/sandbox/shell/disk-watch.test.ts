import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchDisk } from '../../../../src-main/sandbox/shell/disk-watch.ts';

const MEGABYTE = 1024 * 1024;
const LIMIT = 128 * MEGABYTE;
const FILES = 20;
/** A file of 8 MB, so that all of them together are more than the limit, and less than four times it. */
const fill = (n: number): Buffer => Buffer.alloc(8 * MEGABYTE, n + 1);

describe('the disk while a command runs', () => {
  let top: string;
  let workspace: string;
  beforeEach(async () => {
    top = await mkdtemp(path.join(tmpdir(), 'disk-watch-'));
    workspace = path.join(top, 'workspace');
    await mkdir(workspace);
  });
  afterEach(() => rm(top, { recursive: true }));

  /** Whether the watch reports a full disk when the files are written to the folder. */
  async function isFullAfter(dir: string): Promise<boolean> {
    let isFull = false;
    using _watch = watchDisk({ dir: workspace, bytes: LIMIT }, () => {
      isFull = true;
    });
    await wait(100);
    await mkdir(dir, { recursive: true });
    for (let n = 0; n < FILES; n += 1) await writeFile(path.join(dir, `fill-${n}`), fill(n));
    for (let n = 0; n < 30 && !isFull; n += 1) await wait(50);
    return isFull;
  }

  it('reports a command that wrote more than its limit, in any folder of its workspace', async () => {
    expect(await isFullAfter(path.join(workspace, 'a', 'b'))).toBe(true);
  });

  it('does not count what another program writes', async () => {
    expect(await isFullAfter(path.join(top, 'other'))).toBe(false);
  });

  it('does not count what was there before', async () => {
    for (let n = 0; n < FILES; n += 1) await writeFile(path.join(workspace, `old-${n}`), fill(n));
    await wait(2_200);
    expect(await isFullAfter(path.join(top, 'other'))).toBe(false);
  });
});
