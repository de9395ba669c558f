import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#main/base/canonical-json.ts';
import { boundedSchema, schemaCheck, schemaForModel } from '#main/connectors/bounded-schema.ts';
import type { JsonSchema } from '#main/models/types.ts';
import { trials } from '../../setup/sampling.ts';
import { schemas, someArguments } from './strange-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

function bounded(schema: unknown): JsonSchema {
  const made = boundedSchema(schema);
  if (made === null) throw new Error('It describes an object');
  return made;
}

/** Whether arguments pass, and pass unchanged. */
function takes(schema: unknown, value: unknown): boolean {
  const checked = schemaCheck(bounded(schema)).safeParse(value);
  if (checked.success) expect(canonicalJson(checked.data)).toBe(canonicalJson(value));
  return checked.success;
}

/** The same for one argument `a`. */
const takesA = (schema: unknown, a: unknown, more: Json = {}): boolean =>
  takes({ type: 'object', properties: { a: schema }, ...more }, { a });

const parse = (text: string): Json => JSON.parse(text) as Json;

function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce((sum: number, one) => sum + nodesOf(one), 0);
}

function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, one]) =>
    name === 'properties'
      ? Object.values(one as Json).flatMap(keywordsOf)
      : [name, ...keywordsOf(one)],
  );
}

describe('what the original accepts', () => {
  it.each([
    ['plain keywords', false],
    ['keywords that need care', true],
  ])('passes unchanged: %s', (name, all) => {
    fc.assert(
      fc.property(
        schemas(all),
        fc.array(someArguments, { minLength: 1, maxLength: 6 }),
        (schema, list) => {
          let check: ReturnType<typeof ajv.compile>;
          try {
            check = ajv.compile(schema);
          } catch {
            // Such as a reference to nothing: such a schema accepts what it likes.
            bounded(schema);
            return;
          }
          const accepted = list.filter((value) => {
            try {
              return check(value) === true;
            } catch {
              // A schema that refers to itself without end.
              return false;
            }
          });
          for (const value of accepted) expect(takes(schema, value)).toBe(true);
        },
      ),
      trials(6_000, { name: `schemas of strangers, ${name}`, size: 1_500 }),
    );
  });

  it.each([
    ['a whole number above 2 ** 53', { type: 'integer' }, 1e20],
    ['a whole number written as a float', { type: 'integer' }, 3.0],
    ['one character of two code units', { type: 'string', maxLength: 1 }, '😀'],
    ['a number of many digits', { type: 'number', multipleOf: 0.01 }, 1.1],
    [
      'an item of a tuple',
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      ['a', 1],
    ],
    [
      'the same with a type',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      ['a', 1],
    ],
    ['an item of an older tuple', { type: 'array', items: [{ type: 'string' }] }, ['a', 1]],
    [
      'a name by a pattern',
      { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false },
      { 'x-a': 1 },
    ],
    ['one of the types', { type: ['string', 'null'] }, null],
    ['an unknown type', { type: 'file' }, 5],
    ['null of an enum', { enum: ['a', null] }, null],
    ['an object of an enum', { enum: [{ b: 1 }, 2] }, { b: 1 }],
    ['a constant object', { const: { b: 1 } }, { b: 1 }],
    [
      'an exclusive minimum of an older draft',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      2,
    ],
    ['the last of 600 choices', { anyOf: choices(600) }, 599],
    ['a nullable one in the way of OpenAPI', { type: 'string', nullable: true }, 'a'],
    ['a format', { type: 'string', format: 'email' }, 'no address'],
  ])('passes: %s', (_name, schema, value) => {
    expect(takesA(schema, value)).toBe(true);
  });

  it('passes where an argument may be left out that is called as what every object inherits', () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']) {
      const properties = parse(`{"${name}":{"type":"string"}}`);
      expect(takes({ type: 'object', properties }, {}), name).toBe(true);
      expect(takes({ type: 'object', properties, additionalProperties: false }, {}), name).toBe(
        true,
      );
      expect(takes({ type: 'object', properties }, parse(`{"${name}":"x"}`)), name).toBe(true);
      expect(
        takes({ type: 'object', properties, required: [name] }, parse(`{"${name}":"x"}`)),
      ).toBe(true);
    }
  });

  it('passes more properties than are kept of a schema', () => {
    const names = Array.from({ length: 2_500 }, (_, at) => `p${at}`);
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      additionalProperties: false,
    };
    expect(takes(schema, { p2400: 'x' })).toBe(true);
  });

  it('passes where a part has a base of its own, to which its references are relative', () => {
    const part = {
      $id: 'https://b.example/part',
      $defs: { S: { type: 'number' } },
      properties: { q: { $ref: '#/$defs/S' } },
    };
    const schema = {
      ...{ $id: 'https://a.example/root', type: 'object', $defs: { S: { type: 'string' } } },
      properties: { p: { type: 'object', ...part } },
    };
    const value = { p: { q: 1 } };
    expect(new Ajv2020({ strict: false }).compile(schema)(value)).toBe(true);
    expect(takes(schema, value)).toBe(true);
  });

  it('keeps an object where the root may be something else too', () => {
    expect(boundedSchema({ type: ['object', 'null'] })).toMatchObject({ type: 'object' });
    expect(boundedSchema({ type: ['object'] })).toMatchObject({ type: 'object' });
  });
});

function choices(count: number): Json[] {
  return Array.from({ length: count }, (_, at) => ({ enum: [at] }));
}

describe('what it refuses', () => {
  it.each<[string, unknown, unknown]>([
    ['another type', { type: 'string' }, 1],
    ['a type through a reference', { $ref: '#/$defs/S' }, 1],
    ['what one part of allOf refuses', { allOf: [{ type: 'string' }, { maxLength: 1 }] }, 'ab'],
    ['what no choice takes', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 1],
    ['another constant', { const: 'x' }, 'y'],
    [
      'an unnamed property',
      { type: 'object', properties: {}, additionalProperties: false },
      { b: 1 },
    ],
    ['too few items', { type: 'array', items: {}, minItems: 2 }, [1]],
  ])('%s', (_name, schema, value) => {
    expect(takesA(schema, value, { $defs: { S: { type: 'string' } } })).toBe(false);
  });

  it('says where the fault is', () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
        mode: { type: 'string' },
      },
      required: ['mode'],
    };
    const { error } = schemaCheck(bounded(schema)).safeParse({ list: [{ n: 1 }, { n: 'x' }] });
    expect(error?.issues.map(({ path }) => path.join('.')).sort()).toEqual(['list.1.n', 'mode']);
  });

  it.each([
    ...[null, undefined, 'object', 1, true, [], [{ type: 'object' }]],
    ...[{ type: 'string' }, { type: 'array' }, { type: ['string', 'null'] }, { type: 7 }],
    { $ref: '#/$defs/S', $defs: { S: { type: 'string' } } },
  ])('arguments that cannot be an object: %j', (schema) => {
    expect(boundedSchema(schema)).toBeNull();
  });
});

describe('references', () => {
  it('writes out local ones, with escaped names, and accepts anything deeper in a recursion', () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/definitions/a~1b~0c' } },
      definitions: {
        'a/b~c': {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/definitions/a~1b~0c' } },
          required: ['name'],
        },
      },
    };
    expect(takes(schema, { tree: { name: 'x', next: { name: 'y', next: { name: 'z' } } } })).toBe(
      true,
    );
    expect(takes(schema, { tree: { name: 1 } })).toBe(false);
    expect(keywordsOf(bounded(schema))).not.toContain('$ref');
  });

  it.each([
    ...['https://evil.example/s.json', 'file:///etc/passwd', '//evil.example/x', 'other.json#/a'],
    ...[
      '#anchor',
      '#/__proto__/polluted',
      '#/constructor/prototype',
      '#/properties/a',
      '',
      5,
      null,
    ],
  ])('takes anything for %j', ($ref) => {
    expect(takesA({ $ref }, { any: ['thing'] })).toBe(true);
    expect(JSON.stringify(bounded({ properties: { a: { $ref } } }))).not.toContain('evil');
  });

  it('bounds its work where each reference doubles the last', () => {
    const $defs: Record<string, unknown> = { l0: { type: 'string' } };
    for (let level = 1; level < 28; level += 1) {
      const $ref = `#/$defs/l${level - 1}`;
      $defs[`l${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    let reads = 0;
    const counted = Object.fromEntries(
      Object.entries($defs).map(([name, one]) => [
        name,
        new Proxy(one as object, {
          ownKeys: (target) => {
            reads += 1;
            return Reflect.ownKeys(target);
          },
        }),
      ]),
    );
    const made = bounded({
      type: 'object',
      properties: { a: { $ref: '#/$defs/l27' } },
      $defs: counted,
    });
    expect(reads).toBeLessThan(10_000);
    expect(nodesOf(made)).toBeLessThan(20_000);
    expect(schemaCheck(made).safeParse({ a: {} }).success).toBe(true);
  });

  it('bounds its work where many parts are merged with many required names', () => {
    const required = Array.from({ length: 500 }, (_, at) => `p${at}`);
    const add = Set.prototype.add;
    let adds = 0;
    Set.prototype.add = function count(this: Set<unknown>, value: unknown) {
      adds += 1;
      return Reflect.apply(add, this, [value]) as Set<unknown>;
    };
    try {
      // Less than 10,000 characters of a definition.
      bounded({ type: 'object', required, allOf: Array.from({ length: 2_000 }, () => ({})) });
    } finally {
      Set.prototype.add = add;
    }
    expect(adds).toBeLessThan(100_000);
  });

  it('survives schemas that nest deeply', () => {
    let schema: Json = { type: 'string' };
    for (let level = 0; level < 2_000; level += 1)
      schema = { type: 'object', properties: { a: schema } };
    expect(schemaCheck(bounded(schema)).safeParse({}).success).toBe(true);
    expect(nodesOf(schemaForModel(bounded(schema)))).toBeLessThan(1_000);
  });
});

it('keeps no regular expressions', () => {
  const pattern = '^(a+)+$';
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', pattern, format: 'regex' } },
    patternProperties: { [pattern]: { type: 'string' } },
    propertyNames: { pattern },
  };
  expect(JSON.stringify(bounded(schema))).not.toContain('(a+)+');
  expect(takes(schema, { a: `${'a'.repeat(50_000)}!` })).toBe(true);
});

it('takes odd names of properties without touching prototypes', () => {
  const odd = parse('{"__proto__":{"type":"string"},"constructor":{"type":"number"}}');
  const schema = { type: 'object', allOf: [{ properties: odd }, { properties: { b: {} } }] };
  const made = bounded(schema);
  expect(Object.getPrototypeOf(made.properties)).toBe(Object.prototype);
  // What every object answers to is left to the server: an argument could not be told from it.
  expect(Object.keys(made.properties as object)).toEqual(['b']);
  expect(({} as Json).type).toBeUndefined();
});

/** The choices of each union in a schema. */
function unionsOf(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'anyOf' in value && Array.isArray(value.anyOf) ? [value.anyOf] : [];
  return [...own, ...Object.values(value).flatMap(unionsOf)];
}

describe('for a model', () => {
  const forModel = (properties: unknown): Json =>
    schemaForModel(bounded({ type: 'object', properties })).properties as Json;

  it('has one type and no unions with null', () => {
    const made = forModel({
      list: { type: ['null', 'array'], items: { type: ['string', 'null'] } },
      one: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'One.' },
      two: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      listed: { anyOf: [{ type: 'string' }, { type: ['null'] }] },
      ref: { $ref: '#/properties/one' },
    });
    expect(made).toEqual({
      list: { type: 'array', items: { type: 'string' } },
      one: { type: 'string', description: 'One.' },
      listed: { type: 'string' },
      two: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      ref: { type: 'string', description: 'One.' },
    });
  });

  it('has no empty enum, which servers of models refuse', () => {
    const made = forModel({
      one: { anyOf: [{ type: 'string' }, { const: null }] },
      two: { enum: [null] },
      three: { enum: ['a', null] },
    });
    expect(JSON.stringify(made)).not.toContain('"enum":[]');
    expect(made.three).toEqual({ enum: ['a'] });
  });

  it('keeps what is required, whatever the schema', () => {
    fc.assert(
      fc.property(schemas(true), (schema) => {
        const made = bounded(schema);
        const plain = schemaForModel(made);
        expect(plain.type).toBe('object');
        expect(plain.required ?? []).toEqual(made.required ?? []);
        const keywords = keywordsOf(plain);
        for (const one of ['$ref', 'oneOf', 'allOf', 'const', 'pattern']) {
          expect(keywords).not.toContain(one);
        }
        const text = JSON.stringify(plain);
        expect(text).not.toMatch(/"type":\[/);
        expect(unionsOf(plain).flat()).not.toContainEqual(
          expect.objectContaining({ type: 'null' }),
        );
        expect(text).not.toContain('"enum":[]');
      }),
      trials(3_000, { name: 'schemas for models', size: 150 }),
    );
  });
});
