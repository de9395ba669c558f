import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deck } from '#contract/slides.ts';
import { tool as generateSlidesTool } from '#main/tools/definitions/generate-slides.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';
import { noSlides } from '../../fakes/no-slides.ts';
import {
  BULLETS,
  deckIn,
  type GivenCall,
  slideBench,
  slideFolder,
  TEA,
  TITLE,
} from '../../fakes/slide-bench.ts';

let dir = '';
beforeEach(() => {
  dir = slideFolder();
});

describe('a new deck', () => {
  it('is written, with what is wrong with it for the model and as data', async () => {
    const { slides, make, events } = slideBench(dir);
    slides.findings = [{ slide: 1, code: 'overflow', text: 'The text does not fit. Shorten it.' }];
    const { status, content, data } = await make(TEA);
    expect([status, content]).toEqual([
      'ok',
      'Made slides/tea.pptx: 2 slides on 2 pages, theme forest.\nProblems, to be fixed by giving these slides again with their number:\nSlide 2: The text does not fit. Shorten it.',
    ]);
    expect(data).toEqual({
      file: 'slides/tea.pptx',
      download_url: 'workspace:slides/tea.pptx',
      ...{ slide_count: 2, page_count: 2 },
      findings: [{ slide: 2, code: 'overflow', text: 'The text does not fit. Shorten it.' }],
    });
    expect(slides.made.map(({ path }) => path)).toEqual(['slides/tea.pptx']);
    expect(deckIn(dir, 'slides/tea.pptx')).toEqual(Deck.parse(TEA));
    expect(events.filter(({ type }) => type === 'workspace_update')).toEqual([
      expect.objectContaining({ operation: 'create', path: 'slides/tea.pptx', origin: 'c1' }),
    ]);
  });

  it('reads what models write: text of JSON, null, one slide, numbers, a theme in capitals', async () => {
    const { make } = slideBench(dir);
    const slides = JSON.stringify([
      { number: 2, layout: 'content', title: '**Kinds**', items: '- green\n- black' },
      { number: 1, layout: 'Title Slide', title: 'Tea', subtitle: 'A leaf' },
    ]);
    expect((await make({ ...TEA, slides, theme: 'Forest', file: null })).status).toBe('ok');
    expect(deckIn(dir, 'slides/tea.pptx')).toEqual(Deck.parse(TEA));
    expect((await make({ title: 'One', slides: TITLE, theme: '' })).content).toContain(
      '1 slide on 1',
    );
    expect(deckIn(dir, 'slides/one.pptx').theme).toBe('plain');
  });

  it.each([
    ['Quarterly Report: Q3/2026!', 'slides/quarterly-report-q3-2026.pptx'],
    ['Café Straße Ærø', 'slides/cafe-strasse-aero.pptx'],
    ['季度报告 2026', 'slides/季度报告-2026.pptx'],
    ['한국어 발표', 'slides/한국어-발표.pptx'],
    ['が 日本語', 'slides/が-日本語.pptx'],
    ['../up\\..: "it"', 'slides/up-it.pptx'],
    ['!!!', 'slides/presentation.pptx'],
    [`${'long '.repeat(30)}`, `slides/${'long-'.repeat(12).slice(0, -1)}.pptx`],
  ])('is named after its title: %s', async (title, file) => {
    expect((await slideBench(dir).make({ ...TEA, title })).data).toMatchObject({ file });
    expect(existsSync(join(dir, file))).toBe(true);
  });

  it('gets a name that is free, and the one that is asked for', async () => {
    const { make } = slideBench(dir);
    const files = [];
    for (const more of [{}, {}, { file: '/workspace/talk.pptx' }, { file: 'a/B.PPTX' }]) {
      files.push((await make({ ...TEA, ...more })).data);
    }
    expect(files).toMatchObject(
      ['slides/tea.pptx', 'slides/tea-2.pptx', 'talk.pptx', 'a/B.PPTX'].map((file) => ({ file })),
    );
    for (let i = 3; i <= 9; i += 1) await make(TEA);
    expect((await make(TEA)).content).toContain('Give a file of your own');
  });

  it('is not written where slides are wrong, which are all named at once', async () => {
    const { slides, make } = slideBench(dir);
    const wrong = [TITLE, { layout: 'bullets', title: 'A' }, { layout: 'hero', title: 'B' }, 'C'];
    const { status, content } = await make({ ...TEA, slides: wrong });
    expect(status).toBe('error');
    expect(content.split('\n').map((line) => line.slice(0, 45))).toEqual([
      'Nothing was written.',
      'Slide 2 (bullets): items is missing. Give a l',
      'Slide 3: there is no layout "hero". There are',
      'Slide 4: it is not an object. Write {"layout"',
    ]);
    expect([slides.made, existsSync(join(dir, 'slides'))]).toEqual([[], false]);
  });

  it.each([
    ['no title', { slides: [TITLE] }, 'title is missing. A new deck needs a title and slides'],
    ['no slides', { title: 'Tea', slides: [] }, 'slides is empty. A new deck needs'],
    ['nothing', { slides: [] }, 'title is missing.'],
    ['a file that is not there', { file: 'a.pptx', slides: [] }, 'There is no a.pptx'],
    [
      'no title for a file',
      { file: 'a.pptx', slides: [TITLE] },
      'There is no a.pptx. Give a title',
    ],
    ['61 slides', { title: 'Tea', slides: Array(61).fill(TITLE) }, '61 slides; 60 is the most'],
    ['another theme', { ...TEA, theme: 'pink' }, 'theme: Invalid option'],
    ['a long title', { ...TEA, title: 'x'.repeat(4_001) }, 'title: Too big'],
    ['another kind of file', { ...TEA, file: 'a.pdf' }, 'file: it must end in .pptx'],
    ['no name', { ...TEA, file: 'a/.pptx' }, 'file: it must end in .pptx'],
    ['a way out', { ...TEA, file: 'a/../../b.pptx' }, 'file: it must not contain ..'],
    ['another folder', { ...TEA, file: '/etc/b.pptx' }, 'file: it must be in /workspace'],
    ['the folder of the app', { ...TEA, file: '.hyperagent/b.pptx' }, 'belongs to the app'],
  ])('is refused with %s', async (_what, given, problem) => {
    const { slides, make } = slideBench(dir);
    const { status, content } = await make(given);
    expect([status, content]).toEqual(['error', expect.stringContaining(problem)]);
    expect(slides.made).toEqual([]);
  });
});

describe('data of files', () => {
  const CHART = {
    ...{ layout: 'chart', title: 'Sales' },
    chart: { type: 'line', file: '/workspace/data/a.csv', x: 'Month', y: ['Sales'] },
  };

  it('becomes charts and tables, and is a source', async () => {
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data/a.csv'), 'Month,Sales\nJan,"1,200"\nFeb,3\n');
    const table = { layout: 'table', title: 'All', file: 'data/a.csv', sources: ['data/a.csv'] };
    expect(
      (await slideBench(dir).make({ title: 'Tea', slides: [CHART, table] })).content,
    ).toContain('Made slides/tea.pptx');
    expect(deckIn(dir, 'slides/tea.pptx').slides).toMatchObject([
      {
        chart: { categories: ['Jan', 'Feb'], series: [{ name: 'Sales', values: [1200, 3] }] },
        sources: ['data/a.csv'],
      },
      {
        columns: ['Month', 'Sales'],
        rows: [
          ['Jan', '1,200'],
          ['Feb', '3'],
        ],
        sources: ['data/a.csv'],
      },
    ]);
  });

  it('is refused where it is not there, beside other problems', async () => {
    const { content } = await slideBench(dir).make({
      title: 'Tea',
      slides: [CHART, { layout: 'section' }],
    });
    expect(content).toBe(
      'Nothing was written.\nSlide 1: There is no data/a.csv in the workspace.\nSlide 2 (section): title is missing. Every slide has one.',
    );
  });

  it('is not given twice', async () => {
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data/a.csv'), 'Month,Sales\nJan,1\n');
    const both = { ...CHART, chart: { ...CHART.chart, series: [{ name: 'S', values: [1] }] } };
    expect((await slideBench(dir).make({ title: 'Tea', slides: [both] })).content).toContain(
      'it has a file and its own data',
    );
  });
});

describe('a deck that is there', () => {
  const file = 'slides/tea.pptx';

  it('is read in the flat form, with numbers, and stays as it is', async () => {
    const { make, slides, events } = slideBench(dir);
    await make(TEA);
    const before = readFileSync(join(dir, file));
    events.length = 0;
    const { content, data } = await make({ file, slides: [] });
    const flat = [
      { number: 1, ...TITLE },
      { number: 2, ...BULLETS },
    ];
    expect(content.split('\n')).toEqual([
      'slides/tea.pptx: "Tea", 2 slides on 2 pages, theme forest. To change a slide, give it whole, with its number.',
      ...flat.map((slide) => JSON.stringify(slide)),
      'No problems were found.',
    ]);
    expect(data).toMatchObject({ file, title: 'Tea', theme: 'forest', slides: flat });
    expect([slides.made.length, readFileSync(join(dir, file)).equals(before)]).toEqual([1, true]);
    expect(events.map(({ type }) => type)).toEqual(['tool_call', 'tool_result']);
    expect(events[0]).toMatchObject({ risk: 'low', effect: 'read' });
  });

  it('changes slide by slide; what has no number is added', async () => {
    const { make, events } = slideBench(dir);
    await make(TEA);
    const end = { layout: 'closing', title: 'Thanks' };
    const kinds = { ...BULLETS, number: 2, items: ['white'] };
    const { content } = await make({ file, title: 'Teas', theme: 'ocean', slides: [kinds, end] });
    expect(content).toContain('Changed slides/tea.pptx: 3 slides on 3 pages, theme ocean.');
    expect(deckIn(dir, file)).toEqual(
      Deck.parse({
        title: 'Teas',
        theme: 'ocean',
        slides: [TITLE, { ...BULLETS, items: ['white'] }, end],
      }),
    );
    expect(events.findLast(({ type }) => type === 'workspace_update')).toMatchObject({
      ...{ operation: 'modify', path: file },
    });
    expect((await make({ file, theme: 'paper', slides: [] })).status).toBe('ok');
    expect(deckIn(dir, file)).toMatchObject({
      title: 'Teas',
      theme: 'paper',
      slides: { length: 3 },
    });
    expect((await make({ file, slides: [{ ...end, title: 'Bye', number: 4 }] })).status).toBe('ok');
    expect(deckIn(dir, file).slides.map(({ title }) => title)).toEqual([
      'Tea',
      'Kinds',
      'Thanks',
      'Bye',
    ]);
  });

  it.each([
    [
      'a number that is too high',
      [{ ...BULLETS, number: 9 }],
      'Slide 9: the deck has 2 slides. Leave number out to add a slide at the end.',
    ],
    [
      'a number twice',
      [
        { ...BULLETS, number: 2 },
        { ...BULLETS, number: 2 },
      ],
      'Slide 2: its number is given twice.',
    ],
    [
      'the whole deck again',
      [TITLE, BULLETS],
      'Slide 1: "Tea" is there already.\nSlide 2: "Kinds" is there already.\nGive these slides their number to replace them, or another title to add them.',
    ],
    [
      'a part of a slide',
      [{ number: 2, layout: 'bullets', title: 'Other' }],
      'Slide 2 (bullets): items is missing. Give a list of short texts.\nA slide is replaced whole: give all its slots.',
    ],
  ])('stays as it is with %s', async (_what, slides, problem) => {
    const { make } = slideBench(dir);
    await make(TEA);
    expect(await make({ file, slides })).toMatchObject({
      ...{ status: 'error', content: `Nothing was written.\n${problem}` },
    });
    expect(deckIn(dir, file)).toEqual(Deck.parse(TEA));
  });

  it('is one that was made here', async () => {
    writeFileSync(join(dir, 'other.pptx'), 'PK');
    const { make } = slideBench(dir);
    for (const slides of [[], [BULLETS]]) {
      expect(await make({ file: 'other.pptx', slides })).toMatchObject({
        ...{ status: 'error', content: expect.stringContaining('was not made here') },
      });
    }
    expect(readFileSync(join(dir, 'other.pptx'), 'utf8')).toBe('PK');
  });
});

it('costs a model little', () => {
  const schema = toToolSchema(generateSlidesTool({ slides: noSlides }));
  expect(Buffer.byteLength(JSON.stringify(schema))).toBeLessThanOrEqual(2_570);
});

it('is rated by what it does', () => {
  const { risk, effect } = generateSlidesTool({ slides: noSlides });
  const rated = (given: GivenCall): unknown[] => {
    const input = { slides: [], ...given };
    return [risk, effect].map((of) => (typeof of === 'function' ? of(input) : of));
  };
  expect([
    rated({ file: 'a.pptx' }),
    rated(TEA),
    rated({ file: 'a.pptx', slides: [{ ...TITLE, number: 1 }] }),
    rated({ file: 'a.pptx', slides: [TITLE] }),
    rated({ file: 'a.pptx', theme: 'ocean' }),
  ]).toEqual([
    ['low', 'read'],
    ['medium', 'idempotent'],
    ['medium', 'idempotent'],
    ['medium', 'probeable'],
    ['medium', 'idempotent'],
  ]);
});
