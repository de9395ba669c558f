import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Deck } from '#contract/slides.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';
import { deckIn, type GivenCall, slideBench, slideFolder, TEA } from '../../fakes/slide-bench.ts';

let dir = '';
beforeEach(() => {
  dir = slideFolder();
});

describe('paths', () => {
  const outside = () => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperagent-outside-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'secret.csv'), 'Month,Sales\nJan,1\n');
    return folder;
  };

  it('lead nowhere outside the workspace', async () => {
    const folder = outside();
    symlinkSync(folder, join(dir, 'out'));
    symlinkSync(join(folder, 'new.pptx'), join(dir, 'link.pptx'));
    symlinkSync(join(folder, 'secret.csv'), join(dir, 'data.csv'));
    const { make, slides } = slideBench(dir);
    const chart = { type: 'bar', file: 'data.csv', x: 'Month', y: ['Sales'] };
    for (const given of [
      { ...TEA, file: 'out/a.pptx' },
      { ...TEA, file: 'link.pptx' },
      { ...TEA, slides: [{ layout: 'chart', title: 'A', chart }] },
      { ...TEA, slides: [{ layout: 'table', title: 'A', file: 'out/secret.csv' }] },
    ]) {
      expect((await make(given)).status).toBe('error');
    }
    symlinkSync(folder, join(dir, 'slides'));
    expect((await make(TEA)).status).toBe('error');
    expect([slides.made, existsSync(join(folder, 'a.pptx'))]).toEqual([[], false]);
  });

  it('follow links inside, to presentations alone, and name pictures where they are', async () => {
    mkdirSync(join(dir, 'real'));
    writeFileSync(join(dir, 'notes.txt'), 'notes');
    symlinkSync('real', join(dir, 'decks'));
    symlinkSync('../notes.txt', join(dir, 'real/notes.pptx'));
    writeFileSync(join(dir, 'real/a.png'), '');
    const { make } = slideBench(dir);
    const image = { layout: 'image_text', title: 'A', image: '/workspace/decks/a.png', alt: 'b' };
    expect((await make({ ...TEA, file: 'decks/a.pptx', slides: [image] })).data).toMatchObject({
      file: 'real/a.pptx',
    });
    expect(deckIn(dir, 'real/a.pptx').slides).toMatchObject([{ picture: { path: 'real/a.png' } }]);
    expect((await make({ ...TEA, file: 'decks/notes.pptx' })).content).toContain(
      'is no presentation',
    );
    expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('notes');
  });

  it.each([
    ['the deck', { ...TEA, file: 'secret/a.pptx' }],
    ['data', { ...TEA, slides: [{ layout: 'table', title: 'A', file: 'secret/a.csv' }] }],
    ['a picture', { ...TEA, slides: [{ layout: 'image', title: 'A', image: 'secret/a.png' }] }],
    ['a link', { ...TEA, file: 'way/a.pptx' }],
  ])('are what rules match: %s', async (_what, given) => {
    mkdirSync(join(dir, 'secret'));
    symlinkSync('secret', join(dir, 'way'));
    writeFileSync(join(dir, 'secret/a.csv'), 'a\n1\n');
    const { make } = slideBench(dir, { rule: { decision: 'deny', pattern: 'secret/**' } });
    expect((await make(given)).status).toBe('denied');
  });

  it('let a rule approve what is written', async () => {
    const { make } = slideBench(dir, { rule: { decision: 'approve', pattern: 'slides/**' } });
    expect((await make(TEA)).status).toBe('ok');
  });
});

describe('a call that a crash interrupted', () => {
  /** Plays the call with a maker that fails after this write, then again. */
  const twice = async (given: GivenCall, before: readonly GivenCall[] = []) => {
    const { journal } = memoryJournal();
    const first = slideBench(dir);
    for (const one of before) await first.make(one);
    const crashing = slideBench(dir, { ledger: new DurableToolLedger(journal) });
    const make = crashing.slides.make.bind(crashing.slides);
    crashing.slides.make = async (deck, file, signal) => {
      await make(deck, file, signal);
      // The process ends: nothing is recorded of this attempt but its intent.
      journal.append = () => {
        throw new Error('The process ended');
      };
      throw new Error('The process ended');
    };
    const append = journal.append.bind(journal);
    await crashing.make(given).catch(() => undefined);
    journal.append = append;
    const again = slideBench(dir, { ledger: new DurableToolLedger(journal) });
    const result = await again.make(given);
    return { result, again };
  };

  it('makes one new deck, in the same file', async () => {
    const { result, again } = await twice(TEA);
    expect([result.status, result.data]).toEqual([
      'ok',
      expect.objectContaining({ file: 'slides/tea.pptx', slide_count: 2 }),
    ]);
    expect(existsSync(join(dir, 'slides/tea-2.pptx'))).toBe(false);
    expect(again.events).toContainEqual(
      expect.objectContaining({ type: 'workspace_update', operation: 'create' }),
    );
  });

  it('makes one new deck in a file that was named', async () => {
    const { result } = await twice({ ...TEA, file: 'a.pptx' });
    expect([result.status, deckIn(dir, 'a.pptx')]).toEqual(['ok', Deck.parse(TEA)]);
  });

  it('adds slides once', async () => {
    const end = { layout: 'closing', title: 'Thanks' };
    const file = 'slides/tea.pptx';
    const { result, again } = await twice({ file, slides: [end] }, [TEA]);
    expect([result.status, deckIn(dir, file).slides.length, again.slides.made]).toEqual([
      'ok',
      3,
      [],
    ]);
    expect(again.events).toContainEqual(
      expect.objectContaining({ type: 'workspace_update', operation: 'modify', path: file }),
    );
  });
});
