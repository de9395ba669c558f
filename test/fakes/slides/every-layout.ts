import type { Slide } from '#contract/slides.ts';

const more = { notes: '', sources: [] };

/** A slide of each layout. */
export const EVERY_LAYOUT: readonly Slide[] = [
  { layout: 'title', ...more, title: 'City trees in summer', subtitle: 'Parks department, June' },
  {
    ...{ layout: 'agenda', ...more, title: 'Today' },
    items: ['Where we stand', 'What drought does', 'The plan', 'Costs'],
  },
  { layout: 'section', ...more, title: 'Where we stand', text: 'Results of the survey' },
  {
    ...{ layout: 'bullets', ...more, title: 'What the survey found' },
    items: [
      'Two of three young trees lack water in July',
      'Limes and maples suffer most',
      'Pits of less than four square metres dry out first',
      'Neighbours water where they were asked',
    ],
    sources: ['survey.csv'],
  },
  {
    ...{ layout: 'two_columns', ...more, title: 'Signs of drought' },
    left: ['Leaves roll in', 'Crown thins out', 'Early fall of leaves'],
    right: ['Bark cracks', 'Fungi on the trunk', 'Dead branches'],
  },
  {
    ...{ layout: 'comparison', ...more, title: 'Watering by truck or by bag' },
    left: { heading: 'Truck', items: ['80 litres a visit', 'Every ten days', 'Two people'] },
    right: { heading: 'Bag', items: ['75 litres over eight hours', 'Every week', 'One person'] },
  },
  {
    ...{ layout: 'quote', ...more, title: 'A neighbour' },
    text: 'I fill the bag on my way to work. The tree has leaves until November now.',
    by: 'Resident of Lime Street',
  },
  {
    ...{ layout: 'big_number', ...more, title: 'The year in numbers' },
    numbers: [
      { value: '41,200', label: 'trees along streets' },
      { value: '68 %', label: 'of young trees too dry' },
      { value: '1,150', label: 'people who water' },
    ],
    text: 'Counted in July, in all twelve districts.',
  },
  {
    ...{ layout: 'timeline', ...more, title: 'How it goes on' },
    steps: [
      { name: 'March', text: 'Bags are bought' },
      { name: 'April', text: 'Districts are asked' },
      { name: 'June', text: 'Watering begins' },
      { name: 'October', text: 'Second survey' },
    ],
  },
  {
    ...{ layout: 'process', ...more, title: 'Adopt a tree' },
    steps: [
      { name: 'Choose', text: 'On the map of your street' },
      { name: 'Collect', text: 'A bag at the library' },
      { name: 'Water', text: 'Once a week in summer' },
    ],
  },
  {
    ...{ layout: 'table', ...more, title: 'Costs of a summer' },
    columns: ['District', 'Trees', 'Bags', 'Cost in EUR'],
    rows: [
      ['North', '1,240', '1,300', '31,200'],
      ['East', '980', '1,050', '25,200'],
      ['South', '1,410', '1,500', '36,000'],
      ['West', '860', '900', '21,600'],
    ],
  },
  {
    ...{ layout: 'chart', ...more, title: 'Dry trees by month' },
    text: 'July is the worst month in both years.',
    chart: {
      ...{ type: 'column', categories: ['May', 'June', 'July', 'August'] },
      ...{ xTitle: '', yTitle: 'Share of young trees in %', unit: '' },
      series: [
        { name: 'Last year', values: [21, 43, 68, 61] },
        { name: 'This year', values: [19, 35, 52, 47] },
      ],
    },
  },
  {
    ...{ layout: 'image_text', ...more, title: 'A bag on its tree' },
    picture: { path: 'pictures/wide.png', alt: 'A green bag around the trunk of a young tree' },
    items: ['Two zips hold it', 'Holes in the bottom', 'Empty after eight hours'],
  },
  {
    ...{ layout: 'team', ...more, title: 'Who to ask' },
    people: [
      { name: 'Mara Lindt', role: 'Head of trees', picture: null },
      { name: 'Jon Okafor', role: 'Watering', picture: null },
      { name: 'Li Wei', role: 'Survey', picture: null },
    ],
  },
  { layout: 'closing', ...more, title: 'Thank you', text: 'Questions? trees@city.example' },
];
