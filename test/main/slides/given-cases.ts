import type { z } from 'zod';
import type { Slide } from '#contract/slides.ts';

type Typed = z.input<typeof Slide>;

/** Slides of texts as models write them, with what is meant. Written before the reader. */
export const READ: readonly (readonly [what: string, given: unknown, meant: Typed])[] = [
  [
    'as asked for',
    { layout: 'bullets', title: 'Results', items: ['Up 12%', 'Costs down'] },
    { layout: 'bullets', title: 'Results', items: ['Up 12%', 'Costs down'] },
  ],
  [
    'every slot of the flat form, the others null',
    {
      ...{
        number: null,
        layout: 'title',
        title: 'Plan',
        subtitle: '2026',
        text: null,
        items: null,
      },
      ...{ left: null, right: null, left_title: null, right_title: null, by: null, numbers: null },
      ...{ steps: null, columns: null, rows: null, chart: null, file: null, image: null },
      ...{ alt: null, people: null, notes: null, sources: null },
    },
    { layout: 'title', title: 'Plan', subtitle: '2026' },
  ],
  [
    'the others empty, in their own ways',
    {
      ...{ layout: 'section', title: 'Part one', text: '', items: [], left: [''], image: ' ' },
      ...{ chart: { type: 'bar', categories: [], series: [] }, people: [{ name: '', role: '' }] },
      ...{ numbers: [{}], steps: {}, rows: [[]], columns: [], alt: 'none of it' },
    },
    { layout: 'section', title: 'Part one' },
  ],
  [
    'a layout with a hyphen',
    { layout: 'two-column', title: 'A', left: ['l'], right: ['r'] },
    { layout: 'two_columns', title: 'A', left: ['l'], right: ['r'] },
  ],
  [
    'a layout in camel case',
    { layout: 'twoColumns', title: 'A', left: ['l'], right: ['r'] },
    { layout: 'two_columns', title: 'A', left: ['l'], right: ['r'] },
  ],
  [
    'a layout with a space and capitals',
    { layout: 'Big Number', title: 'A', numbers: [{ value: '42', label: 'answers' }] },
    { layout: 'big_number', title: 'A', numbers: [{ value: '42', label: 'answers' }] },
  ],
  [
    'a layout called content',
    { layout: 'content', title: 'A', items: ['b'] },
    { layout: 'bullets', title: 'A', items: ['b'] },
  ],
  [
    'a layout called Title Slide',
    { layout: 'Title Slide', title: 'A', subtitle: 'b' },
    { layout: 'title', title: 'A', subtitle: 'b' },
  ],
  [
    'a layout called thank you',
    { layout: 'thank_you', title: 'Thanks', text: 'a@b.example' },
    { layout: 'closing', title: 'Thanks', text: 'a@b.example' },
  ],
  [
    'a layout in Chinese',
    { layout: '目录', title: '议程', items: ['一', '二'] },
    { layout: 'agenda', title: '议程', items: ['一', '二'] },
  ],
  [
    'a layout that names its chart',
    {
      ...{ layout: 'pie_chart', title: 'Shares' },
      chart: { categories: ['A', 'B'], series: [{ name: 'Share', values: [60, 40] }] },
    },
    {
      ...{ layout: 'chart', title: 'Shares' },
      chart: { type: 'pie', categories: ['A', 'B'], series: [{ name: 'Share', values: [60, 40] }] },
    },
  ],
  [
    'no layout, and only one that fits',
    { title: 'A', rows: [['1']], columns: ['n'] },
    { layout: 'table', title: 'A', columns: ['n'], rows: [['1']] },
  ],
  [
    'items as one text with dashes',
    { layout: 'bullets', title: 'A', items: '- one\n- two\n\n- three' },
    { layout: 'bullets', title: 'A', items: ['one', 'two', 'three'] },
  ],
  [
    'items as one text with numbers',
    { layout: 'agenda', title: 'A', items: '1. one\r\n2. two\r\n3) three' },
    { layout: 'agenda', title: 'A', items: ['one', 'two', 'three'] },
  ],
  [
    'items as objects',
    {
      ...{ layout: 'bullets', title: 'A' },
      items: [{ text: 'one' }, { title: 'Two', description: 'more' }, 3, { bullet: 'four' }],
    },
    { layout: 'bullets', title: 'A', items: ['one', 'Two: more', '3', 'four'] },
  ],
  [
    'items in items',
    {
      layout: 'bullets',
      title: 'A',
      items: ['one', ['two', 'three'], { text: 'x', items: ['y'] }],
    },
    { layout: 'bullets', title: 'A', items: ['one', 'two', 'three', 'x', 'y'] },
  ],
  [
    'Markdown marks',
    {
      ...{ layout: 'bullets', title: '## **Key** results' },
      items: ['**Revenue**: up *a lot*', '* `npm` is used', '• dot', '5 * 3 * 2 = 30'],
    },
    {
      ...{ layout: 'bullets', title: 'Key results' },
      items: ['Revenue: up a lot', 'npm is used', 'dot', '5 * 3 * 2 = 30'],
    },
  ],
  [
    'what only looks like Markdown',
    {
      ...{ layout: 'bullets', title: '#1 in Europe' },
      items: ['3. Quartal: schwach', '-5% in May', 'snake_case_name', '__init__ is run', 'Profit*'],
    },
    {
      ...{ layout: 'bullets', title: '#1 in Europe' },
      items: ['3. Quartal: schwach', '-5% in May', 'snake_case_name', '__init__ is run', 'Profit*'],
    },
  ],
  [
    'bold inside Chinese text, and a link',
    {
      layout: 'bullets',
      title: '要点',
      items: ['提升**30%**的效率', '[Report](https://a.example/r)'],
    },
    { layout: 'bullets', title: '要点', items: ['提升30%的效率', 'Report (https://a.example/r)'] },
  ],
  [
    'control characters',
    { layout: 'section', title: 'A\u0000\u0007B\tC', text: 'one\u000b\r\ntwo\ufffe' },
    { layout: 'section', title: 'AB C', text: 'one\ntwo' },
  ],
  [
    'bullets by another name',
    { layout: 'bullets', title: 'A', bullet_points: ['one'] },
    { layout: 'bullets', title: 'A', items: ['one'] },
  ],
  [
    'bullets in content',
    { layout: 'bullets', title: 'A', content: ['one', 'two'] },
    { layout: 'bullets', title: 'A', items: ['one', 'two'] },
  ],
  [
    'bullets as the text',
    { layout: 'bullets', title: 'A', text: '- one\n- two' },
    { layout: 'bullets', title: 'A', items: ['one', 'two'] },
  ],
  [
    'a heading for the title, and speaker notes',
    { layout: 'section', heading: 'A', speakerNotes: 'Say **this**\n- slowly' },
    { layout: 'section', title: 'A', notes: 'Say this\nslowly' },
  ],
  [
    'notes as a list, sources as one text and as objects',
    {
      ...{ layout: 'section', title: 'A', notes: ['one', 'two'] },
      sources: ['WHO 2024', { title: 'Report', url: 'https://a.example/' }],
    },
    {
      ...{ layout: 'section', title: 'A', notes: 'one\ntwo' },
      sources: ['WHO 2024', 'Report, https://a.example/'],
    },
  ],
  [
    'one source as text',
    { layout: 'section', title: 'A', source: 'https://a.example/a,b' },
    { layout: 'section', title: 'A', sources: ['https://a.example/a,b'] },
  ],
  [
    'an extra slot that nobody knows',
    { layout: 'section', title: 'A', animation: 'fade', background_color: '#fff', id: 's1' },
    { layout: 'section', title: 'A' },
  ],
  [
    'columns with headings',
    {
      ...{ layout: 'comparison', title: 'A' },
      ...{
        left: { title: 'Before', items: ['slow'] },
        right: { heading: 'After', points: 'fast' },
      },
    },
    {
      ...{ layout: 'comparison', title: 'A' },
      left: { heading: 'Before', items: ['slow'] },
      right: { heading: 'After', items: ['fast'] },
    },
  ],
  [
    'a comparison in the flat form',
    {
      ...{ layout: 'comparison', title: 'A', left_title: 'Pro', right_title: 'Con' },
      ...{ left: '- cheap\n- fast', right: ['new'] },
    },
    {
      ...{ layout: 'comparison', title: 'A' },
      left: { heading: 'Pro', items: ['cheap', 'fast'] },
      right: { heading: 'Con', items: ['new'] },
    },
  ],
  [
    'two columns that have headings',
    {
      ...{ layout: 'two_columns', title: 'A', leftTitle: 'Pro', rightTitle: 'Con' },
      ...{ left: ['cheap'], right: ['new'] },
    },
    {
      ...{ layout: 'comparison', title: 'A' },
      ...{ left: { heading: 'Pro', items: ['cheap'] }, right: { heading: 'Con', items: ['new'] } },
    },
  ],
  [
    'two columns as a list of columns',
    { layout: 'two_columns', title: 'A', columns: [['a', 'b'], { items: ['c'] }] },
    { layout: 'two_columns', title: 'A', left: ['a', 'b'], right: ['c'] },
  ],
  [
    'a quote by other names',
    { layout: 'quote', title: 'Why', quote: '> Less is more.', author: 'Mies' },
    { layout: 'quote', title: 'Why', text: 'Less is more.', by: 'Mies' },
  ],
];
