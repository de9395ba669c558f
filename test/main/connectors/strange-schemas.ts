import fc from 'fast-check';

type Json = Readonly<Record<string, unknown>>;

const NAMES = ['a', 'b', 'x-c'];
const scalars = fc.oneof(
  ...[fc.constantFrom('', 'a', 'b', '😀', 'é'), fc.integer({ min: -3, max: 6 })],
  ...[fc.constantFrom(0.5, 1.5), fc.boolean(), fc.constant(null)],
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
  ),
}));
const size = fc.integer({ min: 0, max: 3 });
const typeName = fc.constantFrom(
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
);

/** An object of at most four of these fields: schemas with more accept next to nothing. */
function fewOf(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Json> {
  const pairs = Object.entries(fields).map(([name, one]) => fc.tuple(fc.constant(name), one));
  return fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((some) => Object.fromEntries(some));
}

/** Schemas of the plain keywords, and with `all` those that need care. */
export function schemas(all: boolean): fc.Arbitrary<Json> {
  const depth = fc.createDepthIdentifier();
  const made = fc.letrec((tie) => {
    const inner = fc.oneof({ maxDepth: 2, depthIdentifier: depth }, fc.boolean(), tie('schema'));
    const some = fc.array(inner, { minLength: 1, maxLength: 2 });
    const byName = (names: readonly string[]) =>
      fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 3 });
    const careful = {
      ...{ prefixItems: some, patternProperties: byName(['^x-', 'a']), not: inner, if: inner },
      ...{ else: inner, uniqueItems: fc.boolean(), contains: inner },
      ...{ pattern: fc.constantFrom('^a', 'b$'), propertyNames: fc.constant({ maxLength: 2 }) },
      $ref: fc.constantFrom('#', '#/properties/a', '#/nothing'),
    };
    return {
      schema: fewOf({
        type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
        properties: byName(NAMES),
        required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
        additionalProperties: inner,
        ...{ items: inner, minItems: size, maxItems: size, minLength: size, maxLength: size },
        ...{ minimum: size, maximum: size, multipleOf: fc.constantFrom(1, 2, 0.5) },
        ...{ exclusiveMinimum: size, exclusiveMaximum: size },
        enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }),
        const: values,
        ...{ anyOf: some, oneOf: some, allOf: some },
        ...(all ? careful : {}),
      }),
    };
  });
  return fc
    .tuple(
      made.schema as fc.Arbitrary<Json>,
      fc.dictionary(fc.constantFrom(...NAMES), made.schema, { maxKeys: 3 }),
    )
    .map(([root, properties]) => ({
      ...Object.fromEntries(
        Object.entries(root).filter(([name]) => !['type', 'enum', 'const', '$ref'].includes(name)),
      ),
      ...{ type: 'object', properties },
    }));
}

/** Arguments that such schemas are about. */
export const someArguments = fc.dictionary(fc.constantFrom(...NAMES), values, { maxKeys: 3 });
