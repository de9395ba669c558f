import { parseOutsideJson } from '../base/outside-json.ts';
import type { JsonSchema } from '../models/types.ts';

/**
 * Converts arguments as small models write them to the types of the schema where they are unambiguous: "5" for
 * a number, "true" for a boolean, JSON text for an object or a list. Everything else is left alone, for the
 * schema to refuse in words that the model can use.
 */
export function coerceArguments(
  given: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, property === undefined ? value : coerce(value, property.type)];
  });
  return Object.fromEntries(entries);
}

function coerce(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (type) {
    case 'number':
    case 'integer':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : value;
    case 'object':
    case 'array':
      return parseAs(text, type) ?? value;
    default:
      return value;
  }
}

function parseAs(text: string, type: 'object' | 'array'): unknown {
  try {
    const parsed = parseOutsideJson(text);
    const fits = type === 'array' ? Array.isArray(parsed) : isPlainObject(parsed);
    return fits ? parsed : undefined;
  } catch {
    // Not JSON: the schema says what it expects.
    return undefined;
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
