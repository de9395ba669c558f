import type { z } from 'zod';
import type { Slide } from '#contract/slides.ts';

type Typed = z.input<typeof Slide>;

/** A second set, written once the reader was there, to see what it makes of forms that nobody had in mind. */
export const MORE: readonly (readonly [what: string, given: unknown, meant: Typed | RegExp])[] = [
  [
    'a layout that says that it is one',
    { layout: 'bullet-list-layout', title: 'A', items: ['b'] },
    { layout: 'bullets', title: 'A', items: ['b'] },
  ],
  [
    'type in place of layout',
    { type: 'bullets', title: 'A', items: ['b'] },
    { layout: 'bullets', title: 'A', items: ['b'] },
  ],
  [
    'an agenda with numbers and times',
    {
      ...{ layout: 'agenda', title: 'Today' },
      items: ['1. Welcome (9:00)', '2. **Numbers** (9:10)', '3. Q&A'],
    },
    { layout: 'agenda', title: 'Today', items: ['Welcome (9:00)', 'Numbers (9:10)', 'Q&A'] },
  ],
  [
    'emoji and wide characters',
    { layout: 'bullets', title: '📈 增长', items: ['✅ 完成', '👩‍👩‍👧 家庭', '① 第一'] },
    { layout: 'bullets', title: '📈 增长', items: ['✅ 完成', '👩‍👩‍👧 家庭', '① 第一'] },
  ],
  [
    'a broken character',
    { layout: 'section', title: 'A\ud83d B' },
    { layout: 'section', title: 'A\ufffd B' },
  ],
  [
    'bullets with a lead and points',
    {
      ...{ layout: 'bullets', title: 'A' },
      bullets: [
        { heading: 'Speed', points: ['10 ms', '20 ms'] },
        { label: 'Price', value: 5 },
      ],
    },
    { layout: 'bullets', title: 'A', items: ['Speed', '10 ms', '20 ms', 'Price: 5'] },
  ],
  [
    'items in numbered keys',
    { layout: 'bullets', title: 'A', items: { '1': 'one', '2': 'two' } },
    { layout: 'bullets', title: 'A', items: ['one', 'two'] },
  ],
  [
    'items with both kinds of marks in one entry',
    { layout: 'bullets', title: 'A', items: ['Costs:\n- rent\n- pay', 'Done'] },
    { layout: 'bullets', title: 'A', items: ['Costs:', 'rent', 'pay', 'Done'] },
  ],
  [
    'columns with other names',
    {
      ...{ layout: 'two_columns', title: 'A' },
      ...{ left_content: ['a'], right_content: { bullets: ['b'] } },
    },
    { layout: 'two_columns', title: 'A', left: ['a'], right: ['b'] },
  ],
  [
    'columns by number',
    { layout: 'two_columns', title: 'A', column1: ['a'], column2: ['b'] },
    { layout: 'two_columns', title: 'A', left: ['a'], right: ['b'] },
  ],
  [
    'pros and cons',
    { layout: 'comparison', title: 'A', pros: ['cheap'], cons: ['new'] },
    /left_title is missing/,
  ],
  [
    'a comparison as two named columns',
    {
      ...{ layout: 'comparison', title: 'A' },
      columns: [
        { heading: 'Old', items: ['a'] },
        { heading: 'New', items: ['b'] },
      ],
    },
    {
      ...{ layout: 'comparison', title: 'A' },
      ...{ left: { heading: 'Old', items: ['a'] }, right: { heading: 'New', items: ['b'] } },
    },
  ],
  [
    'a quote with its marks',
    { layout: 'quote', title: 'A', text: '“Less is more.”', by: '— Mies' },
    { layout: 'quote', title: 'A', text: '“Less is more.”', by: '— Mies' },
  ],
  [
    'a quote as an object',
    { layout: 'quote', title: 'A', quote: { text: 'Less is more.', author: 'Mies' } },
    { layout: 'quote', title: 'A', text: 'Less is more.', by: 'Mies' },
  ],
  [
    'numbers as text lines',
    { layout: 'big_number', title: 'A', numbers: ['87%: stay', '3x — faster'] },
    {
      ...{ layout: 'big_number', title: 'A' },
      numbers: [
        { value: '87%', label: 'stay' },
        { value: '3x', label: 'faster' },
      ],
    },
  ],
  [
    'one number as an object',
    { layout: 'big_number', title: 'A', numbers: { value: '$1.2M', label: 'ARR' } },
    { layout: 'big_number', title: 'A', numbers: [{ value: '$1.2M', label: 'ARR' }] },
  ],
  [
    'a timeline in rows',
    {
      layout: 'timeline',
      title: 'A',
      steps: [
        ['2020', 'Start'],
        ['2021', 'Growth'],
      ],
    },
    {
      ...{ layout: 'timeline', title: 'A' },
      steps: [
        { name: '2020', text: 'Start' },
        { name: '2021', text: 'Growth' },
      ],
    },
  ],
  [
    'a timeline with dashes',
    { layout: 'timeline', title: 'A', steps: ['2020 – Start', 'Q1 2021 - Growth'] },
    {
      ...{ layout: 'timeline', title: 'A' },
      steps: [
        { name: '2020', text: 'Start' },
        { name: 'Q1 2021', text: 'Growth' },
      ],
    },
  ],
  [
    'steps with bullets of their own',
    {
      ...{ layout: 'process', title: 'A' },
      steps: [
        { name: 'Plan', items: ['what', 'why'] },
        { name: 'Do', text: '- fast' },
      ],
    },
    {
      ...{ layout: 'process', title: 'A' },
      steps: [
        { name: 'Plan', text: 'what\nwhy' },
        { name: 'Do', text: 'fast' },
      ],
    },
  ],
  [
    'a table with rows that have names',
    {
      ...{ layout: 'table', title: 'A', columns: ['', 'Q1'] },
      rows: [{ cells: ['Sales', 5] }, { cells: ['Costs', '4\u00a0%'] }],
    },
    {
      ...{ layout: 'table', title: 'A', columns: ['', 'Q1'] },
      rows: [
        ['Sales', '5'],
        ['Costs', '4\u00a0%'],
      ],
    },
  ],
  [
    'columns of a table with keys',
    {
      ...{ layout: 'table', title: 'A' },
      columns: [
        { key: 'n', title: 'Name' },
        { key: 'v', title: 'Value' },
      ],
      rows: [{ n: 'a', v: 1 }],
    },
    { layout: 'table', title: 'A', columns: ['Name', 'Value'], rows: [['a', '1']] },
  ],
  [
    'a Markdown table in text',
    { layout: 'table', title: 'A', text: '| a | b |\n| --- | --- |\n| 1 | 2 |' },
    { layout: 'table', title: 'A', columns: ['a', 'b'], rows: [['1', '2']] },
  ],
  [
    'the head of a table in its first row',
    {
      layout: 'table',
      title: 'A',
      table: [
        ['a', 'b'],
        ['1', '2'],
      ],
    },
    /columns is missing/,
  ],
  [
    'values of a chart in one text',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'bar', categories: 'x, y', series: [{ name: 'S', values: '1, 2' }] },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'bar', categories: ['x', 'y'], series: [{ name: 'S', values: [1, 2] }] },
    },
  ],
  [
    'wide records',
    {
      ...{ layout: 'chart', title: 'A', chart_type: 'bar' },
      data: [
        { month: 'Jan', Sales: 1, Costs: 2 },
        { month: 'Feb', Sales: 3, Costs: null },
      ],
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'bar', categories: ['Jan', 'Feb'] },
        series: [
          { name: 'Sales', values: [1, 3] },
          { name: 'Costs', values: [2, null] },
        ],
      },
    },
  ],
  [
    'pairs of a line',
    {
      ...{ layout: 'line_chart', title: 'A' },
      chart: {
        series: [
          {
            name: 'S',
            values: [
              ['Jan', 1],
              ['Feb', '2.5'],
            ],
          },
        ],
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'line',
        categories: ['Jan', 'Feb'],
        series: [{ name: 'S', values: [1, 2.5] }],
      },
    },
  ],
  [
    'two plain series',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'bar',
        categories: ['x', 'y'],
        series: [
          [1, 2],
          [3, 4],
        ],
      },
    },
    /has no name/,
  ],
  [
    'a record of values',
    { layout: 'chart', title: 'A', chart: { type: 'pie', data: { North: 60, South: '40%' } } },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'pie',
        categories: ['North', 'South'],
        series: [{ name: '', values: [60, 40] }],
      },
    },
  ],
  [
    'a value with a unit in words',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'bar', categories: ['x'], series: [{ name: 'S', values: ['5 million'] }] },
    },
    /"5 million", which is not a number/,
  ],
  [
    'money',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'bar',
        categories: ['x', 'y'],
        series: [{ name: 'S', values: ['$1,200.50', '-€3'] }],
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'bar', categories: ['x', 'y'], series: [{ name: 'S', values: [1200.5, -3] }] },
    },
  ],
  [
    'axes as objects',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'scatter', x_axis: { title: 'Age' }, yAxis: 'Income' },
        series: [{ name: 'S', x: [1, 2], y: [3, 4] }],
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'scatter', categories: ['1', '2'], xTitle: 'Age', yTitle: 'Income' },
        series: [{ name: 'S', values: [3, 4] }],
      },
    },
  ],
  [
    'a stacked chart, which there is none of',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'stacked_bar', categories: ['x'], series: [{ name: 'S', values: [1] }] },
    },
    /there is no chart.type "stacked_bar"/,
  ],
  [
    'an image with Markdown',
    { layout: 'image_text', title: 'A', image: '![A bridge](a.png)' },
    { layout: 'image_text', title: 'A', picture: { path: 'a.png', alt: 'A bridge' } },
  ],
  [
    'an image as data',
    { layout: 'image_text', title: 'A', image: 'data:image/png;base64,AAAA' },
    /image is an address/,
  ],
  [
    'people as a record',
    { layout: 'team', title: 'A', people: { 'Ann Lee': 'CEO', 'Bo Li': 'CTO' } },
    {
      ...{ layout: 'team', title: 'A' },
      people: [
        { name: 'Ann Lee', role: 'CEO' },
        { name: 'Bo Li', role: 'CTO' },
      ],
    },
  ],
  [
    'a closing slide with a subtitle and text',
    { layout: 'closing', title: 'Thanks', subtitle: 'Questions?', text: 'a@b.example' },
    { layout: 'closing', title: 'Thanks', text: 'Questions?\na@b.example' },
  ],
  [
    'a title slide with its author and date',
    { layout: 'title', title: 'A', subtitle: 'B', author: 'Ann', date: '2026-01-01' },
    { layout: 'title', title: 'A', subtitle: 'B\nAnn\n2026-01-01' },
  ],
  [
    'a chart with bullets beside it',
    {
      ...{ layout: 'chart', title: 'A', items: ['one', 'two'] },
      chart: { type: 'bar', categories: ['x'], series: [{ name: 'S', values: [1] }] },
    },
    {
      ...{ layout: 'chart', title: 'A', text: 'one\ntwo' },
      chart: { type: 'bar', categories: ['x'], series: [{ name: 'S', values: [1] }] },
    },
  ],
  [
    'a title as an object',
    { layout: 'section', title: { text: 'A' } },
    { layout: 'section', title: 'A' },
  ],
  [
    'slots in the wrong case',
    { Layout: 'Bullets', Title: 'A', Items: ['b'], Notes: 'n' },
    { layout: 'bullets', title: 'A', items: ['b'], notes: 'n' },
  ],
];
