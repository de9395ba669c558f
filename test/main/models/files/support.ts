import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { ModelDownload } from '#contract/local-models.ts';
import { systemClock } from '#main/base/clock.ts';
import { ModelDownloads, type ModelDownloadsParts } from '#main/models/files/model-downloads.ts';
import { parseModelReference, type WantedFile } from '#main/models/files/model-reference.ts';
import { testEgress } from '../../../fakes/egress.ts';
import {
  type ModelFileServer,
  modelBytes,
  sha256Of,
  startModelFileServer,
} from '../../../fakes/model-files.ts';

export const SIZE = 400_000;
export const body = modelBytes(SIZE);
export const sha256 = sha256Of(body);

export let folder: string;
export let server: ModelFileServer;
export let completed: string[];
export let seen: ModelDownload[];
export let opened: ModelDownloads[];
export let egress: ReturnType<typeof testEgress>;

/** Each test has a folder for models, a server of files, and downloads that end with it. */
export function registerDownloads(): void {
  beforeEach(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'hyperagent-models-')), 'models');
    server = await startModelFileServer(body);
    [completed, seen, opened] = [[], [], []];
    egress = testEgress({ names: { 'files.example': ['127.0.0.1'] } });
  });

  afterEach(async () => {
    for (const downloads of opened) await downloads[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
}

export function open(more: Partial<ModelDownloadsParts> = {}): ModelDownloads {
  const downloads = new ModelDownloads({
    ...{ folder, egress: egress.egress, clock: systemClock, pauseMs: 0 },
    onChange: (download) => seen.push(download),
    onCompleted: (path) => completed.push(path),
    ...more,
  });
  opened.push(downloads);
  return downloads;
}

export const wanted = (hash: string | null = sha256): WantedFile =>
  parseModelReference(server.url, hash);
/** As an entry of the app's own table. */
export const pinned = (more: Partial<WantedFile> = {}): WantedFile => ({
  ...{ ...wanted(), bytes: SIZE, licence: 'Apache-2.0' },
  ...more,
});

/** The download once it stands still. */
export async function settled(downloads: ModelDownloads): Promise<ModelDownload> {
  await expect
    .poll(async () => (await downloads.list())[0]?.status, { timeout: 20_000 })
    .toMatch(/paused|failed|completed/);
  const [download] = await downloads.list();
  if (download === undefined) throw new Error('there is no download');
  return download;
}

export const files = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
export const partSize = (): number =>
  statSync(join(folder, 'model.gguf.part'), { throwIfNoEntry: false })?.size ?? 0;
