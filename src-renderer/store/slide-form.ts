import type { ChartType, Slide, SlideChart } from '#contract/slides.ts';

/** A row of a list of named things: what is typed, and fields that the form has no place for. */
export interface PairRow {
  readonly first: string;
  readonly second: string;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Cells as they are typed. The header has as many as each row. */
export interface GridForm {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A slot as it is typed. Lists of strings have a line for each. */
export type SlotForm =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'lines'; readonly text: string }
  | { readonly kind: 'column'; readonly heading: string; readonly lines: string }
  | {
      readonly kind: 'pairs';
      readonly names: readonly [string, string];
      readonly rows: readonly PairRow[];
    }
  | { readonly kind: 'picture'; readonly path: string; readonly alt: string }
  | { readonly kind: 'table'; readonly grid: GridForm }
  /** The first cell of a row is its category, those of the header are the names of the series. */
  | ({ readonly kind: 'chart'; readonly grid: GridForm } & ChartWords);

interface ChartWords {
  readonly type: ChartType;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly unit: string;
}

/** A slide while the user edits it, by the names of its slots. */
export interface SlideForm {
  /** The slide that it was made from. */
  readonly base: Slide;
  readonly slots: Readonly<Record<string, SlotForm>>;
}

/** Lists of objects, by their slot: the fields that are typed. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  numbers: ['value', 'label'],
  steps: ['name', 'text'],
  people: ['name', 'role'],
};
/** The cells of a table, which are two slots. */
const TABLE = { form: 'table', columns: 'columns', rows: 'rows' } as const;

/** The form of a slide that nobody typed into. A slot of an unknown shape has no form, and stays as it is. */
export function formOf(base: Slide): SlideForm {
  const { layout: _layout, title, notes, sources, ...own } = base;
  const slots: Record<string, SlotForm> = {};
  for (const [name, value] of Object.entries({ title, ...own, notes, sources })) {
    const slot = slotOf(name, value);
    if (slot !== null) slots[name] = slot;
    // The two slots of a table are one grid.
    if (name === TABLE.rows && base.layout === 'table') {
      slots[TABLE.form] = { kind: 'table', grid: gridOf(base.columns, base.rows) };
    }
  }
  return { base, slots };
}

function slotOf(name: string, value: unknown): SlotForm | null {
  if (name === TABLE.columns || name === TABLE.rows) return null;
  if (typeof value === 'string') return { kind: 'text', text: value };
  const names = PAIRS[name];
  if (names !== undefined && isList<Record<string, unknown>>(value)) {
    return { kind: 'pairs', names, rows: value.map((row) => pairOf(row, names)) };
  }
  if (isList<string>(value)) return { kind: 'lines', text: value.join('\n') };
  if (typeof value !== 'object' || value === null) return null;
  if (name === 'picture') return { kind: 'picture', ...(value as { path: string; alt: string }) };
  if (name === 'chart') return chartForm(value as SlideChart);
  if (!('heading' in value)) return null;
  const { heading, items } = value as { heading: string; items: string[] };
  return { kind: 'column', heading, lines: items.join('\n') };
}

function isList<Item>(value: unknown): value is Item[] {
  return Array.isArray(value);
}

function pairOf(row: Record<string, unknown>, [first, second]: readonly [string, string]): PairRow {
  const { [first]: one, [second]: other, ...rest } = row;
  return { first: String(one ?? ''), second: String(other ?? ''), rest };
}

function gridOf(header: readonly string[], rows: readonly (readonly string[])[]): GridForm {
  const width = Math.max(header.length, ...rows.map(({ length }) => length));
  const wide = (cells: readonly string[]): string[] =>
    Array.from({ length: width }, (_, at) => cells[at] ?? '');
  return { header: wide(header), rows: rows.map(wide) };
}

function chartForm({ categories, series, ...words }: SlideChart): SlotForm {
  const rows = categories.map((category, at) => [
    category,
    ...series.map(({ values }) => (values[at] ?? '').toString()),
  ]);
  return { kind: 'chart', ...words, grid: gridOf(['', ...series.map(({ name }) => name)], rows) };
}

/** Whether something was typed that differs from the slide. */
export function isTyped({ base, slots }: SlideForm): boolean {
  return JSON.stringify(slots) !== JSON.stringify(formOf(base).slots);
}

/** What was typed, as a slide that the contract has yet to accept. A slot that nobody typed into is as it was. */
export function slideOf({ base, slots }: SlideForm): unknown {
  const untouched = formOf(base).slots;
  const typed = Object.entries(slots).filter(
    ([name, slot]) => JSON.stringify(slot) !== JSON.stringify(untouched[name]),
  );
  return Object.assign({}, base, ...typed.map(([name, slot]) => valuesOf(name, slot)));
}

/** The slots of the slide that a form stands for, with their values. */
function valuesOf(name: string, slot: SlotForm): Readonly<Record<string, unknown>> {
  switch (slot.kind) {
    case 'text':
      return { [name]: slot.text.trim() };
    case 'lines':
      return { [name]: linesOf(slot.text) };
    case 'column':
      return { [name]: { heading: slot.heading.trim(), items: linesOf(slot.lines) } };
    case 'pairs': {
      const [first, second] = slot.names;
      const rows = slot.rows.filter(isFilled).map((row) => ({
        ...row.rest,
        [first]: row.first.trim(),
        [second]: row.second.trim(),
      }));
      return { [name]: rows };
    }
    case 'picture':
      return { [name]: { path: slot.path.trim(), alt: slot.alt.trim() } };
    case 'table':
      return { [TABLE.columns]: slot.grid.header, [TABLE.rows]: slot.grid.rows };
    case 'chart':
      return { [name]: chartOf(slot) };
  }
}

/** Whether something was typed into a row: one that is empty is left out. */
export function isFilled({ first, second }: PairRow): boolean {
  return first.trim() !== '' || second.trim() !== '';
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function chartOf({ kind: _kind, grid, ...words }: Extract<SlotForm, { kind: 'chart' }>): unknown {
  return {
    ...words,
    categories: grid.rows.map(([category = '']) => category),
    series: grid.header.slice(1).map((name, at) => ({
      name,
      values: grid.rows.map((cells) => numberOf(cells[at + 1] ?? '')),
    })),
  };
}

/** Null where nothing was typed; NaN, which the contract refuses, where that is no number. */
function numberOf(typed: string): number | null {
  const text = typed.trim().replace('−', '-');
  if (text === '') return null;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** Forms by the place of their slide. */
export type SlideForms = ReadonlyMap<number, SlideForm>;

/**
 * The forms after the deck has changed: each goes with its slide, wherever that is now. One whose slide is no longer
 * there stays about its place if something was typed into it.
 */
export function alignForms(forms: SlideForms, slides: readonly Slide[]): SlideForms {
  const texts = slides.map(textOf);
  const aligned = new Map<number, SlideForm>();
  const homeless: [number, SlideForm][] = [];
  for (const [index, form] of forms) {
    const text = textOf(form.base);
    const at = texts[index] === text ? index : texts.indexOf(text);
    if (at !== -1 && !aligned.has(at)) aligned.set(at, form);
    else if (isTyped(form)) homeless.push([index, form]);
  }
  for (const [index, form] of homeless) {
    const free = slides.flatMap((_slide, at) => (aligned.has(at) ? [] : [at]));
    const at = free.sort((a, b) => Math.abs(a - index) - Math.abs(b - index))[0];
    if (at !== undefined) aligned.set(at, form);
  }
  return aligned;
}

/** Whether the slide is another one than the form was made from. */
export function isOutdated({ base }: SlideForm, slide: Slide): boolean {
  return textOf(base) !== textOf(slide);
}

/** The same for slides with the same slots, in whatever order those are. */
function textOf(slide: Slide): string {
  return JSON.stringify(slide, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
