import { z } from 'zod';
import { ChartType, type SlideLayout } from '#contract/slides.ts';
import { lenientChoice } from '../../lenient-choice.ts';
import type { JsonObject } from '../../types.ts';

/** What a model must know of a layout, and the slots that it fills. Applying a schema again changes nothing. */
interface LayoutFacts {
  /** When to use it, for an outline. */
  readonly when: string;
  /** What to write into its slots, for one slide. */
  readonly slots: string;
  readonly schema: z.ZodObject;
}

const TITLE_CHARS = 120;
const TEXT_CHARS = 600;
const MOST_LINES = 40;

/** Text that models write with marks of lists around it. */
const clean = (given: string): string => given.trim().replace(/^(?:[-*•–]\s+)+/, '');
const text = z.string().transform((given) => clean(given).slice(0, TEXT_CHARS));
const optionalText = text.default('');
const words = text.refine((given) => given !== '', 'is empty');
const lines = z
  .array(z.string())
  .transform((given) => given.map(clean).filter((line) => line !== ''))
  .refine((given) => given.length > 0, 'needs at least one entry')
  .transform((given) => given.slice(0, MOST_LINES));
const someLines = z
  .array(z.string())
  .default([])
  .transform((given) => given.map(clean).filter((line) => line !== ''));
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MOST_LINES);
const cell = z
  .union([z.string(), z.number(), z.null()])
  .transform((given) => (given === null ? '' : String(given)));
const value = z.union([z.number(), z.string(), z.null()]).transform((given): number | null => {
  if (typeof given !== 'string') return given;
  const plain = given.replace(/\s|%/g, '').replace(/,(?=\d{3}\b)/g, '');
  return plain === '' || !Number.isFinite(Number(plain)) ? null : Number(plain);
});

const common = {
  title: z
    .string()
    .default('')
    .transform((given) => clean(given).slice(0, TITLE_CHARS)),
  notes: z
    .string()
    .default('')
    .transform((given) => given.trim().slice(0, 2_000)),
  /** Numbers of the material that its facts are from. */
  sources: z.array(z.union([z.string(), z.number()]).transform(String)).default([]),
};
const slots = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ ...common, ...shape });
const steps = listOf(z.object({ name: words, text: optionalText }));

const CHART = slots({
  type: lenientChoice(ChartType.options, {
    aliases: { bars: 'bar', columns: 'column', donut: 'doughnut', lines: 'line' },
    otherwise: 'column',
  }),
  file: optionalText,
  x: optionalText,
  y: z.array(z.string()).default([]),
  categories: z.array(cell).max(60).default([]),
  series: z
    .array(z.object({ name: optionalText, values: z.array(value).max(60) }))
    .max(8)
    .default([]),
  x_title: optionalText,
  y_title: optionalText,
  unit: optionalText,
  text: optionalText,
}).refine(
  ({ file, categories, series }) =>
    file !== '' ||
    (categories.length > 0 &&
      series.length > 0 &&
      series.every(({ values }) => values.length === categories.length)),
  'needs a data file, or categories and series with one value for each category',
);
const TABLE = slots({
  columns: z.array(cell).max(12).default([]),
  rows: z.array(z.array(cell).max(12)).max(200).default([]),
  file: optionalText,
}).refine(
  ({ columns, rows, file }) => file !== '' || (columns.length > 0 && rows.length > 0),
  'needs columns and rows, or a data file',
);

export const LAYOUTS: Readonly<Record<SlideLayout, LayoutFacts>> = {
  title: {
    when: 'the first slide, and only that',
    slots: 'subtitle: one line, such as for whom or what it shows.',
    schema: slots({ subtitle: optionalText }),
  },
  agenda: {
    when: 'what comes, for eight slides or more',
    slots: 'items: the parts.',
    schema: slots({ items: lines }),
  },
  section: {
    when: 'the start of a part of a long presentation',
    slots: 'text: one sentence on the part.',
    schema: slots({ text: optionalText }),
  },
  bullets: {
    when: 'a few points about one thing, where no other layout fits better',
    slots: 'items: 3 to 6 points, each at most 12 words.',
    schema: slots({ items: lines }),
  },
  two_columns: {
    when: 'two groups of points',
    slots: 'left and right: 2 to 5 points each, at most 10 words a point.',
    schema: slots({ left: lines, right: lines }),
  },
  comparison: {
    when: 'two things against each other',
    slots: 'left_title and right_title: the two things; left and right: 2 to 5 points on each.',
    schema: slots({ left_title: words, left: lines, right_title: words, right: lines }),
  },
  quote: {
    when: 'words that somebody said, as the material has them',
    slots: 'text: the words, copied; by: who said them.',
    schema: slots({ text: words, by: optionalText }),
  },
  big_number: {
    when: 'one to four figures that matter most',
    slots:
      'numbers: 1 to 4, each with value ("42 %", as the material has it) and label (what it counts); text: one sentence.',
    schema: slots({
      numbers: z
        .array(z.object({ value: cell.refine((given) => given !== ''), label: words }))
        .min(1)
        .max(4),
      text: optionalText,
    }),
  },
  timeline: {
    when: 'what happened, or will happen, when',
    slots: 'steps: 3 to 6, each with name (when) and text (what, at most 10 words).',
    schema: slots({ steps }),
  },
  process: {
    when: 'steps that follow each other',
    slots: 'steps: 3 to 6, each with name (at most 4 words) and text (at most 12 words).',
    schema: slots({ steps }),
  },
  table: {
    when: 'facts of several things by the same columns, only from real data',
    slots:
      'columns: 2 to 5 headings; rows: 2 to 8, each with a cell for every column. Or file: a data file.',
    schema: TABLE,
  },
  chart: {
    when: 'how numbers compare or change, only from real data',
    slots:
      'type: column, bar, line, area, pie, doughnut or scatter. Either file (a data file) with x (one of its columns) and y (its columns with the values), or categories and series, each with name and a value for every category. x_title and y_title: names of the axes; unit; text: what the chart shows, in a sentence.',
    schema: CHART,
  },
  image_text: {
    when: 'a picture of the workspace beside points',
    slots: 'image: the path of a picture that is there; alt: what it shows; items: 1 to 4 points.',
    schema: slots({ image: words, alt: optionalText, items: someLines }),
  },
  team: {
    when: 'people and what they do',
    slots: 'people: each with name and role, as the material has them.',
    schema: slots({ people: listOf(z.object({ name: words, role: optionalText })) }),
  },
  closing: {
    when: 'the last slide, and only that',
    slots: 'text: what the audience should do or remember, in a sentence.',
    schema: slots({ text: optionalText }),
  },
};

/** `image_text` with a picture that may be drawn. */
export const DRAWN_LAYOUT = {
  slots: (isAlwaysDrawn: boolean): string =>
    `${isAlwaysDrawn ? '' : 'image: the path of a picture that is there, or "" for one that is drawn; '}picture: what the drawn picture shows, for an image model: in English, one or two sentences on subject, surroundings and style, without words or figures in it; alt: what it shows, in a few words; items: 1 to 4 points.`,
  schema: slots({
    image: optionalText,
    picture: optionalText,
    alt: optionalText,
    items: someLines,
  }).refine(
    ({ image, picture }) => image !== '' || picture !== '',
    'needs picture, or the path of a picture as image',
  ),
};

const CHART_SLOTS = ['type', 'categories', 'series', 'x_title', 'y_title', 'unit'];
const CHART_FILE_SLOTS = ['type', 'file', 'x', 'y', 'x_title', 'y_title', 'unit'];

/** The slots of a layout, as `generate_slides` names them: those of a chart belong together, empty ones are left out. */
export function slotsOf(layout: SlideLayout, draft: JsonObject): JsonObject {
  const { title: _title, notes: _notes, sources: _sources, ...own } = draft;
  if (layout === 'chart') {
    const names = isFilled(own.file) ? CHART_FILE_SLOTS : CHART_SLOTS;
    return filled({
      chart: filled(Object.fromEntries(names.map((name) => [name, own[name]]))),
      text: own.text,
    });
  }
  if (layout === 'table' && isFilled(own.file)) return { file: own.file };
  return filled(own);
}

function filled(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, one]) => isFilled(one)));
}

function isFilled(given: unknown): boolean {
  return !(given === undefined || given === '' || (Array.isArray(given) && given.length === 0));
}
