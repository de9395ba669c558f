import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImageRecord } from '#contract/images.ts';
import { readImageRecord, writeImage } from '#main/images/image-files.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { canMount, fillDisk, smallDisk, whyNoDisk } from '../../setup/small-disk.ts';

const record: ImageRecord = {
  ...{ operation: 'create', prompt: 'a bee', negativePrompt: '', width: 64, height: 64, seed: 7 },
  ...{ steps: 20, guidance: 7, strength: null, scale: null, server: 'webui', model: null },
  ...{ alt: 'A bee', image: null, mask: null, at: 1 },
};
const written = () => ({ png: randomBytes(50_000), call: 'call_1', record });

it.runIf(canMount)(
  `pictures that were made stay, and no half of one is there, where the disk is full${whyNoDisk}`,
  async () => {
    const dir = smallDisk(512);
    const files = new HostWorkspace(dir);
    await writeImage(files, 'images/bee.png', written());
    const taken = fillDisk(dir, 16_384);
    const next = written();
    await expect(writeImage(files, 'images/bee-2.png', next)).rejects.toMatchObject({
      code: 'DISK_FULL',
    });
    expect(readdirSync(join(dir, 'images'))).toEqual(['bee.png']);
    expect(await readImageRecord(files, 'images/bee.png')).toMatchObject({ record });
    rmSync(taken);
    await writeImage(files, 'images/bee-2.png', next);
    expect(await readImageRecord(files, 'images/bee-2.png')).toMatchObject({
      record,
      size: 50_000,
    });
  },
);
