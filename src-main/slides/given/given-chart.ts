import { ChartType, type SlideChart } from '#contract/slides.ts';
import { entryRecord, fromJson, type GivenSlots, pick, recordOf } from './given-slots.ts';
import { isEmpty, lineText } from './given-text.ts';
import { readNumber } from './read-number.ts';
import type { SlideChartData } from './slide-data.ts';
import { chartCalled } from './slide-names.ts';

const SERIES = ['series', 'datasets', 'values', 'data', 'points'];
const CATEGORIES = 'categories labels x_labels x_values';
const NAME = 'name label title key series';
const POINT_NAME = 'label name category x key date year month';
/** What models call the value of a record where it has no name of its own. */
const POINT_VALUE = ['value', 'values', 'y', 'count', 'amount', 'data'];
const FILE = /^[^\n]+\.(?:csv|tsv|xlsx|json)$/i;

/** What was given of a chart, in its own object or beside it. */
export interface GivenChart {
  readonly own: ReadonlyMap<string, unknown>;
  readonly type: unknown;
  readonly categories: unknown;
  readonly series: unknown;
  readonly file: unknown;
  readonly x: unknown;
  readonly y: unknown;
}

/** Null where nothing of a chart was given. */
export function takeChart(slots: GivenSlots): GivenChart | null {
  const chart = slots.take('chart', 'graph', 'plot');
  const own = recordOf(chart) ?? new Map<string, unknown>();
  const data = pick(own, 'data chart_data') ?? slots.take('data', 'chart_data');
  const inner = recordOf(data);
  const holds =
    inner !== null &&
    (inner.has('labels') ||
      inner.has('categories') ||
      inner.has('series') ||
      inner.has('datasets'));
  const parts = holds
    ? new Map([...own].filter(([key]) => key !== 'data').concat([...inner]))
    : own;
  const isPath = typeof data === 'string' && FILE.test(data.trim());
  const x = pick(parts, 'x x_column') ?? slots.take('x', 'x_column');
  const y = pick(parts, 'y y_columns y_column') ?? slots.take('y', 'y_columns', 'y_column');
  const file = pick(parts, 'file data_file') ?? slots.take('file', 'data_file');
  const given = {
    own: parts,
    type:
      pick(parts, 'type chart_type kind') ??
      (typeof chart === 'string' ? chart : undefined) ??
      slots.take('chart_type', 'type'),
    categories:
      pick(parts, CATEGORIES) ??
      slots.take(...CATEGORIES.split(' ')) ??
      (Array.isArray(x) ? x : undefined),
    series:
      valuesIn(parts, isPath ? ['series', 'datasets'] : SERIES) ??
      slots.take('series', 'datasets', 'values') ??
      (holds || isPath ? undefined : data) ??
      (isValues(y) ? y : undefined),
    file: file ?? (isPath ? data : undefined),
    ...{ x, y },
  };
  return chart === undefined && isEmpty([given.categories, given.series, given.file])
    ? null
    : given;
}

/** The first of these with a value: a list of nothing but null has some. */
function valuesIn(record: ReadonlyMap<string, unknown>, names: readonly string[]): unknown {
  return names
    .map((name) => record.get(name))
    .find((one) => (Array.isArray(one) ? one.length > 0 : !isEmpty(one)));
}

function isValues(given: unknown): boolean {
  return Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === 'number');
}

/** The typed chart; null with what is wrong noted. `data` is what its file has. */
export function readChart(
  slots: GivenSlots,
  { data, type: named }: { data: SlideChartData | null; type: ChartType | undefined },
): SlideChart | null {
  const given = takeChart(slots);
  if (given === null) {
    slots.miss('chart', 'Give its type, categories and series, or a file with x and y.');
    return null;
  }
  const type = readType(given.type, { slots, named });
  if (data !== null && !isEmpty([given.categories, given.series])) {
    slots.problems.push('it has a file and its own data. Leave one of them out.');
  }
  const { categories, series } = data ?? readData(given, { slots, isScatter: type === 'scatter' });
  if (type === null || slots.problems.length > 0) return null;
  const text = (names: string): string => {
    const value = pick(given.own, names) ?? slots.take(...names.split(' '));
    return lineText(recordOf(value)?.get('title') ?? value) ?? '';
  };
  return {
    ...{
      type,
      categories: [...categories],
      series: series.map(({ name, values }) => ({ name, values: [...values] })),
    },
    xTitle: text('x_title x_label x_axis x_axis_title x_axis_label'),
    yTitle: text('y_title y_label y_axis y_axis_title y_axis_label'),
    unit: text('unit units'),
  };
}

function readType(
  given: unknown,
  { slots, named }: { slots: GivenSlots; named: ChartType | undefined },
): ChartType | null {
  const types = `There are: ${ChartType.options.join(', ')}.`;
  if (isEmpty(given) && named !== undefined) return named;
  if (typeof given !== 'string' || isEmpty(given)) {
    slots.miss('chart.type', types);
    return null;
  }
  const type = chartCalled(given);
  if (type === null) slots.problems.push(`there is no chart.type ${quoted(given)}. ${types}`);
  return type;
}

interface RawSeries {
  readonly name: unknown;
  readonly values: readonly unknown[];
}

function readData(
  given: GivenChart,
  { slots, isScatter }: { slots: GivenSlots; isScatter: boolean },
): SlideChartData {
  const none = { categories: [], series: [] };
  const isNamed = !isEmpty(given.categories);
  const raw = rawSeries(fromJson(given.series), { isNamed, isScatter });
  const hasPoints = raw?.series.some(({ values }) => values.some((one) => pointOf(one) !== null));
  const spread = raw !== null && hasPoints === true && !isNamed ? spreadPoints(raw.series) : raw;
  const own = spread?.categories;
  const categories = isNamed ? listOf(given.categories) : own;
  const same =
    own === undefined || own.map(lineText).join('\n') === categories?.map(lineText).join('\n');
  if (!same) slots.problems.push('chart.categories differs from the names in chart.series.');
  if (spread === null || spread.series.every(({ values }) => values.length === 0)) {
    slots.miss('chart.series', 'Give one list of values for each series.');
    return none;
  }
  if (categories === undefined || categories.length === 0) {
    slots.miss('chart.categories', 'Give a name for each value.');
    return none;
  }
  const names = categories.map((one, i) => {
    const label = entryRecord(one) === null ? one : pick(entryRecord(one) ?? new Map(), NAME);
    if (!isScatter) return lineText(label) ?? '';
    const number = readNumber(label);
    if (typeof number === 'number') return String(number);
    slots.problems.push(
      `chart.categories, entry ${i + 1}, is ${quoted(label)}, which is not a number. A scatter chart has numbers on both axes.`,
    );
    return '';
  });
  const series = spread.series.map((one, i) =>
    readSeries(one, { slots, i, names, many: spread.series.length > 1 }),
  );
  return { categories: names, series };
}

function readSeries(
  given: RawSeries,
  {
    slots,
    i,
    names,
    many,
  }: { slots: GivenSlots; i: number; names: readonly string[]; many: boolean },
): SlideChart['series'][number] {
  const name = lineText(given.name) ?? '';
  const called = name === '' ? `chart.series, entry ${i + 1},` : `series ${quoted(name)}`;
  if (many && name === '') {
    slots.problems.push(`${called} has no name. Name every series where there are several.`);
  }
  if (given.values.length !== names.length) {
    const [values, categories] = [given.values.length, names.length];
    slots.problems.push(
      `${called} has ${values} ${values === 1 ? 'value' : 'values'}, but chart.categories has ${categories}. Give one value for each category, null where there is none.`,
    );
  }
  const values = given.values.map((one, at) => {
    const record = recordOf(one);
    const own = POINT_VALUE.find((key) => record?.has(key) === true);
    const value =
      record !== null && own === undefined
        ? undefined
        : readNumber(record === null ? one : record.get(own ?? ''));
    if (value !== undefined) return value;
    slots.problems.push(
      `${name === '' ? 'chart.series' : called}, value ${at + 1}, is ${quoted(one)}, which is not a number. Write plain numbers.`,
    );
    return null;
  });
  return { name, values };
}

/** Series in any of their forms, with the categories where they have them. */
function rawSeries(
  given: unknown,
  { isNamed, isScatter }: { isNamed: boolean; isScatter: boolean },
): { categories?: readonly unknown[]; series: readonly RawSeries[] } | null {
  const record = recordOf(given);
  if (record !== null && !hasValues(record)) {
    const entries = Object.entries(fromJson(given) as object);
    if (entries.length > 0 && entries.every(([, value]) => Array.isArray(value))) {
      return { series: entries.map(([name, values]) => ({ name, values: values as unknown[] })) };
    }
    return {
      categories: entries.map(([name]) => name),
      series: [{ name: '', values: entries.map(([, value]) => value) }],
    };
  }
  if (record !== null) return { series: [seriesOf(record)] };
  const list = typeof given === 'string' ? listOf(given) : given;
  if (!Array.isArray(list)) return null;
  const items = list.map(fromJson);
  const records = items.map(recordOf);
  if (records.every((one) => one !== null)) {
    if (records.some(hasValues)) return { series: records.map(seriesOf) };
    const isPoints = !isNamed && items.every((one) => pointOf(one) !== null);
    if (isPoints) return { series: [{ name: '', values: items }] };
    return fromRecords(items as object[]);
  }
  const isLists = items.length > 0 && items.every((one) => Array.isArray(one));
  // `[["Jan", 5], …]` has a name and a value each; `[[1, 2], [3, 4]]` may be two series.
  const isPairs = items.every((one) => {
    const x = pointOf(one)?.x;
    return x !== undefined && (isScatter || readNumber(x) === undefined);
  });
  if (isLists && (isNamed || !isPairs)) {
    return { series: items.map((values) => ({ name: '', values: values as unknown[] })) };
  }
  return { series: [{ name: '', values: items }] };
}

const VALUES = ['values', 'data', 'points', 'y'];

function hasValues(record: ReadonlyMap<string, unknown>): boolean {
  return VALUES.some((name) => Array.isArray(record.get(name)) || isListText(record.get(name)));
}

function isListText(value: unknown): boolean {
  return typeof value === 'string' && readNumber(value) === undefined && listOf(value).length > 1;
}

function seriesOf(record: ReadonlyMap<string, unknown>): RawSeries {
  const values = valuesIn(record, VALUES);
  const xs = record.get('x');
  const list = listOf(values);
  const isPaired = Array.isArray(xs) && xs.length === list.length;
  return {
    name: pick(record, NAME),
    values: isPaired ? list.map((y, i) => ({ x: xs[i], y })) : list,
  };
}

/** `[{"month": "Jan", "Sales": 1}, …]`: the key with names has the categories, each other one is a series. */
function fromRecords(
  records: readonly object[],
): { categories: readonly unknown[]; series: readonly RawSeries[] } | null {
  const keys = [...new Set(records.flatMap((one) => Object.keys(one)))];
  const valuesOf = (key: string): unknown[] =>
    records.map((one) => (one as Readonly<Record<string, unknown>>)[key]);
  const words = keys.filter((key) =>
    valuesOf(key).some((value) => readNumber(value) === undefined),
  );
  const known = keys.filter((key) => POINT_NAME.split(' ').includes(key.toLowerCase()));
  const [category, ...others] = words.length > 0 ? words : known.slice(0, 1);
  if (category === undefined || others.length > 0) return null;
  const names = keys.filter((key) => key !== category);
  const isPlain = names.length === 1 && POINT_VALUE.includes((names[0] ?? '').toLowerCase());
  return {
    categories: valuesOf(category),
    series: names.map((name) => ({ name: isPlain ? '' : name, values: valuesOf(name) })),
  };
}

/** A point of a scatter chart: `[1, 2]` or `{"x": 1, "y": 2}`. */
function pointOf(given: unknown): { x: unknown; y: unknown } | null {
  if (Array.isArray(given)) return given.length === 2 ? { x: given[0], y: given[1] } : null;
  const record = recordOf(given);
  if (record === null || !record.has('x') || !record.has('y')) return null;
  return { x: record.get('x'), y: record.get('y') };
}

/** Points have their own x each: the x of all are the categories, where they differ one after another. */
function spreadPoints(given: readonly RawSeries[]): {
  categories: readonly unknown[];
  series: readonly RawSeries[];
} {
  const series = given.map(({ name, values }) => ({
    name,
    points: values.map((one) => pointOf(one) ?? { x: null, y: one }),
  }));
  const [first] = series;
  const xs = series.map(({ points }) => JSON.stringify(points.map(({ x }) => x)));
  if (new Set(xs).size === 1) {
    const categories = first?.points.map(({ x }) => x) ?? [];
    return {
      categories,
      series: series.map(({ name, points }) => ({ name, values: points.map(({ y }) => y) })),
    };
  }
  return {
    categories: series.flatMap(({ points }) => points.map(({ x }) => x)),
    series: series.map(({ name }, own) => ({
      name,
      values: series.flatMap(({ points }, other) =>
        points.map(({ y }) => (own === other ? y : null)),
      ),
    })),
  };
}

/** A list, also as text: “a; b” or “a, b”. */
function listOf(given: unknown): unknown[] {
  const value = fromJson(given);
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return isEmpty(value) ? [] : [value];
  const mark = [/\n/, /\|/, /;/, /,\s/].find((one) => one.test(value.trim()));
  return mark === undefined ? [value] : value.split(mark).map((one) => one.trim());
}

export function quoted(given: unknown): string {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'nothing');
  return `"${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}"`;
}
