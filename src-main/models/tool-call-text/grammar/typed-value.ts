import { nestsTooDeeply } from '../../../base/outside-json.ts';
import type { JsonSchema } from '../../types.ts';
import { isRecord } from '../tool-index.ts';
import { looseValue } from './literal.ts';

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DEEPEST_REFERENCE = 8;

/**
 * The value of an argument that was written as bare text between tags. The schema decides: a string
 * stays as it is written, to the last space. Without one, what reads as JSON is JSON.
 */
export function typedValue(
  text: string,
  schema: JsonSchema | undefined,
  root?: JsonSchema,
): unknown {
  const types = typesOf(schema, root ?? schema ?? {});
  if (types.size === 0) return guessedValue(text);
  const trimmed = text.trim();
  if (types.has('null') && /^(?:null|none)$/i.test(trimmed)) return null;
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) {
    return trimmed.toLowerCase() === 'true';
  }
  if (types.has('integer') && /^[+-]?\d+(?:\.0+)?$/.test(trimmed)) return safeNumber(trimmed, text);
  if (types.has('number') && isNumeric(trimmed)) return safeNumber(trimmed, text);
  if (types.has('object') || types.has('array')) {
    const value = /^[[{]/.test(trimmed) ? jsonOrLiteral(trimmed) : undefined;
    if (types.has('object') && isRecord(value)) return value;
    if (types.has('array') && Array.isArray(value)) return value;
  }
  return text;
}

/** The types that a schema allows, through unions, enumerations and local references. */
export function typesOf(schema: unknown, root: JsonSchema, depth = 0): Set<Type> {
  const found = new Set<Type>();
  if (!isRecord(schema) || depth > DEEPEST_REFERENCE) return found;
  const add = (inner: unknown): void => {
    for (const type of typesOf(inner, root, depth + 1)) found.add(type);
  };
  if (typeof schema.$ref === 'string') add(resolveReference(schema.$ref, root));
  for (const type of [schema.type].flat()) if (isType(type)) found.add(type);
  for (const union of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (Array.isArray(union)) union.forEach(add);
  }
  if (found.size === 0 && Array.isArray(schema.enum)) {
    for (const value of schema.enum) found.add(typeOf(value));
  }
  if (found.size === 0 && 'const' in schema) found.add(typeOf(schema.const));
  if (schema.nullable === true && found.size > 0) found.add('null');
  return found;
}

/** The schema of one property, looked for through references and unions. */
export function propertySchema(
  schema: unknown,
  name: string,
  root: JsonSchema,
): JsonSchema | undefined {
  return alternatives(schema, root)
    .map((option) => (isRecord(option.properties) ? option.properties[name] : undefined))
    .find(isRecord);
}

/** The schema of an array's elements, looked for through references and unions. */
export function itemSchema(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  return alternatives(schema, root)
    .map((option) => option.items)
    .find(isRecord);
}

function alternatives(schema: unknown, root: JsonSchema, depth = 0): JsonSchema[] {
  if (!isRecord(schema) || depth > DEEPEST_REFERENCE) return [];
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((union) =>
    Array.isArray(union) ? union : [],
  );
  if (typeof schema.$ref === 'string') inner.push(resolveReference(schema.$ref, root));
  return [schema, ...inner.flatMap((option) => alternatives(option, root, depth + 1))];
}

function resolveReference(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), root);
}

function guessedValue(text: string): unknown {
  const trimmed = text.trim();
  if (JSON_NUMBER.test(trimmed)) return safeNumber(trimmed, text);
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if (/^null$/i.test(trimmed) || trimmed === 'None') return null;
  if (/^[[{]/.test(trimmed)) {
    const value = jsonOrLiteral(trimmed);
    if (value !== undefined) return value;
  }
  return text;
}

/** An integer that a double cannot hold stays text: a changed digit would be a silent lie. */
function safeNumber(trimmed: string, text: string): number | string {
  const value = Number(trimmed);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(trimmed)
    ? text
    : value;
}

function isNumeric(text: string): boolean {
  return text !== '' && /^[+-]?[\d.]/.test(text) && Number.isFinite(Number(text));
}

/** The value that a text states in JSON, or nearly; undefined when it states none. */
export function jsonOrLiteral(text: string): unknown {
  if (nestsTooDeeply(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON; models write Python's quotes, words and trailing commas as well.
    return looseValue(text);
  }
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : 'object';
}

function isType(value: unknown): value is Type {
  return (
    typeof value === 'string' &&
    ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'].includes(value)
  );
}
