import type { ChartType, SlideLayout } from '#contract/slides.ts';
import { readChart } from './given-chart.ts';
import { readColumn, readItems, readNumbers, readPeople, readSteps } from './given-lists.ts';
import { pictureReader } from './given-picture.ts';
import { type GivenSlots, pick, recordOf } from './given-slots.ts';
import { readTable, takeTable } from './given-table.ts';
import { isEmpty, lineText, proseText } from './given-text.ts';
import type { SlideData } from './slide-data.ts';
import { layoutCalled } from './slide-names.ts';

export interface FoundLayout {
  readonly layout: SlideLayout;
  readonly chart?: ChartType;
}

/** The layout that is named, or the only one with a slot that is there; null where neither is certain. */
export function layoutOf(slots: GivenSlots): FoundLayout | null {
  const name = slots.take('layout', 'slide_type', 'slide_layout');
  if (!isEmpty(name)) {
    const found = typeof name === 'string' ? layoutCalled(name) : null;
    const hasHeadings = slots.has('left_title') && slots.has('right_title');
    return found?.layout === 'two_columns' && hasHeadings ? { layout: 'comparison' } : found;
  }
  const fitting = BY_SLOT.filter(([names]) => names.split(' ').every((one) => slots.has(one)));
  const [first] = fitting;
  return fitting.length === 1 && first !== undefined ? { layout: first[1] } : null;
}

const BY_SLOT: readonly (readonly [string, SlideLayout])[] = [
  ['items', 'bullets'],
  ['left_title right_title', 'comparison'],
  ['numbers', 'big_number'],
  ['rows', 'table'],
  ['chart', 'chart'],
  ['image', 'image_text'],
  ['people', 'team'],
];

const ITEMS = [
  'items',
  'bullets',
  'bullet_points',
  'points',
  'key_points',
  'content',
  'body',
  'list',
];

/** The slots of a layout; what is missing is noted. */
export function readSlots(
  { layout, chart: type }: FoundLayout,
  { slots, data }: { slots: GivenSlots; data: SlideData | null },
): object {
  const prose = (...names: string[]): string => proseText(slots.take(...names)) ?? '';
  const list = (...names: string[]): string[] => {
    const given = slots.take(...names);
    return slots.need('items', 'Give a list of short texts.', () => readItems(given));
  };
  switch (layout) {
    case 'title':
      return {
        subtitle: joined(
          prose('subtitle', 'sub_title', 'tagline'),
          prose('text', 'body', 'content'),
          prose('by', 'author', 'presenter', 'speaker'),
          prose('date'),
        ),
      };
    case 'agenda':
    case 'bullets':
      return { items: list(...ITEMS, 'text') };
    case 'section':
      return { text: joined(prose('subtitle'), prose('text', 'description', 'body', 'content')) };
    case 'closing':
      return { text: joined(prose('subtitle'), lines(slots.take('text', 'body', ...ITEMS))) };
    case 'two_columns': {
      const { left, right } = readSides(slots);
      for (const [name, { items }] of Object.entries({ left, right })) {
        if (items.length === 0) slots.miss(name, 'Give a list of short texts.');
      }
      return { left: left.items, right: right.items };
    }
    case 'comparison': {
      const sides = readSides(slots);
      for (const [name, { items, heading }] of Object.entries(sides)) {
        if (heading === null) slots.miss(`${name}_title`, `It says what is on the ${name}.`);
        if (items.length === 0) slots.miss(name, 'Give a list of short texts.');
      }
      return sides;
    }
    case 'quote': {
      const given = slots.take('text', 'quote', 'quotation', 'body', 'content');
      const said = (proseText(given) ?? '').replace(/^>[ ]*/gm, '');
      if (said === '') slots.miss('text', 'It is what was said.');
      const names = ['by', 'author', 'attribution', 'speaker', 'name'];
      const own = pick(recordOf(given) ?? new Map(), names.join(' '));
      return { text: said, by: lineText(slots.take(...names) ?? own) ?? '' };
    }
    case 'big_number':
      return readBigNumber(slots, prose);
    case 'timeline':
    case 'process': {
      const names = ['steps', 'events', 'milestones', 'stages', 'phases', 'timeline', 'process'];
      const advice = 'Give a list of {"name": …, "text": …}.';
      const given = slots.take(...names, ...ITEMS);
      return { steps: slots.need('steps', advice, () => readSteps(given, slots)) };
    }
    case 'table':
      return readTable(takeTable(slots), slots, data?.kind === 'table' ? data : null);
    case 'chart': {
      const chart = readChart(slots, { data: data?.kind === 'chart' ? data : null, type });
      return { chart, text: lines(slots.take('text', 'description', 'caption', ...ITEMS)) };
    }
    case 'image_text': {
      const record = new Map(
        [
          'image',
          'image_path',
          'picture',
          'photo',
          'img',
          'src',
          'path',
          'file',
          'alt',
          'alt_text',
          'image_alt',
          'caption',
        ]
          .filter((name) => slots.has(name))
          .map((name) => [name, slots.take(name)]),
      );
      const advice = 'Give the path of a picture in /workspace.';
      const read = () => [pictureReader(slots)(record, 'image')].filter((one) => one !== null);
      const [picture = null] = slots.need('image', advice, read);
      return { picture, items: readItems(slots.take(...ITEMS, 'text')) };
    }
    case 'team': {
      const given = slots.take('people', 'members', 'team', 'team_members', ...ITEMS);
      const advice = 'Give a list of {"name": …, "role": …}.';
      const read = () => readPeople(given, slots, pictureReader(slots));
      return { people: slots.need('people', advice, read) };
    }
  }
}

function joined(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

/** Text in lines, also from a list. */
function lines(given: unknown): string {
  return (Array.isArray(given) ? readItems(given).join('\n') : proseText(given)) ?? '';
}

interface Side {
  readonly heading: string | null;
  readonly items: string[];
}

function readSides(slots: GivenSlots): { left: Side; right: Side } {
  const columns = slots.has('left') || slots.has('right') ? undefined : slots.take('columns');
  const [first, second] = Array.isArray(columns) && columns.length === 2 ? columns : [];
  const side = (name: string, given: unknown, ...others: string[]): Side => {
    const { heading, items } = readColumn(
      slots.take(name, `${name}_items`, `${name}_column`, `${name}_content`, ...others) ?? given,
    );
    const own = slots.take(`${name}_title`, `${name}_heading`, `${name}_header`);
    return { heading: lineText(own) ?? heading, items };
  };
  return {
    left: side('left', first, 'column1', 'column_1', 'first_column'),
    right: side('right', second, 'column2', 'column_2', 'second_column'),
  };
}

function readBigNumber(slots: GivenSlots, prose: (...names: string[]) => string): object {
  const names = ['numbers', 'stats', 'statistics', 'metrics', 'kpis', 'figures', 'big_numbers'];
  const given = slots.take(...names) ?? singleNumber(slots);
  const advice = 'Give a list of {"value": …, "label": …}.';
  const numbers = slots.need('numbers', advice, () => readNumbers(given, slots));
  return { numbers, text: prose('text', 'description', 'context', ...ITEMS) };
}

/** One value with its label, in slots of the slide. */
function singleNumber(slots: GivenSlots): unknown {
  const value = slots.take('value', 'big_number', 'stat', 'figure', 'number');
  const label = slots.take('label', 'caption', 'unit_label');
  const isPlace = !slots.has('value') && label === undefined;
  return value === undefined || isPlace ? undefined : { value, label, unit: slots.take('unit') };
}
