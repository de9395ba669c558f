import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { JsonSchema } from '../models/types.ts';

/** Nodes of a schema that are kept; what comes after accepts anything. */
const MOST_NODES = 2_000;
const DEEPEST = 30;
const MOST_CHOICES = 500;
/** Of a schema that is several at once. */
const MOST_PARTS = 50;
/** Names that every object answers to, whether it has them or not. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Keywords that bound a value in a time that depends on the value alone. */
const PLAIN = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]);
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/**
 * A schema of strangers as one that is safe to check with: local references written out (a recursive one accepts
 * anything from its second level on), remote ones never fetched, no regular expressions, at most so many nodes. It
 * accepts all that the original accepts; the server refuses the rest. Null where arguments cannot be an object.
 */
export function boundedSchema(schema: unknown): JsonSchema | null {
  if (!isObject(schema)) return null;
  const copy = new SchemaCopy(schema).copy(schema);
  // A type that is none is a mistake, not the lack of one.
  if (schema.type !== undefined && typesOf(schema.type) === null) return null;
  const types = copy.type === undefined ? ['object'] : [copy.type].flat();
  return types.includes('object') ? { ...copy, type: 'object' } : null;
}

/** Checks arguments against a bounded schema, and gives them back as they are. */
export function schemaCheck(bounded: JsonSchema): z.ZodType<Record<string, unknown>> {
  const check = z.fromJSONSchema(bounded as never);
  return z.custom<Record<string, unknown>>().superRefine((given, context) => {
    const { error } = safeParse(check, given);
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', path, message });
    }
  });
}

/**
 * A bounded schema in the form that every model server takes: one type where there are several, no unions with null,
 * no bounds.
 */
export function schemaForModel(bounded: JsonSchema): JsonSchema {
  return plainForm(bounded);
}

class SchemaCopy {
  readonly #root: Readonly<Record<string, unknown>>;
  /** References that are being written out. */
  readonly #open = new Set<string>();
  #nodes = 0;

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root;
  }

  copy(schema: unknown, depth = 0): JsonSchema {
    this.#nodes += 1;
    if (!isObject(schema) || this.#nodes > MOST_NODES || depth > DEEPEST) return {};
    // References below it would mean other places.
    if (depth > 0 && ['$id', 'id'].some((name) => typeof schema[name] === 'string')) return {};
    const { $ref } = schema;
    if ($ref !== undefined) return this.#reference($ref, depth);
    const kept: [string, unknown][] = [];
    const add = (name: string, value: unknown): void => void kept.push([name, value]);
    for (const [name, value] of Object.entries(schema)) {
      if (PLAIN.has(name) && typeof value === 'number') add(name, value);
      else if (name === 'description' && typeof value === 'string') add(name, value);
    }
    const type = typesOf(schema.type);
    if (type !== null) add('type', plainTypes(type));
    // Whole numbers of any size.
    if (type === 'integer') add('multipleOf', 1);
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const usual = properties.filter(([name]) => !INHERITED.has(name)).slice(0, MOST_NODES);
    if (usual.length > 0) add('properties', this.#properties(usual, depth));
    const isWhole = usual.length === properties.length && schema.patternProperties === undefined;
    if (schema.additionalProperties === false && isWhole) add('additionalProperties', false);
    if (isTexts(schema.required) && schema.required.length <= MOST_CHOICES) {
      const required = schema.required.filter((name) => !INHERITED.has(name));
      if (required.length > 0) add('required', required);
    }
    if (schema.items !== undefined && schema.prefixItems === undefined) {
      add('items', this.copy(schema.items, depth + 1));
    }
    const choices = 'const' in schema ? [schema.const] : schema.enum;
    if (Array.isArray(choices) && choices.length > 0 && choices.length <= MOST_CHOICES) {
      if (choices.every(isScalar)) add('enum', choices);
    }
    const union = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (union !== undefined && union.length > 0 && union.length <= MOST_CHOICES) {
      add(
        'anyOf',
        union.map((one) => this.copy(one, depth + 1)),
      );
    }
    const own: JsonSchema = Object.fromEntries(kept);
    if (!Array.isArray(schema.allOf)) return own;
    const parts = schema.allOf.slice(0, MOST_PARTS).map((one) => this.copy(one, depth + 1));
    return parts.reduce(both, own);
  }

  #properties(entries: readonly [string, unknown][], depth: number): JsonSchema {
    return Object.fromEntries(entries.map(([name, one]) => [name, this.copy(one, depth + 1)]));
  }

  #reference(reference: unknown, depth: number): JsonSchema {
    if (typeof reference !== 'string' || this.#open.has(reference)) return {};
    const target = this.#find(reference);
    if (target === undefined) return {};
    this.#open.add(reference);
    const copy = this.copy(target, depth + 1);
    this.#open.delete(reference);
    return copy;
  }

  /** What `#/a/b` points to in the same schema. */
  #find(reference: string): unknown {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/') || reference.length > 1_000) return undefined;
    let found: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return;
      found = (found as Record<string, unknown>)[name];
    }
    return found;
  }
}

/** A schema that asks for what both ask for. */
function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = [one.properties, other.properties].filter(isObject);
  const required = [one.required, other.required].flatMap((names) => (isTexts(names) ? names : []));
  return {
    ...other,
    ...one,
    ...(properties.length > 0
      ? { properties: Object.fromEntries(properties.reverse().flatMap(Object.entries)) }
      : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** Characters of a description of one argument that models read. */
const DESCRIPTION_CHARS = 300;

function plainForm(schema: JsonSchema): JsonSchema {
  const { type, properties, required, description, items, anyOf } = schema;
  const kept: [string, unknown][] = [];
  const add = (name: string, value: unknown): void => void kept.push([name, value]);
  const union = Array.isArray(anyOf)
    ? anyOf.filter(isObject).filter((one) => one.type !== 'null')
    : [];
  if (union.length === 1 && type === undefined) {
    const only = plainForm(union[0] as JsonSchema);
    return description === undefined ? only : { ...only, description: shortened(description) };
  }
  const only = Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type;
  const isWhole = only === 'number' && schema.multipleOf === 1;
  if (only !== undefined) add('type', isWhole ? 'integer' : only);
  if (description !== undefined) add('description', shortened(description));
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => one !== null) : [];
  if (choices.length > 0) add('enum', choices);
  if (isObject(properties)) {
    const entries = Object.entries(properties).map(([name, one]) => [
      name,
      plainForm(one as JsonSchema),
    ]);
    add('properties', Object.fromEntries(entries));
  }
  if (isTexts(required) && required.length > 0) add('required', required);
  if (isObject(items)) add('items', plainForm(items));
  if (union.length > 1)
    add(
      'anyOf',
      union.map((one) => plainForm(one)),
    );
  return Object.fromEntries(kept);
}

function shortened(text: unknown): string {
  const whole = String(text);
  return whole.length > DESCRIPTION_CHARS ? `${whole.slice(0, DESCRIPTION_CHARS)}…` : whole;
}

function typesOf(type: unknown): string | string[] | null {
  if (typeof type === 'string') return TYPES.has(type) ? type : null;
  if (!Array.isArray(type)) return null;
  const known = [...new Set(type)].filter((one) => TYPES.has(one));
  return known.length > 0 && known.length === new Set(type).size ? known : null;
}

function plainTypes(types: string | string[]): string | string[] {
  const plain = [...new Set([types].flat().map((type) => (type === 'integer' ? 'number' : type)))];
  const [only, ...others] = plain;
  return only === undefined || others.length > 0 ? plain : only;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
