import { z } from 'zod';

/** The layouts of slides, in the order in which models see them. */
export const SlideLayout = z.enum([
  'title',
  'agenda',
  'section',
  'bullets',
  'two_columns',
  'comparison',
  'quote',
  'big_number',
  'timeline',
  'process',
  'table',
  'chart',
  'image_text',
  'team',
  'closing',
]);
export type SlideLayout = z.infer<typeof SlideLayout>;

/** The looks of decks. */
export const SlideTheme = z.enum([
  'plain',
  'paper',
  'ocean',
  'forest',
  'ember',
  'slate',
  'midnight',
  'carbon',
]);
export type SlideTheme = z.infer<typeof SlideTheme>;

export const ChartType = z.enum(['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter']);
export type ChartType = z.infer<typeof ChartType>;

/** Most slides that a deck may have, before long ones are continued. */
export const MOST_SLIDES = 60;
/** Most entries of one list. */
export const MOST_ITEMS = 200;
const MOST_TEXT_CHARS = 4_000;
const MOST_CATEGORIES = 60;
const MOST_SERIES = 8;
const MOST_COLUMNS = 12;
const MOST_ROWS = 200;

const text = z.string().max(MOST_TEXT_CHARS);
const words = text.min(1);
const items = z.array(words).min(1).max(MOST_ITEMS);

/** What every slide has. */
const common = {
  /** Every slide has a title: outlines and screen readers go by it. */
  title: words,
  /** What the speaker says. */
  notes: z.string().max(10_000).default(''),
  /** Where its facts are from: an address, a file, a name. */
  sources: z.array(z.string().min(1).max(500)).max(20).default([]),
};

/** A picture of a slide: a file of the workspace. */
export const SlidePicture = z.strictObject({
  path: z.string().min(1).max(1_000),
  /** What it shows, for people who do not see it. */
  alt: z.string().max(500),
});
export type SlidePicture = z.infer<typeof SlidePicture>;

/** The data of a chart. A series has a value for each category; null where there is none. */
export const SlideChart = z.strictObject({
  type: ChartType,
  /** Names; numbers as text for `scatter`. */
  categories: z.array(z.string().max(200)).min(1).max(MOST_CATEGORIES),
  series: z
    .array(
      z.strictObject({
        name: z.string().max(200),
        values: z.array(z.number().nullable()).min(1).max(MOST_CATEGORIES),
      }),
    )
    .min(1)
    .max(MOST_SERIES),
  /** The titles of the axes, with their units. */
  xTitle: z.string().max(200).default(''),
  yTitle: z.string().max(200).default(''),
  /** What the values count: "EUR", "%"; empty where the titles of the axes say so. */
  unit: z.string().max(40).default(''),
});
export type SlideChart = z.infer<typeof SlideChart>;

const step = z.strictObject({ name: words, text: text.default('') });
const column = z.strictObject({ heading: words, items });

/** One slide: a layout with its typed slots. Code decides where they stand. */
export const Slide = z.discriminatedUnion('layout', [
  z.strictObject({ layout: z.literal('title'), ...common, subtitle: text.default('') }),
  z.strictObject({ layout: z.literal('agenda'), ...common, items }),
  z.strictObject({ layout: z.literal('section'), ...common, text: text.default('') }),
  z.strictObject({ layout: z.literal('bullets'), ...common, items }),
  z.strictObject({ layout: z.literal('two_columns'), ...common, left: items, right: items }),
  z.strictObject({ layout: z.literal('comparison'), ...common, left: column, right: column }),
  z.strictObject({
    layout: z.literal('quote'),
    ...common,
    text: words,
    by: z.string().max(300).default(''),
  }),
  z.strictObject({
    layout: z.literal('big_number'),
    ...common,
    numbers: z
      .array(z.strictObject({ value: z.string().min(1).max(60), label: words }))
      .min(1)
      .max(4),
    text: text.default(''),
  }),
  /** `name` of a step is when it happened. */
  z.strictObject({
    layout: z.literal('timeline'),
    ...common,
    steps: z.array(step).min(1).max(MOST_ITEMS),
  }),
  z.strictObject({
    layout: z.literal('process'),
    ...common,
    steps: z.array(step).min(1).max(MOST_ITEMS),
  }),
  z.strictObject({
    layout: z.literal('table'),
    ...common,
    columns: z.array(z.string().max(300)).min(1).max(MOST_COLUMNS),
    rows: z
      .array(z.array(z.string().max(1_000)).max(MOST_COLUMNS))
      .min(1)
      .max(MOST_ROWS),
  }),
  z.strictObject({
    layout: z.literal('chart'),
    ...common,
    chart: SlideChart,
    /** What the chart shows, in a sentence. */
    text: text.default(''),
  }),
  z.strictObject({
    layout: z.literal('image_text'),
    ...common,
    picture: SlidePicture,
    items: z.array(words).max(MOST_ITEMS).default([]),
  }),
  z.strictObject({
    layout: z.literal('team'),
    ...common,
    people: z
      .array(
        z.strictObject({
          name: words,
          role: text.default(''),
          picture: SlidePicture.nullable().default(null),
        }),
      )
      .min(1)
      .max(40),
  }),
  z.strictObject({ layout: z.literal('closing'), ...common, text: text.default('') }),
]);
export type Slide = z.infer<typeof Slide>;

/** A presentation of the user's whose layouts, colors and fonts a deck has. Its bytes are kept with the deck. */
export const DeckTemplate = z.strictObject({
  /** Of its file. */
  name: z.string().min(1).max(255),
  /** SHA-256 of its bytes. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DeckTemplate = z.infer<typeof DeckTemplate>;

/** A presentation as it is written: everything else is computed from it. */
export const Deck = z.strictObject({
  title: words,
  /** What it looks like without a template. */
  theme: SlideTheme,
  template: DeckTemplate.optional(),
  slides: z.array(Slide).min(1).max(MOST_SLIDES),
});
export type Deck = z.infer<typeof Deck>;

/** What is wrong with a slide, as somebody who looks at it would find. */
export const SlideFindingCode = z.enum([
  'overflow',
  'overlap',
  'contrast',
  'small_text',
  'empty',
  'placeholder',
  'picture_missing',
  'picture_blurred',
  'picture_stretched',
  'same_title',
  'too_much_text',
  'lone_bullet',
  'chart_axis',
  'chart_data',
  'no_alt',
  'no_glyph',
]);
export type SlideFindingCode = z.infer<typeof SlideFindingCode>;

export const SlideFinding = z.strictObject({
  /** The slide of the deck, from 0. */
  slide: z.int().nonnegative(),
  code: SlideFindingCode,
  /** What is wrong, and what to do. */
  text: z.string(),
});
export type SlideFinding = z.infer<typeof SlideFinding>;

/** A page of the presentation: a slide that is too long for one continues on further pages. */
export const SlidePage = z.strictObject({
  /** The slide of the deck, from 0. */
  slide: z.int().nonnegative(),
  title: z.string(),
  /** All text of the page in reading order, for people who do not see it. */
  text: z.string(),
  notes: z.string(),
});
export type SlidePage = z.infer<typeof SlidePage>;

export const OpenDeck = z.strictObject({
  /** Of the file: changes are based on it. */
  hash: z.string(),
  deck: Deck,
  /** Of every page: its width by its height. */
  aspect: z.number().positive(),
  pages: z.array(SlidePage),
  findings: z.array(SlideFinding),
});
export type OpenDeck = z.infer<typeof OpenDeck>;

/** How a presentation looks in LibreOffice, beside its preview. */
export const OfficeCheck = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('checked'),
    /** How alike each page is, by its structure: 1 for the same. */
    alike: z.array(z.number()),
    /** What LibreOffice shows differently from the preview, a sentence each; empty for nothing. */
    problems: z.array(z.string()),
  }),
  z.strictObject({
    state: z.literal('not_checked'),
    /** As a phrase: `not installed`. */
    why: z.string(),
  }),
]);
export type OfficeCheck = z.infer<typeof OfficeCheck>;

/** The widest picture of a page, in pixels. */
export const MOST_PAGE_PIXELS = 2_560;

const file = {
  threadId: z.string().min(1).max(100),
  /** The presentation, relative to the workspace. */
  path: z.string().min(1).max(4_096),
};

/** Requests about presentations that the agent made; a part of `REQUESTS`. */
export const SLIDE_REQUESTS = {
  /**
   * The slots, pages and findings of a presentation. `NOT_FOUND` for a file that is not there; `BAD_REQUEST` for one
   * that was not made here, or was changed elsewhere since.
   */
  'slides.open': { effect: 'read', input: z.strictObject(file), output: OpenDeck },
  /** One page as PNG, base64. */
  'slides.draw': {
    effect: 'read',
    input: z.strictObject({
      ...file,
      hash: z.string().min(1).max(100),
      /** From 0. */
      page: z.int().nonnegative(),
      width: z.int().min(80).max(MOST_PAGE_PIXELS),
    }),
    output: z.strictObject({ png: z.base64() }),
  },
  /** Writes the changed deck. `CONFLICT` when the file is no longer the one of `hash`. */
  'slides.save': {
    effect: 'once',
    input: z.strictObject({ ...file, hash: z.string().min(1).max(100), deck: Deck }),
    output: OpenDeck,
  },
  /**
   * Writes the deck on another template, a presentation of the workspace. `CONFLICT` when the file is no longer the one of
   * `hash`; `BAD_REQUEST` for one that cannot be a template.
   */
  'slides.template': {
    effect: 'once',
    input: z.strictObject({
      ...file,
      hash: z.string().min(1).max(100),
      template: z.string().min(1).max(4_096),
    }),
    output: z.strictObject({
      open: OpenDeck,
      /** What of the template is not in the deck, a sentence each. */
      leftOut: z.array(z.string()),
    }),
  },
  /** The file itself as LibreOffice draws it, in the sandbox of the task, beside the preview. Takes some seconds. */
  'slides.office': { effect: 'read', input: z.strictObject(file), output: OfficeCheck },
  /** The presentation as PDF, base64. */
  'slides.pdf': {
    effect: 'read',
    input: z.strictObject(file),
    output: z.strictObject({ fileName: z.string(), data: z.base64() }),
  },
} as const;
