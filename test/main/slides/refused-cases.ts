/** Slides that cannot be read, with the sentence that a model gets. */
export const REFUSED: readonly (readonly [what: string, given: unknown, problem: string])[] = [
  [
    'no series',
    { layout: 'chart', title: 'A', chart: { type: 'bar', categories: ['x'] } },
    'Slide 3 (chart): chart.series is missing. Give one list of values for each series.',
  ],
  [
    'nothing of a chart',
    { layout: 'chart', title: 'A' },
    'Slide 3 (chart): chart is missing. Give its type, categories and series, or a file with x and y.',
  ],
  [
    'no title',
    { layout: 'bullets', items: ['a'] },
    'Slide 3 (bullets): title is missing. Every slide has one.',
  ],
  [
    'no items, and nothing in their place',
    { layout: 'bullets', title: 'A', items: ['', ' - '] },
    'Slide 3 (bullets): items is missing. Give a list of short texts.',
  ],
  [
    'an unknown layout',
    { layout: 'hero', title: 'A' },
    'Slide 3: there is no layout "hero". There are: title, agenda, section, bullets, two_columns, comparison, quote, big_number, timeline, process, table, chart, image_text, team, closing.',
  ],
  [
    'no layout, and more than one that fits',
    { title: 'A', steps: ['a'] },
    'Slide 3: layout is missing. There are: title, agenda, section, bullets, two_columns, comparison, quote, big_number, timeline, process, table, chart, image_text, team, closing.',
  ],
  ['no slide', 'Introduction', 'Slide 3: it is not an object. Write {"layout": …, "title": …}.'],
  [
    'a comparison without headings',
    { layout: 'comparison', title: 'A', left: ['a'], right: ['b'] },
    'Slide 3 (comparison): left_title is missing. It says what is on the left. right_title is missing. It says what is on the right.',
  ],
  [
    'more values than categories',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'bar', categories: ['x'], series: [{ name: 'S', values: [1, 2] }] },
    },
    'Slide 3 (chart): series "S" has 2 values, but chart.categories has 1. Give one value for each category, null where there is none.',
  ],
  [
    'a value that is no number',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'bar',
        categories: ['x', 'y'],
        series: [{ name: 'S', values: [1, 'about 2'] }],
      },
    },
    'Slide 3 (chart): series "S", value 2, is "about 2", which is not a number. Write plain numbers.',
  ],
  [
    'a category of a scatter chart that is no number',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'scatter', categories: ['x'], series: [{ name: 'S', values: [1] }] },
    },
    'Slide 3 (chart): chart.categories, entry 1, is "x", which is not a number. A scatter chart has numbers on both axes.',
  ],
  [
    'an unknown type of chart',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'radar', categories: ['x'], series: [{ name: 'S', values: [1] }] },
    },
    'Slide 3 (chart): there is no chart.type "radar". There are: column, bar, line, area, pie, doughnut, scatter.',
  ],
  [
    'series without names',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'bar',
        categories: ['x'],
        series: [{ values: [1] }, { name: 'T', values: [2] }],
      },
    },
    'Slide 3 (chart): chart.series, entry 1, has no name. Name every series where there are several.',
  ],
  [
    'rows without columns',
    { layout: 'table', title: 'A', rows: [['a', 'b']] },
    'Slide 3 (table): columns is missing. Give the heading of each column.',
  ],
  [
    'a row with more cells than columns',
    { layout: 'table', title: 'A', columns: ['a'], rows: [['1'], ['1', '2']] },
    'Slide 3 (table): rows, entry 2, has 2 cells, but columns has 1.',
  ],
  [
    'a text that is too long',
    { layout: 'section', title: 'x'.repeat(4001) },
    'Slide 3 (section): title has 4,001 characters; 4,000 is the most. Shorten it.',
  ],
  [
    'a list that is too long',
    {
      ...{ layout: 'big_number', title: 'A' },
      numbers: ['1', '2', '3', '4', '5'].map((value) => ({ value, label: 'a' })),
    },
    'Slide 3 (big_number): numbers has 5 entries; 4 is the most. Split the slide.',
  ],
  [
    'a number without a label',
    { layout: 'big_number', title: 'A', numbers: [{ value: '5' }] },
    'Slide 3 (big_number): numbers, entry 1, has no label.',
  ],
  [
    'a slot that the layout does not show',
    { layout: 'bullets', title: 'A', items: ['a'], image: 'a.png', subtitle: 'b' },
    'Slide 3 (bullets): this layout does not show subtitle or image. Leave them out, or use a layout that does.',
  ],
  [
    'an image of the web',
    { layout: 'image_text', title: 'A', image: 'https://a.example/a.png', alt: 'b' },
    'Slide 3 (image_text): image is an address. Save the picture in /workspace and give its path.',
  ],
  [
    'two problems',
    { layout: 'quote' },
    'Slide 3 (quote): title is missing. Every slide has one. text is missing. It is what was said.',
  ],
];
