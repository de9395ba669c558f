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
const MAX_NODES = 500;

/** What in a schema is not taken, in words; null where all of it is. */
export function schemaProblem(schema: unknown): string | null {
  const waiting: { readonly at: string; readonly value: unknown }[] = [{ at: '', value: schema }];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, value } = next;
    nodes += 1;
    if (nodes > MAX_NODES) return `has more than ${MAX_NODES} parts`;
    if (typeof value === 'boolean') continue;
    if (!isPlainObject(value)) return `${at || 'it'} is no schema`;
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
      } else if (!VALUES.has(key)) return `${place} is not taken in a schema of a skill`;
    }
  }
  return null;
}
