import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { Deck } from '#contract/slides.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { SlideService } from '#main/slides/slide-service.ts';
import { noPictures } from '../../fakes/no-pictures.ts';
import { templateFile } from '../../fakes/slides/template-file.ts';
import { canMount, fillDisk, smallDisk, whyNoDisk } from '../../setup/small-disk.ts';

const common = { notes: '', sources: [] };
const DECK: Deck = {
  ...{ title: 'Bees', theme: 'plain' },
  slides: [
    { layout: 'title', title: 'Bees', subtitle: 'What they do', ...common },
    { layout: 'bullets', title: 'Work', items: ['They fly', 'They dance'], ...common },
    { layout: 'closing', title: 'Thanks', text: '', ...common },
  ],
};
const OTHER: Deck = { ...DECK, title: 'Wasps', theme: 'midnight' };
const signal = new AbortController().signal;
const slides = new SlideService(process.cwd(), {
  ...noPictures,
  add: async () => {
    throw new AppError('BAD_REQUEST', 'Pictures are left out here.');
  },
  load: async () => null,
});
afterAll(() => slides[Symbol.asyncDispose]());

const namesIn = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' });
const full = { code: 'DISK_FULL', message: 'The disk is full. Make room and try again.' };

describe.skipIf(!canMount)(`a presentation on a disk that is full${whyNoDisk}`, () => {
  it.each([0, 4_096, 8_192, 12_288])(
    'stays as it was where its change has no room (%i bytes free), and is changed when there is some',
    async (bytes) => {
      const dir = smallDisk(2_048);
      const file = { threadId: 'thr_1', path: 'bees.pptx', files: new HostWorkspace(dir) };
      const { hash } = await slides.make(DECK, file, signal);
      const before = namesIn(dir);
      const taken = fillDisk(dir, bytes);
      await expect(slides.save(OTHER, { ...file, hash }, signal)).rejects.toMatchObject(full);
      // The same presentation again: it has the same file.
      await slides.save(DECK, { ...file, hash }, signal).catch((error) => {
        expect(error).toMatchObject(full);
      });
      rmSync(taken);
      expect(await slides.open(file, signal)).toMatchObject({ hash, deck: DECK });
      // At most the notes of the deck that had no room are left, which belong to no file.
      const left = namesIn(dir).filter((name) => !before.includes(name));
      expect(left.filter((name) => !/^\.hyperagent\/slides\/\w+\.json$/.test(name))).toEqual([]);

      const saved = await slides.save(OTHER, { ...file, hash }, signal);
      expect(await slides.open(file, signal)).toMatchObject({ hash: saved.hash, deck: OTHER });
    },
  );

  it('is not made at all where there is no room for it, and no half of it is there', async () => {
    const dir = smallDisk(512);
    const file = { threadId: 'thr_1', path: 'bees.pptx', files: new HostWorkspace(dir) };
    const taken = fillDisk(dir, 8_192);
    await expect(slides.make(DECK, file, signal)).rejects.toMatchObject(full);
    expect(existsSync(join(dir, 'bees.pptx'))).toBe(false);
    rmSync(taken);
    const { hash } = await slides.make(DECK, file, signal);
    expect(await slides.open(file, signal)).toMatchObject({ hash });
  });

  it('keeps its look where there is no room for a template', async () => {
    const dir = smallDisk(2_048);
    const files = new HostWorkspace(dir);
    const file = { threadId: 'thr_1', path: 'bees.pptx', files };
    await files.write('own.potx', await templateFile({}));
    const { hash } = await slides.make(DECK, file, signal);
    const taken = fillDisk(dir, 4_096);
    const set = () => slides.setTemplate('own.potx', { ...file, hash }, signal);
    await expect(set()).rejects.toMatchObject(full);
    expect(await slides.open(file, signal)).toMatchObject({ hash, deck: DECK });
    rmSync(taken);
    expect((await set()).open.deck.template).toMatchObject({ name: 'own.potx' });
  });
});
