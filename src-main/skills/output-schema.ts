/** Parts of the JSON schemas of what skills return. */

export const TEXT = { type: 'string' };

export const listOf = <Items extends object>(items: Items) => ({ type: 'array', items });

export const orNull = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] });

/** An object with exactly these fields. */
export const closed = <Fields extends object>(properties: Fields) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
