import type { z } from 'zod';
import type { Slide } from '#contract/slides.ts';

type Typed = z.input<typeof Slide>;

/** Slides of numbers, steps, data, pictures and people, in the same way. */
export const READ_DATA: readonly (readonly [what: string, given: unknown, meant: Typed])[] = [
  [
    'numbers with their units, as numbers',
    {
      ...{ layout: 'kpi', title: 'A' },
      numbers: [
        { value: 12.5, unit: '%', label: 'growth' },
        { number: '3,000', description: 'users' },
        { value: 4, unit: 'days', label: 'saved' },
      ],
    },
    {
      ...{ layout: 'big_number', title: 'A' },
      numbers: [
        { value: '12.5%', label: 'growth' },
        { value: '3,000', label: 'users' },
        { value: '4 days', label: 'saved' },
      ],
    },
  ],
  [
    'one big number, in slots of the slide',
    { layout: 'big_number', title: 'A', value: '87%', label: 'stay', text: 'Of 200 asked' },
    {
      ...{ layout: 'big_number', title: 'A', text: 'Of 200 asked' },
      numbers: [{ value: '87%', label: 'stay' }],
    },
  ],
  [
    'numbers as a record',
    { layout: 'stats', title: 'A', stats: { Revenue: '€5M', Staff: 40 } },
    {
      ...{ layout: 'big_number', title: 'A' },
      numbers: [
        { value: '€5M', label: 'Revenue' },
        { value: '40', label: 'Staff' },
      ],
    },
  ],
  [
    'a timeline with dates and events',
    {
      ...{ layout: 'timeline', title: 'A' },
      events: [
        { date: 2019, event: 'Founded' },
        { year: '2021', title: 'Series A', description: '5 M' },
        '2024: Profit',
      ],
    },
    {
      ...{ layout: 'timeline', title: 'A' },
      steps: [
        { name: '2019', text: 'Founded' },
        { name: '2021', text: 'Series A: 5 M' },
        { name: '2024', text: 'Profit' },
      ],
    },
  ],
  [
    'a process as numbered lines',
    { layout: 'process', title: 'A', steps: '1. Plan: what and why\n2. Build\n3. Ship' },
    {
      ...{ layout: 'process', title: 'A' },
      steps: [{ name: 'Plan', text: 'what and why' }, { name: 'Build' }, { name: 'Ship' }],
    },
  ],
  [
    'a process as items with step numbers',
    {
      ...{ layout: 'steps', title: 'A' },
      items: [
        { step: 1, title: 'Plan', text: 'first' },
        { step: 2, title: 'Build' },
      ],
    },
    {
      ...{ layout: 'process', title: 'A' },
      steps: [{ name: 'Plan', text: 'first' }, { name: 'Build' }],
    },
  ],
  [
    'a table with numbers, nothing and truth',
    {
      ...{ layout: 'table', title: 'A', headers: ['Name', 'n', 'ok'] },
      rows: [
        ['a', 1200, true],
        ['b', null, false],
      ],
    },
    {
      ...{ layout: 'table', title: 'A', columns: ['Name', 'n', 'ok'] },
      rows: [
        ['a', '1200', 'true'],
        ['b', '', 'false'],
      ],
    },
  ],
  [
    'a table of records',
    {
      ...{ layout: 'table', title: 'A' },
      rows: [
        { Name: 'a', n: 1 },
        { Name: 'b', n: 2, extra: '**x**' },
      ],
    },
    {
      ...{ layout: 'table', title: 'A', columns: ['Name', 'n', 'extra'] },
      rows: [
        ['a', '1', ''],
        ['b', '2', 'x'],
      ],
    },
  ],
  [
    'a table in a table',
    { layout: 'table', title: 'A', table: { header: ['a', 'b'], rows: [['1', '2']] } },
    { layout: 'table', title: 'A', columns: ['a', 'b'], rows: [['1', '2']] },
  ],
  [
    'a Markdown table',
    { layout: 'table', title: 'A', rows: '| a | b |\n|---|:-:|\n| 1 | **2** |\n| 3 |  |' },
    {
      ...{ layout: 'table', title: 'A', columns: ['a', 'b'] },
      rows: [
        ['1', '2'],
        ['3', ''],
      ],
    },
  ],
  [
    'rows as text with bars',
    { layout: 'table', title: 'A', columns: 'a | b', rows: ['1 | 2', '3 | 4'] },
    {
      ...{ layout: 'table', title: 'A', columns: ['a', 'b'] },
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
    },
  ],
  [
    'values of a chart as text',
    {
      ...{ layout: 'chart', title: 'A', text: 'It grows.' },
      chart: {
        ...{ type: 'column', categories: [2023, 2024, 2025], y_title: 'EUR' },
        series: [{ name: 'Sales', values: ['1,200', '12%', '-3.5'] }],
      },
    },
    {
      ...{ layout: 'chart', title: 'A', text: 'It grows.' },
      chart: {
        ...{ type: 'column', categories: ['2023', '2024', '2025'], yTitle: 'EUR' },
        series: [{ name: 'Sales', values: [1200, 12, -3.5] }],
      },
    },
  ],
  [
    'a chart as Chart.js has it',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'donut',
        data: { labels: ['x', 'y'], datasets: [{ label: 'S', data: [1, null] }] },
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'doughnut', categories: ['x', 'y'] },
        series: [{ name: 'S', values: [1, null] }],
      },
    },
  ],
  [
    'the parts of a chart beside the slide',
    {
      ...{ layout: 'chart', title: 'A', chart_type: 'Line Chart', unit: '%' },
      ...{ categories: ['x', 'y'], series: [1, 2] },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'line', categories: ['x', 'y'], unit: '%' },
        series: [{ name: '', values: [1, 2] }],
      },
    },
  ],
  [
    'series as a record, in JSON text',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: '{"type":"bar","categories":["x","y"],"series":{"2023":[1,2],"2024":["3","n/a"]}}',
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'bar', categories: ['x', 'y'] },
        series: [
          { name: '2023', values: [1, 2] },
          { name: '2024', values: [3, null] },
        ],
      },
    },
  ],
  [
    'data of a chart as records',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'area',
        data: [
          { label: 'x', value: 1 },
          { label: 'y', value: '2 %' },
        ],
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: { type: 'area', categories: ['x', 'y'], series: [{ name: '', values: [1, 2] }] },
    },
  ],
  [
    'points of a scatter chart',
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        type: 'scatter',
        series: [
          { name: 'S', values: [[1, 10], { x: '2.50', y: 20 }] },
          { name: 'T', points: [[1, 5]] },
        ],
      },
    },
    {
      ...{ layout: 'chart', title: 'A' },
      chart: {
        ...{ type: 'scatter', categories: ['1', '2.5', '1'] },
        series: [
          { name: 'S', values: [10, 20, null] },
          { name: 'T', values: [null, null, 5] },
        ],
      },
    },
  ],
  [
    'an image and its words',
    {
      ...{ layout: 'image', title: 'A', image: '/workspace/img/a.png', alt: 'A bridge' },
      items: 'one',
    },
    {
      ...{ layout: 'image_text', title: 'A', items: ['one'] },
      picture: { path: 'img/a.png', alt: 'A bridge' },
    },
  ],
  [
    'an image as an object, the words as text',
    {
      ...{ layout: 'image_text', title: 'A', text: 'one\ntwo' },
      picture: { src: './a.jpg', caption: 'A bridge' },
    },
    {
      ...{ layout: 'image_text', title: 'A', items: ['one', 'two'] },
      picture: { path: 'a.jpg', alt: 'A bridge' },
    },
  ],
  [
    'people in their ways',
    {
      ...{ layout: 'our team', title: 'A' },
      members: [
        { name: '**Ann Lee**', title: 'CEO', photo: 'ann.png', alt: 'Ann' },
        'Bo Li, CTO',
        { name: 'Cy', position: 'Sales', image: null },
      ],
    },
    {
      ...{ layout: 'team', title: 'A' },
      people: [
        { name: 'Ann Lee', role: 'CEO', picture: { path: 'ann.png', alt: 'Ann' } },
        { name: 'Bo Li', role: 'CTO' },
        { name: 'Cy', role: 'Sales' },
      ],
    },
  ],
  [
    'a closing slide with lines',
    { layout: 'closing', title: 'Questions?', items: ['a@b.example', 'www.b.example'] },
    { layout: 'closing', title: 'Questions?', text: 'a@b.example\nwww.b.example' },
  ],
  [
    'a section with a subtitle',
    { layout: 'section_header', title: 'A', subtitle: 'what is in it' },
    { layout: 'section', title: 'A', text: 'what is in it' },
  ],
  [
    'slots in an object of their own',
    { layout: 'bullets', content: { title: 'A', items: ['one'] }, number: 3 },
    { layout: 'bullets', title: 'A', items: ['one'] },
  ],
];
