import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { REQUESTS } from '#contract/requests.ts';
import type { Deck } from '#contract/slides.ts';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { openAppBench } from '../../fakes/app-bench.ts';
import { pngOf } from '../../fakes/png.ts';
import { playExample } from '../../fakes/skill-bench.ts';
import { openPptx } from '../../fakes/slides/opened-pptx.ts';

const caller = { closed: new AbortController().signal };

const PICTURE = Buffer.from(pngOf(800, 600, (x, y) => [x % 256, y % 256, 9]));
const slides = [
  { layout: 'title', title: 'Bees', subtitle: 'What they do' },
  { layout: 'bullets', title: 'Work', items: ['They fly', 'They dance'] },
  { layout: 'image_text', title: 'A hive', image: 'hive.png', alt: 'A wooden hive' },
];

/** An agent that makes this deck, and says so. */
async function made(call: Record<string, unknown>, files: Record<string, Uint8Array> = {}) {
  const bench = await openAppBench(({ results }) =>
    results.length > 0
      ? { content: 'It is there.' }
      : { calls: [{ name: 'generate_slides', arguments: call }] },
  );
  const { id, threadId } = await bench.start('Make slides on bees.', {}, files);
  const run = await bench.settled(id);
  const { api } = bench.app;
  const workspace = bench.workspace(threadId);
  return { bench, run, api, threadId, workspace };
}

test('an agent makes a presentation; the window opens, draws, changes and exports it', async () => {
  const { api, threadId, workspace, run } = await made(
    { title: 'Bees', file: 'bees.pptx', slides },
    { 'hive.png': PICTURE },
  );
  const [result] = run.of('tool_result');
  expect(result).toMatchObject({ name: 'generate_slides', status: 'ok' });
  expect(run.of('workspace_update').map((one) => one.path)).toEqual(['hive.png', 'bees.pptx']);
  const file = { threadId, path: 'bees.pptx' };
  const bytes = (await workspace.read('bees.pptx', 1e8)).data;
  expect(await checkPackage(bytes)).toEqual([]);

  const opened = await api['slides.open'](file, caller);
  expect(REQUESTS['slides.open'].output.parse(opened)).toEqual(opened);
  expect(opened.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(opened.findings).toEqual([]);
  expect(opened.pages.map(({ title, text }) => [title, text])).toEqual([
    ['Bees', 'Bees\nWhat they do'],
    ['Work', 'Work\nThey fly\nThey dance\n2'],
    ['A hive', 'A hive\nA wooden hive\n3'],
  ]);

  const draw = async (page: number, hash = opened.hash) => {
    const { png } = await api['slides.draw']({ ...file, hash, page, width: 640 }, caller);
    return Buffer.from(png, 'base64');
  };
  const drawn = await draw(2);
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([640, 360]);
  expect(drawn.equals(await draw(1))).toBe(false);
  await expect(draw(3)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  // The picture is in the file and in its preview as it was when the file was made.
  await workspace.write('hive.png', Buffer.from('no picture any more'));
  expect((await draw(2)).equals(drawn)).toBe(true);

  const changed: Deck = {
    ...opened.deck,
    theme: 'carbon',
    slides: opened.deck.slides.toReversed(),
  };
  await workspace.write('hive.png', PICTURE);
  const saved = await api['slides.save']({ ...file, hash: opened.hash, deck: changed }, caller);
  expect(saved.pages.map(({ title }) => title)).toEqual(['A hive', 'Work', 'Bees']);
  expect(await api['slides.open'](file, caller)).toEqual(saved);
  // A window that has not seen this change does not undo it.
  const stale = api['slides.save']({ ...file, hash: opened.hash, deck: opened.deck }, caller);
  await expect(stale).rejects.toMatchObject({ code: 'CONFLICT' });

  const pdf = await api['slides.pdf'](file, caller);
  expect(pdf.fileName).toBe('bees.pdf');
  const text = await textOfPdf(Buffer.from(pdf.data, 'base64'));
  expect(text).toEqual([
    expect.stringContaining('A hive'),
    expect.stringContaining('They dance'),
    expect.stringContaining('What they do'),
  ]);
});

test('a presentation is known by what it is, and nothing else passes for it', async () => {
  const { api, threadId, workspace } = await made({
    title: 'B',
    file: 'b.pptx',
    slides: slides.slice(0, 2),
  });
  const open = (file: string) => api['slides.open']({ threadId, path: file }, caller);
  const { hash } = await open('b.pptx');
  await expect(open('none.pptx')).rejects.toMatchObject({ code: 'NOT_FOUND' });

  // Another name or place does not matter; a change by another program does.
  await workspace.move('b.pptx', 'talks/other.pptx');
  expect((await open('talks/other.pptx')).deck.title).toBe('B');
  const { data } = await workspace.read('talks/other.pptx', 1e8);
  await workspace.write('changed.pptx', Buffer.concat([data, Buffer.from(' ')]));
  await expect(open('changed.pptx')).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', message: expect.stringContaining('not made here') },
  });

  // A link leads nowhere.
  symlinkSync('/etc/hostname', path.join(workspace.dir, 'link.pptx'));
  await expect(open('link.pptx')).rejects.toMatchObject({ code: 'CONFLICT' });

  // Programs of the sandbox can write what it was made of: only a deck is taken.
  const stored = `.hyperagent/slides/${hash}.json`;
  const own = JSON.parse((await workspace.read(stored, 1e6)).data.toString());
  for (const text of [
    '{',
    '[]',
    JSON.stringify({ ...own, run: 'rm' }),
    JSON.stringify({ ...own, deck: { title: 'x' } }),
  ]) {
    await workspace.write(stored, Buffer.from(text));
    await expect(open('talks/other.pptx'), text.slice(0, 20)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
});

test('the skill plays its example in the app, with the figures that nothing shows in the notes', async () => {
  const { example, played, bench } = await playExample('slide_generation');
  expect(played.output).toMatchObject(example.expected);
  const { file } = played.output as { file: string };
  const bytes = await bench.bytes(played.run.threadId, file);
  expect(await checkPackage(bytes)).toEqual([]);
  const pptx = await openPptx(bytes);
  expect(pptx.names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))).toHaveLength(
    Number(played.output.page_count),
  );
});

/** The text of each page. */
async function textOfPdf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
  }
  return texts;
}
