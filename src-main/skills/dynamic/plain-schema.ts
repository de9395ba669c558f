import { z } from 'zod';
import { isPlainObject } from './plain-json.ts';

/**
 * Keywords of JSON Schema that foreign code may use. A pattern is a regular expression, and one that a
 * skill chose would run outside its limits; references can be endless.
 */
const VALUES: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'default', 'const', 'enum', 'examples', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', '$schema'],
]);
const MAX_PARTS = 500;

/** Why a schema is not accepted, in words; null where it is. */
export function schemaProblem(schema: unknown): string | null {
  const checked = checkSchema(schema);
  if (typeof checked === 'string') return checked;
  try {
    z.fromJSONSchema(schema as never);
    return null;
  } catch (error) {
    return `is not a schema: ${error instanceof Error ? error.message.slice(0, 200) : 'it is broken'}`;
  }
}

/**
 * How many parts a schema has: its subschemas, and the names and values in their lists. In the worst case
 * each value is checked against all of them, and every check makes a finding.
 */
export function schemaParts(schema: unknown): number {
  const checked = checkSchema(schema);
  return typeof checked === 'number' ? checked : MAX_PARTS;
}

/** The number of parts, or why the schema is not accepted. */
function checkSchema(schema: unknown): string | number {
  const waiting: { readonly at: string; readonly value: unknown }[] = [{ at: '', value: schema }];
  let parts = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, value } = next;
    parts += 1;
    if (typeof value === 'boolean') continue;
    if (!isPlainObject(value)) return `${at || 'it'} is not a schema`;
    for (const [key, inner] of Object.entries(value)) {
      const place = at === '' ? key : `${at}.${key}`;
      if (key === 'properties' && isPlainObject(inner)) {
        for (const [name, property] of Object.entries(inner)) {
          waiting.push({ at: `${place}.${name}`, value: property });
        }
      } else if (key === 'items' || key === 'additionalProperties') {
        waiting.push({ at: place, value: inner });
      } else if (key === 'anyOf' && Array.isArray(inner)) {
        for (const option of inner) waiting.push({ at: place, value: option });
      } else if (!VALUES.has(key)) return `${place} is not allowed in a schema of a skill`;
      else if (Array.isArray(inner)) parts += inner.length;
    }
    if (parts + waiting.length > MAX_PARTS) return `has more than ${MAX_PARTS} parts`;
  }
  return parts;
}
