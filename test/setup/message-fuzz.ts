import { z } from 'zod';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import type { Random } from './sampling.ts';

/**
 * Messages of a hostile window: requests that are valid but for one thing, made from the schemas of the
 * contract. The same seed gives the same messages.
 */

/** What carries a message decides what can be in it. */
export type Carrier = 'memory' | 'clone' | 'json';

export interface HostileMessage {
  readonly name: unknown;
  readonly input: unknown;
  /** What was done to it, for the report of a failure. */
  readonly what: string;
}

/** A hostile getter or trap threw it. */
export class HostileError extends Error {}

const pick = <T>(random: Random, list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const REQUEST_NAMES = Object.keys(REQUESTS) as RequestName[];

const SHAPES = new Map<RequestName, Shape>(
  REQUEST_NAMES.map((name) => [
    name,
    z.toJSONSchema(REQUESTS[name].input, { unrepresentable: 'any', io: 'input' }) as Shape,
  ]),
);

/** An input that the schema of the request takes. */
export function validInput(name: RequestName, random: Random): unknown {
  return made(SHAPES.get(name) ?? {}, random);
}

function made(shape: Shape, random: Random): unknown {
  if ('const' in shape) return shape.const;
  if (shape.enum !== undefined) return pick(random, shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) return made(pick(random, choices), random);
  const type =
    typeof shape.type === 'string' || shape.type === undefined
      ? shape.type
      : pick(random, shape.type);
  switch (type) {
    case 'object':
      return objectOf(shape, random);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = shape;
      const length = Math.max(minItems, Math.floor(random() * Math.min(4, maxItems)));
      return Array.from({ length }, () => made(items, random));
    }
    case 'string':
      if (shape.contentEncoding === 'base64') return 'aGVsbG8=';
      if (shape.pattern !== undefined) return fitting(shape.pattern);
      return 'run_1 é\u202e<'
        .padEnd(shape.minLength ?? 1, 'x')
        .slice(0, Math.max(8, shape.minLength ?? 0));
    case 'integer':
    case 'number':
      return Math.min(
        (shape.minimum ?? 0) + 1 + Math.floor(random() * 9),
        shape.maximum ?? Infinity,
      );
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      return pick(random, [1, 'text', null, ['list'], { deep: { deeper: true } }]);
  }
}

/** Texts for those that have a form of their own. */
const FORMED = ['run_1', '1a'.repeat(32)];

function fitting(pattern: string): string {
  const text = FORMED.find((one) => new RegExp(pattern).test(one));
  if (text === undefined) throw new Error(`No text here is of the form ${pattern}`);
  return text;
}

function objectOf(shape: Shape, random: Random): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = shape;
  const object: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(properties)) {
    if (required.includes(key) || random() < 0.5) object[key] = made(inner, random);
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    object[`key${Math.floor(random() * 100)}`] = made(additionalProperties, random);
  }
  return object;
}

const own = (target: object, key: string, value: unknown): object =>
  Object.defineProperty(target, key, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });

const nested = (depth: number): unknown => {
  let value: unknown = 'bottom';
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

const cycle = (): unknown => {
  const ring: Record<string, unknown> = { list: [] };
  ring.self = ring;
  (ring.list as unknown[]).push(ring);
  return ring;
};

/** Values that no schema of the contract means. */
const JSON_VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, '', ' ', '\u0000', '\ud800'].map(
    (value) => () => value,
  ),
  ...['__proto__', 'constructor', '[object Object]', '1', 'null', '../../etc/passwd'].map(
    (value) => () => value,
  ),
  () => [],
  () => ({}),
  () => [[], [[]]],
  () => ({ length: 3, 0: 'a' }),
  () => own({}, 'then', 'now'),
  () => ({ toJSON: 'text', valueOf: 1, toString: 2 }),
  () => own({}, '__proto__', { polluted: true }),
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => ({ lc: 1, type: 'constructor', id: ['x'], kwargs: {} }),
  () => nested(60),
];
const CLONE_VALUES: readonly (() => unknown)[] = [
  ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, 10n ** 30n].map((value) => () => value),
  () => new Date(0),
  () => new Date(Number.NaN),
  () => new Map<unknown, unknown>([['__proto__', 1]]),
  () => new Set([{}]),
  () => new ArrayBuffer(8),
  () => new Uint8Array(9),
  () => /(a+)+$/,
  () => new Error('an error'),
  () => new String('text'),
  () => cycle(),
  () => Array(5),
];
const hostile = (): never => {
  throw new HostileError();
};
const MEMORY_VALUES: readonly (() => unknown)[] = [
  () => Symbol('s'),
  () => hostile,
  () => Object.defineProperty({}, 'threadId', { get: hostile, enumerable: true }),
  () => ({ toString: hostile, valueOf: hostile, toJSON: hostile }),
  () => new Proxy({}, { get: hostile, ownKeys: hostile, getOwnPropertyDescriptor: hostile }),
  () => new Proxy([], { get: hostile }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => Object.create(null),
  () => Object.create({ runId: 'inherited', threadId: 'inherited' }),
  () =>
    new (class Run {
      runId = 'of a class';
    })(),
  () => Promise.resolve('later'),
  () => new WeakMap(),
];

const VALUES: Readonly<Record<Carrier, readonly (() => unknown)[]>> = {
  json: JSON_VALUES,
  clone: [...JSON_VALUES, ...CLONE_VALUES],
  memory: [...JSON_VALUES, ...CLONE_VALUES, ...MEMORY_VALUES],
};

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'extra',
  '',
  '0',
];
const NAMES: readonly unknown[] = [
  ...['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'prototype', ''],
  ...['runs', 'runs.', 'RUNS.START', ' runs.start', 'runs.start\u0000', 'settings.get.input'],
  ...['x'.repeat(100_000), '../runs.start', 'runs.start,app.info', '__defineGetter__'],
  ...[null, 0, true, ['app.info'], { name: 'app.info' }],
];

/** Every object and list in a value, the value itself first. */
function placesOf(value: unknown): (Record<string, unknown> | unknown[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(placesOf)];
}

type Mutation = (input: unknown, random: Random, carrier: Carrier) => unknown;

const inPlace =
  (
    change: (place: Record<string, unknown> | unknown[], random: Random, carrier: Carrier) => void,
  ): Mutation =>
  (input, random, carrier) => {
    const places = placesOf(input);
    if (places.length > 0) change(pick(random, places), random, carrier);
    return input;
  };

const badValue = (random: Random, carrier: Carrier): unknown => pick(random, VALUES[carrier])();

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  whole: (_input, random, carrier) => badValue(random, carrier),
  wrongType: inPlace((place, random, carrier) => {
    const keys = Object.keys(place);
    if (keys.length > 0) own(place, pick(random, keys), badValue(random, carrier));
  }),
  missing: inPlace((place, random) => {
    const keys = Object.keys(place);
    if (keys.length > 0) Reflect.deleteProperty(place, pick(random, keys));
  }),
  unknownField: inPlace((place, random, carrier) => {
    own(place, pick(random, KEYS), badValue(random, carrier));
  }),
  circle: inPlace((place, random, carrier) => {
    const keys = Object.keys(place);
    // JSON knows no circles; a path that leads nowhere is the nearest thing.
    own(
      place,
      keys.length > 0 ? pick(random, keys) : 'self',
      carrier === 'json' ? { $ref: '#' } : place,
    );
  }),
  listed: (input) => [input],
  asText: (input, _random, carrier) =>
    carrier === 'memory' ? String(input) : JSON.stringify(input),
};

/** Costly to make and to carry: one in some hundred. */
const HUGE: Readonly<Record<string, Mutation>> = {
  hugeText: inPlace((place, random) => {
    const keys = Object.keys(place);
    if (keys.length > 0)
      own(place, pick(random, keys), 'x'.repeat(pick(random, [100_001, 2_000_001])));
  }),
  hugeList: inPlace((place, random) => {
    const keys = Object.keys(place);
    if (keys.length > 0)
      own(
        place,
        pick(random, keys),
        Array.from({ length: 20_000 }, () => 'id'),
      );
  }),
  manyFields: inPlace((place) => {
    for (let i = 0; i < 2_000; i += 1) own(place, `field${i}`, i);
  }),
  deep: inPlace((place, random) => {
    const keys = Object.keys(place);
    if (keys.length > 0) own(place, pick(random, keys), nested(1_000));
  }),
};

/** One message. About a tenth are valid and a tenth have a name that is none. */
export function hostileMessage(random: Random, carrier: Carrier): HostileMessage {
  const name = pick(random, REQUEST_NAMES);
  const input = validInput(name, random);
  const choice = random();
  if (choice < 0.1) return { name, input, what: 'valid' };
  if (choice < 0.2) {
    const odd = [...NAMES, ...(carrier === 'memory' ? [Symbol.iterator, hostile] : [])];
    return { name: pick(random, odd), input, what: 'name' };
  }
  const table = choice < 0.205 ? HUGE : MUTATIONS;
  const what = pick(random, Object.keys(table));
  const mutation = table[what];
  return { name, input: mutation?.(input, random, carrier), what };
}
