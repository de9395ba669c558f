import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { ChartType, Slide, SlideLayout } from '#contract/slides.ts';
import { takeChart } from './given-chart.ts';
import { layoutOf, readSlots } from './given-layouts.ts';
import { readSources } from './given-lists.ts';
import { pathText } from './given-picture.ts';
import { GivenSlots } from './given-slots.ts';
import { columnNames, takeTable } from './given-table.ts';
import { isEmpty, lineText, proseText, titleText } from './given-text.ts';
import type { SlideData, SlideDataWish } from './slide-data.ts';
import { limitProblems } from './slide-limits.ts';
import { chartCalled } from './slide-names.ts';

const texts = z.array(z.string());
// What is required is said where it is missing: each word here is paid for with every request.
const named = { name: z.string().optional() };

/** A slide as models read and write it: one flat object, of which each layout uses a few slots. */
export const GivenSlide = z.object({
  number: z.int().optional(),
  layout: SlideLayout,
  title: z.string(),
  subtitle: z.string().optional(),
  text: z.string().optional(),
  items: texts.optional(),
  left: texts.optional(),
  right: texts.optional(),
  left_title: z.string().optional(),
  right_title: z.string().optional(),
  by: z.string().optional(),
  numbers: z
    .array(z.object({ value: z.string().optional(), label: z.string().optional() }))
    .optional(),
  steps: z.array(z.object({ ...named, text: z.string().optional() })).optional(),
  columns: texts.optional(),
  rows: z.array(texts).optional(),
  chart: z
    .object({
      type: ChartType.optional(),
      categories: texts.optional(),
      series: z.array(z.object({ ...named, values: z.array(z.number()).optional() })).optional(),
      x_title: z.string().optional(),
      y_title: z.string().optional(),
      unit: z.string().optional(),
      file: z.string().optional(),
      x: z.string().optional(),
      y: texts.optional(),
    })
    .optional(),
  file: z.string().optional(),
  image: z.string().optional(),
  alt: z.string().optional(),
  people: z
    .array(
      z.object({
        ...named,
        role: z.string().optional(),
        image: z.string().optional(),
        alt: z.string().optional(),
      }),
    )
    .optional(),
  notes: z.string().optional(),
  sources: texts.optional(),
});
type Shown = z.infer<typeof GivenSlide>;
/** A value may be null, which the schema leaves out: servers read no type that is a list. */
export type GivenSlide = Omit<Shown, 'chart'> & {
  chart?: Omit<NonNullable<Shown['chart']>, 'series'> & {
    series?: { name: string; values: (number | null)[] }[];
  };
};

export interface SlideProblem {
  readonly problem: string;
}

/** The number of the slide that a given one replaces; null where it has none. */
export function numberOf(given: unknown): number | null {
  if (!isRecord(given)) return null;
  const number = new GivenSlots(given).take('number', 'slide_number', 'slide', 'page');
  const text = lineText(number) ?? '';
  return /^\d{1,3}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** The file of data that a slide names, and what of it is wanted; null where it names none. */
export function dataWish(given: unknown): SlideDataWish | null {
  if (!isRecord(given)) return null;
  const slots = new GivenSlots(given);
  const layout = layoutOf(slots)?.layout;
  if (layout === 'chart') {
    const { file, type, x, y } = takeChart(slots) ?? {};
    const path = pathText(file);
    if (path === null) return null;
    const isScatter = typeof type === 'string' && chartCalled(type) === 'scatter';
    return { kind: 'chart', file: path, x: lineText(x), y: columnNames(y) ?? [], isScatter };
  }
  if (layout !== 'table') return null;
  const { file, columns } = takeTable(slots);
  const path = pathText(file);
  return path === null ? null : { kind: 'table', file: path, columns: columnNames(columns) };
}

/**
 * The typed slide, or what is missing or wrong in it, in sentences that a model can act on. Reads what is certainly
 * meant in any form; invents and cuts nothing. `index` is its place in the deck, from 0; `data` is what the file of its
 * `dataWish` has.
 */
export function readGivenSlide(
  given: unknown,
  index: number,
  data: SlideData | null = null,
): Slide | SlideProblem {
  const place = `Slide ${index + 1}`;
  if (!isRecord(given)) {
    return { problem: `${place}: it is not an object. Write {"layout": …, "title": …}.` };
  }
  const slots = new GivenSlots(given);
  const found = layoutOf(slots);
  const options = `There are: ${SlideLayout.options.join(', ')}.`;
  if (found === null) {
    const name = lineText(slots.take('layout', 'type', 'slide_type'));
    const what =
      name === null ? 'layout is missing.' : `there is no layout "${name.slice(0, 60)}".`;
    return { problem: `${place}: ${what} ${options}` };
  }
  const common = readCommon(slots, data);
  const typed = { layout: found.layout, ...common, ...readSlots(found, { slots, data }) };
  const problems = [...slots.problems, ...unshown(slots)];
  const parsed = safeParse(Slide, typed, { reportInput: true });
  if (problems.length === 0 && parsed.success) return parsed.data;
  const limits = problems.length > 0 || parsed.success ? [] : limitProblems(parsed.error);
  return { problem: `${place} (${found.layout}): ${[...problems, ...limits].join(' ')}` };
}

function readCommon(slots: GivenSlots, data: SlideData | null) {
  const title = titleText(slots.take('title', 'heading', 'headline', 'header', 'slide_title'));
  if (title === null) slots.miss('title', 'Every slide has one.');
  const notes = slots.take('notes', 'speaker_notes', 'note', 'speaker_note', 'script');
  const given = readSources(slots.take('sources', 'source', 'references', 'citations'));
  const sources = data === null || given.includes(data.file) ? given : [...given, data.file];
  return { title: title ?? '', notes: proseText(notes) ?? '', sources };
}

/** What is there, and would not be seen. */
function unshown({ left }: GivenSlots): string[] {
  if (left.length === 0) return [];
  const them = left.length === 1 ? 'it' : 'them';
  const names = left.join(left.length === 2 ? ' or ' : ', ');
  return [`this layout does not show ${names}. Leave ${them} out, or use a layout that does.`];
}

function isRecord(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** The flat form of a typed slide, without empty slots. Read again, it is the same slide. */
export function describeGiven(slide: Slide): GivenSlide {
  const { layout, title } = slide;
  const slots = {
    layout,
    title,
    ...describeSlots(slide),
    notes: slide.notes,
    sources: slide.sources,
  };
  return Object.fromEntries(
    Object.entries(slots).filter(([, value]) => !isEmpty(value)),
  ) as GivenSlide;
}

function describeSlots(slide: Slide): Partial<GivenSlide> {
  switch (slide.layout) {
    case 'title':
      return { subtitle: slide.subtitle };
    case 'agenda':
    case 'bullets':
      return { items: slide.items };
    case 'section':
    case 'closing':
      return { text: slide.text };
    case 'two_columns':
      return { left: slide.left, right: slide.right };
    case 'comparison': {
      const { left, right } = slide;
      const titles = { left_title: left.heading, right_title: right.heading };
      return { ...titles, left: left.items, right: right.items };
    }
    case 'quote':
      return { text: slide.text, by: slide.by };
    case 'big_number':
      return { numbers: slide.numbers, text: slide.text };
    case 'timeline':
    case 'process':
      return {
        steps: slide.steps.map(({ name, text }) => (text === '' ? { name } : { name, text })),
      };
    case 'table':
      return { columns: slide.columns, rows: slide.rows };
    case 'chart': {
      const { type, categories, series, xTitle, yTitle, unit } = slide.chart;
      const axes = { x_title: xTitle, y_title: yTitle, unit };
      const said = Object.entries(axes).filter(([, value]) => value !== '');
      return { chart: { type, categories, series, ...Object.fromEntries(said) }, text: slide.text };
    }
    case 'image_text': {
      const { picture, items } = slide;
      return { image: picture.path, alt: picture.alt, items };
    }
    case 'team':
      return {
        people: slide.people.map(({ name, role, picture }) => ({
          name,
          ...(role === '' ? {} : { role }),
          ...(picture === null ? {} : { image: picture.path }),
          ...(picture === null || picture.alt === '' ? {} : { alt: picture.alt }),
        })),
      };
  }
}
