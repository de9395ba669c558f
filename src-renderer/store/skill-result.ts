/** A JSON Schema, or a value that a skill returned for one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a value of a result is shown. `more` counts the items that were cut from a long list. */
export type ResultNode =
  | { readonly kind: 'none' }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string; readonly language: string }
  | { readonly kind: 'link'; readonly address: string }
  | { readonly kind: 'image'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'list'; readonly items: readonly ResultNode[]; readonly more: number }
  | { readonly kind: 'sources'; readonly items: readonly ResultSource[]; readonly more: number }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly ResultNode[])[];
      readonly more: number;
    }
  | { readonly kind: 'fields'; readonly fields: readonly ResultField[] }
  | { readonly kind: 'json'; readonly text: string };

export interface ResultField {
  readonly name: string;
  /** The description from the schema; empty if there is none. */
  readonly description: string;
  readonly node: ResultNode;
}

export interface ResultSource {
  readonly title: string;
  readonly address: string;
  readonly note: string;
}

/** Deeper values are shown as JSON. */
const DEPTH = 4;
const ENTRIES = 200;
/** Columns of a table; wider objects are listed field by field. */
const COLUMNS = 8;
/** From this length on, a text is treated as Markdown. */
const LONG_CHARS = 80;

const CODE_FIELD = /^(?:code|tests?|source_code|program|script|patch|diff|sql|query_sql)$|_code$/i;
const FILE_FIELD = /(?:^|_)(?:path|paths|file|files|chart|charts|image|images|plot|plots)$/i;
const IMAGE = /\.(?:png|jpe?g|gif|webp|svg)$/i;
const FILE = /^(?:\/workspace\/|\.\/)?[^\s/\\:*?"<>|][^\n\\:*?"<>|]{0,240}\.[a-z0-9]{1,8}$/i;

/** How the output of a skill is shown: by its schema, else by its value. */
export function describeResult(
  output: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): ResultNode {
  return describe({ value: output, schema, name: '', depth: 0, language: '' });
}

interface Place {
  readonly value: unknown;
  readonly schema: JsonSchema;
  readonly name: string;
  readonly depth: number;
  /** Of code that stands beside it. */
  readonly language: string;
}

function describe(place: Place): ResultNode {
  const { value, depth } = place;
  if (value === null || value === undefined) return { kind: 'none' };
  if (typeof value === 'boolean') return { kind: 'flag', value };
  if (typeof value === 'number') return { kind: 'number', value };
  if (typeof value === 'string') return describeText(value, place);
  if (depth >= DEPTH) return { kind: 'json', text: JSON.stringify(value, null, 2) };
  if (Array.isArray(value)) return describeArray(value, place);
  return describeObject(value as Readonly<Record<string, unknown>>, place);
}

function describeText(text: string, { name, schema, language }: Place): ResultNode {
  if (CODE_FIELD.test(name) && text.trim() !== '') return { kind: 'code', code: text, language };
  if (schema.format === 'uri' || /^https?:\/\/\S+$/.test(text)) {
    return { kind: 'link', address: text };
  }
  const path = text.replace(/^\/workspace\//, '').replace(/^\.\//, '');
  const isPath = FILE_FIELD.test(name) || text.startsWith('/workspace/') || IMAGE.test(text);
  if (isPath && FILE.test(text)) return { kind: IMAGE.test(path) ? 'image' : 'file', path };
  const isLong = text.length > LONG_CHARS || text.includes('\n');
  return isLong ? { kind: 'markdown', text } : { kind: 'text', text };
}

function describeArray(all: readonly unknown[], place: Place): ResultNode {
  const { name, depth } = place;
  const schema = schemaOf(place.schema.items);
  const shown = all.slice(0, ENTRIES);
  const more = all.length - shown.length;
  const objects = shown.filter(isObject);
  if (objects.length > 0 && objects.length === shown.length) {
    const sources = objects.map(readSource);
    if (sources.every((source) => source !== null))
      return { kind: 'sources', items: sources, more };
    const columns = columnsOf(objects, schema);
    if (columns.length > 0 && columns.length <= COLUMNS) {
      const rows = objects.map((object) =>
        columns.map((column) => describe(fieldOf(object, column, { ...place, schema }))),
      );
      return { kind: 'table', columns, rows, more };
    }
  }
  const items = shown.map((value) =>
    describe({ value, schema, name, depth: depth + 1, language: '' }),
  );
  return { kind: 'list', items, more };
}

function describeObject(object: Readonly<Record<string, unknown>>, place: Place): ResultNode {
  const all = columnsOf([object], place.schema);
  // The language is shown with the code.
  const hasCode = all.some((name) => CODE_FIELD.test(name) && typeof object[name] === 'string');
  const names = hasCode ? all.filter((name) => name !== 'language') : all;
  const fields = names.map((name) => {
    const field = fieldOf(object, name, place);
    const { description } = field.schema;
    return {
      name,
      description: typeof description === 'string' ? description : '',
      node: describe(field),
    };
  });
  return { kind: 'fields', fields };
}

function fieldOf(object: Readonly<Record<string, unknown>>, name: string, place: Place): Place {
  const { language } = object;
  return {
    value: object[name],
    schema: schemaOf(schemaOf(place.schema.properties)[name]),
    name,
    depth: place.depth + 1,
    language: typeof language === 'string' ? language : '',
  };
}

/** Names of fields: first those of the schema, in its order, then all others. */
function columnsOf(
  objects: readonly Readonly<Record<string, unknown>>[],
  schema: JsonSchema,
): readonly string[] {
  const present = new Set(objects.flatMap((object) => Object.keys(object)));
  const known = Object.keys(schemaOf(schema.properties)).filter((name) => present.has(name));
  return [...new Set([...known, ...present])];
}

/** An object with a web address and little more than a title is a source. */
function readSource(object: Readonly<Record<string, unknown>>): ResultSource | null {
  const { url, title, name, snippet, note, summary } = object;
  if (typeof url !== 'string') return null;
  const text = [title, name].find((one) => typeof one === 'string' && one.trim() !== '');
  const more = [snippet, note, summary].find((one) => typeof one === 'string');
  const rest = Object.keys(object).length;
  if (rest > 6) return null;
  return { title: String(text ?? url), address: url, note: String(more ?? '') };
}

function schemaOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a property in words, from its JSON Schema: `string`, `array of object`. */
export function typeInWords(value: unknown): string {
  const schema = schemaOf(value);
  const { type, items, anyOf, oneOf } = schema;
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const either = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (either !== null) return either.map(typeInWords).join(' | ');
  if (Array.isArray(type)) return type.join(' | ');
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeInWords(items)}`;
  return typeof type === 'string' ? type : 'any';
}

export interface SchemaProperty {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
}

/** The fields that an output schema promises. */
export function schemaProperties(schema: JsonSchema): readonly SchemaProperty[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schemaOf(schema.properties)).map(([name, value]) => {
    const { description } = schemaOf(value);
    return {
      name,
      type: typeInWords(value),
      required: required.has(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}
