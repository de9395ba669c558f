import path from 'node:path';
import { expect, test } from 'vitest';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { openAppBench } from '../../fakes/app-bench.ts';
import { pngOf } from '../../fakes/png.ts';
import { openPptx } from '../../fakes/slides/opened-pptx.ts';
import { LAYOUTS, picture, placeholder, templateFile } from '../../fakes/slides/template-file.ts';

const caller = { closed: new AbortController().signal };
const slides = [
  { layout: 'title', title: 'Bees', subtitle: 'What they do' },
  { layout: 'bullets', title: 'Work', items: ['They fly', 'They dance'] },
];
const BRAND = 'own.potx';

/** An agent that makes these calls, one after another, in a task with these files. */
async function made(calls: readonly Record<string, unknown>[], files: Record<string, Uint8Array>) {
  const bench = await openAppBench(({ results }) => {
    const call = calls[results.length];
    if (call === undefined) return { content: 'It is there.' };
    return { calls: [{ name: 'generate_slides', arguments: { file: 'bees.pptx', ...call } }] };
  });
  const { id, threadId } = await bench.start('Make slides on bees.', {}, files);
  const run = await bench.settled(id);
  const { api } = bench.app;
  const workspace = bench.workspace(threadId);
  const open = () => api['slides.open']({ threadId, path: 'bees.pptx' }, caller);
  return { api, threadId, workspace, open, results: run.of('tool_result') };
}

test('an agent makes a deck on a template; the window shows it, changes it, and takes another look', async () => {
  const logo = picture([0, 0, 960, 540], 'rIdLogo');
  const file = await templateFile({
    master: { shapes: logo },
    parts: { 'ppt/media/logo.png': pngOf(96, 54, () => [250, 220, 200]) },
  });
  const { api, threadId, workspace, open, results } = await made(
    [{ title: 'Bees', template: BRAND, slides }],
    { [BRAND]: file },
  );
  expect(results[0]).toMatchObject({
    ...{ status: 'ok', content: expect.stringContaining('template own.potx') },
  });
  const opened = await open();
  expect(opened.findings).toEqual([]);
  expect(opened.deck.template).toMatchObject({ name: 'own.potx' });

  const bytes = (await workspace.read('bees.pptx', 1e8)).data;
  expect(await checkPackage(bytes)).toEqual([]);
  const written = await openPptx(bytes);
  expect(
    written.names.filter((name) => name.startsWith('ppt/slideLayouts/slideLayout')),
  ).toHaveLength(4);

  // The preview shows what the layout draws.
  const draw = async (hash: string) => {
    const wanted = { threadId, path: 'bees.pptx', hash, page: 1, width: 96 };
    return Buffer.from((await api['slides.draw'](wanted, caller)).png, 'base64');
  };
  const shown = await draw(opened.hash);

  // It is kept with the deck: the file itself may go.
  await workspace.remove(BRAND);
  const file2 = { threadId, path: 'bees.pptx' };
  const items = ['They fly far'];
  const changed = {
    ...opened.deck,
    slides: opened.deck.slides.with(1, { ...opened.deck.slides[1], items } as never),
  };
  const saved = await api['slides.save']({ ...file2, hash: opened.hash, deck: changed }, caller);
  expect(saved.deck.template).toEqual(opened.deck.template);
  expect(await open()).toEqual(saved);

  const { template: _template, ...plain } = saved.deck;
  const themed = await api['slides.save'](
    { ...file2, hash: saved.hash, deck: { ...plain, theme: 'carbon' } },
    caller,
  );
  expect(themed.deck.template).toBeUndefined();
  expect((await draw(themed.hash)).equals(shown)).toBe(false);
});

test('a deck gets a template later, keeps it when slides change, and loses it to a theme', async () => {
  const { open, results } = await made(
    [
      { title: 'Bees', slides },
      { slides: [], template: BRAND },
      { slides: [{ number: 2, ...slides[1], items: ['They fly'] }] },
    ],
    { [BRAND]: await templateFile() },
  );
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect((await open()).deck).toMatchObject({
    ...{ template: { name: 'own.potx' }, theme: 'plain' },
    slides: [{ title: 'Bees' }, { items: ['They fly'] }],
  });
  const { open: openThemed } = await made(
    [
      { title: 'Bees', slides, template: BRAND },
      { slides: [], theme: 'forest' },
    ],
    { [BRAND]: await templateFile() },
  );
  const { deck } = await openThemed();
  expect([deck.theme, deck.template]).toEqual(['forest', undefined]);
});

test('the window puts a deck on a presentation of the task, unless the deck changed meanwhile', async () => {
  const { api, threadId, workspace, open } = await made([{ title: 'Bees', slides }], {
    // 4:3.
    [BRAND]: await templateFile({
      size: [9_144_000, 6_858_000],
      parts: { 'ppt/media/logo.png': Buffer.from('<html>') },
    }),
    'macros.pptx': await templateFile({ parts: { 'ppt/vbaProject.bin': 'x' } }),
  });
  const { hash, aspect, deck } = await open();
  expect(aspect).toBeCloseTo(16 / 9);
  const put = (template: string, base = hash) =>
    api['slides.template']({ threadId, path: 'bees.pptx', hash: base, template }, caller);

  const before = (await workspace.read('bees.pptx', 1e8)).data;
  const none = 'f'.repeat(64);
  await expect(put(BRAND, none)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(put('macros.pptx')).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', message: expect.stringContaining('It has macros.') },
  });
  await expect(put('none.potx')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(put('../../own.potx')).rejects.toMatchObject({
    code: 'PATH_OUTSIDE_WORKSPACE',
  });
  expect((await workspace.read('bees.pptx', 1e8)).data.equals(before)).toBe(true);

  const given = await put(BRAND);
  expect(given.leftOut).toEqual([
    '1 picture of the template cannot be read here (png), and is left out.',
  ]);
  expect(given.open.aspect).toBeCloseTo(4 / 3);
  expect(given.open.deck).toEqual({
    ...deck,
    template: { name: 'own.potx', hash: expect.any(String) },
  });
  expect(await open()).toEqual(given.open);
});

test('pictures that cannot be read are left out, which is said', async () => {
  const layouts = {
    ...LAYOUTS,
    titleOnly: { shapes: placeholder('title', null) + picture([0, 0, 90, 50], 'rIdLogo') },
  };
  const { open, results, workspace } = await made([{ title: 'Bees', template: BRAND, slides }], {
    [BRAND]: await templateFile({
      layouts,
      parts: { 'ppt/media/logo.png': Buffer.from('<html>') },
    }),
  });
  expect(results[0]).toMatchObject({
    status: 'ok',
    content: expect.stringContaining(
      '1 picture of the template cannot be read here (png), and is left out.',
    ),
  });
  const { names } = await openPptx((await workspace.read('bees.pptx', 1e8)).data);
  expect(names.filter((name) => name.startsWith('ppt/media/'))).toEqual([]);
  expect((await open()).findings).toEqual([]);
});

test('what cannot be a template changes nothing, and says what to do', async () => {
  const { results, workspace } = await made(
    [
      { title: 'Bees', slides, template: 'none.pptx' },
      { title: 'Bees', slides, template: BRAND },
      { title: 'Bees', slides, template: '../../etc/own.pptx' },
      { title: 'Bees', slides, template: 'bare.pptx' },
    ],
    {
      [BRAND]: await templateFile({ parts: { 'ppt/vbaProject.bin': 'x' } }),
      'bare.pptx': await templateFile({ layouts: { blank: { shapes: '' } } }),
    },
  );
  expect(results.map(({ status }) => status)).not.toContain('ok');
  expect(results[1]).toMatchObject({
    content: expect.stringMatching(
      /^Nothing was written\.\ntemplate: .*It has macros\. Save it without them/,
    ),
  });
  expect(results[3]).toMatchObject({
    content: expect.stringMatching(/^Nothing was written\.\ntemplate: .*no layout with a title/),
  });
  const kept = await workspace.list('.hyperagent/slides').catch(() => ({ entries: [] }));
  expect(kept.entries.filter(({ path: name }) => name.endsWith('.potx'))).toEqual([]);
  await expect(workspace.read('bees.pptx', 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a kept template that programs changed is not used, and nothing is lost', async () => {
  const { open, workspace, api, threadId } = await made(
    [{ title: 'Bees', slides, template: BRAND }],
    { [BRAND]: await templateFile() },
  );
  const { deck, hash } = await open();
  const before = (await workspace.read('bees.pptx', 1e8)).data;
  const kept = path.join('.hyperagent/slides', `${deck.template?.hash}.potx`);
  await workspace.write(kept, await templateFile({ colors: { accent1: '000000' } }));
  await expect(open()).rejects.toMatchObject({
    ...{ code: 'BAD_REQUEST', message: expect.stringContaining('own.potx, is gone') },
  });
  const save = api['slides.save']({ threadId, path: 'bees.pptx', hash, deck }, caller);
  await expect(save).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await workspace.read('bees.pptx', 1e8)).data.equals(before)).toBe(true);
});
