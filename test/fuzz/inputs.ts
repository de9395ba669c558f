import { createRandom, type Random } from '../setup/sampling.ts';
import { type FuzzInput, type FuzzTarget, HOLE } from './types.ts';

/** Inputs for a target: the same ones for the same seed. */

const MIB = 1024 * 1024;
/** No socket and no pipe gives more at once. */
const SOCKET_BYTES = 65_536;
const DEPTHS = [20_000, 200_000];
/** What opens and closes, in any grammar here. */
const NESTS: readonly (readonly [open: string, close: string])[] = [
  ...([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
    ['(', ')'],
    ['<', '>'],
  ] as const),
  ...([
    ['<a>', '</a>'],
    ['<think>', '</think>'],
    ['"', '"'],
    ["'", "'"],
    ['`', '`'],
  ] as const),
  ...([
    ['\\', ''],
    ['```', '```\n'],
    ['- ', '\n'],
    ['> ', '\n'],
    ['*', '*'],
  ] as const),
];
const LINES = [
  'a',
  'A9',
  ' ',
  '\n',
  '\r\n',
  '0',
  '-',
  '.',
  '/',
  '=',
  '%41',
  'é',
  '中',
  '\u0000',
  '\ud800',
  '🙂',
];
const ODD = [
  ...['\u0000', '\u001b[31m', '\u202e', '\ufeff', '\ud800', '\udfff', '\u2028', '\r', '\n\n', '\t'],
  ...[
    '"',
    "'",
    '\\',
    '\\u0000',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '&#0;',
    '%00',
    '-1',
    '1e999',
  ],
  ...[
    '99999999999999999999',
    'NaN',
    'null',
    'true',
    '__proto__',
    'constructor',
    '../',

    '```',
  ],
];

/** Which input of which run. */
export interface InputPlace {
  readonly seed: number;
  readonly index: number;
  readonly count: number;
  /** Most bytes, where the target would take more. */
  readonly longest?: number;
}

type Sized = FuzzTarget & { readonly longest: number };

/** The hostile structures that there are for a target. */
function structuresOf(target: Sized): readonly ((random: Random) => string)[] {
  const { longest } = target;
  const filled = (unit: string): string =>
    unit.repeat(Math.max(1, Math.floor(longest / Buffer.byteLength(unit))));
  const nests: ((random: Random) => string)[] = NESTS.flatMap(([open, close]) =>
    DEPTHS.flatMap((depth) => [
      () => open.repeat(depth),
      () => open.repeat(depth) + (close === '' ? '' : `1${close.repeat(depth)}`),
    ]),
  );
  const long: ((random: Random) => string)[] = [...LINES, ...target.tokens].map(
    (unit) => () => filled(unit),
  );
  const mixed = target.tokens.flatMap((token) => [
    () => filled(`${token}a`),
    () => filled(`${token}\n`),
    (random: Random) => filled(token + pick(random, target.tokens)),
    (random: Random) => filled(pick(random, target.tokens)) + token,
  ]);
  const plain = [...nests, ...long, ...mixed];
  const holed = textSeeds(target).filter((seed) => seed.includes(HOLE));
  const within = holed.flatMap((seed) =>
    [...nests, ...long].map(
      (make) => (random: Random) => seed.replaceAll(HOLE, () => make(random)),
    ),
  );
  const repeated = textSeeds(target).map((seed) => () => filled(seed.replaceAll(HOLE, '1')));
  return [...plain, ...within, ...repeated];
}

/** The `index`th of `count` inputs: hostile structures spread among mutations of what is valid. */
export function makeInput(of: FuzzTarget, at: InputPlace): FuzzInput {
  const most = of.maxBytes ?? MIB;
  const target: Sized = { ...of, longest: Math.min(most, at.longest ?? most) };
  const random = createRandom(hash(`${at.seed} ${target.name} ${at.index}`));
  const structures = structuresOf(target);
  // One in ten at most, so that a short run has both.
  const shown = Math.min(structures.length, Math.ceil(at.count / 10));
  const every = Math.max(1, Math.floor(at.count / shown));
  const turn = at.index / every;
  const structure =
    Number.isInteger(turn) && turn < shown
      ? structures[
          Math.floor(((turn + (at.seed % 97) / 97) * structures.length) / shown) % structures.length
        ]
      : undefined;
  const text = structure === undefined ? mutated(target, random) : structure(random);
  return inputOf(target, text, random);
}

function inputOf(target: Sized, given: string, random: Random): FuzzInput {
  const isBinary = typeof target.seeds[0] !== 'string';
  const { longest } = target;
  const text = given.length > longest ? given.slice(0, longest) : given;
  let bytes = Buffer.from(text, isBinary ? 'latin1' : 'utf8').subarray(0, longest);
  if (!isBinary && random() < 0.1 && bytes.length > 0) {
    // Broken UTF-8.
    bytes = Buffer.from(bytes);
    bytes[Math.floor(random() * bytes.length)] = 0x80 + Math.floor(random() * 0x80);
  }
  return { text, bytes, chunks: cut(bytes, random), random };
}

function cut(bytes: Buffer, random: Random): Buffer[] {
  const choice = random();
  if (bytes.length < 2) return [bytes];
  const chunks: Buffer[] = [];
  const most = choice < 0.2 ? 1 : choice < 0.4 ? 16 : choice < 0.6 ? 1_000 : SOCKET_BYTES;
  // One byte at a time for a megabyte would be a test of the stream.
  const size = Math.max(most, Math.ceil(bytes.length / 20_000));
  for (let at = 0; at < bytes.length; ) {
    const isWhole = size === 1 || choice > 0.8;
    const next = at + (isWhole ? size : 1 + Math.floor(random() * size));
    chunks.push(bytes.subarray(at, next));
    at = next;
  }
  return chunks;
}

/** A valid input with some things done to it. */
function mutated(target: FuzzTarget, random: Random): string {
  const seeds = textSeeds(target);
  let text = pick(random, seeds).replaceAll(HOLE, () => pick(random, ['1', '"x"', '{"a":1}', 'x']));
  const times = Math.floor(random() * 6);
  for (let i = 0; i < times; i += 1) text = mutateOnce(text, { target, random, seeds });
  return text;
}

function mutateOnce(
  text: string,
  { target, random, seeds }: { target: FuzzTarget; random: Random; seeds: readonly string[] },
): string {
  const at = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, at + 1 + Math.floor(random() ** 3 * text.length));
  const put = (piece: string, to = at): string => text.slice(0, at) + piece + text.slice(to);
  switch (Math.floor(random() * 9)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return put('', end);
    case 2:
      return put(text.slice(at, end).repeat(2 + Math.floor(random() * 3)), end);
    case 3:
      return put(
        String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << Math.floor(random() * 8))),
        at + 1,
      );
    case 4:
      return put(pick(random, ODD));
    case 5:
      return target.tokens.length === 0 ? put(pick(random, ODD)) : put(pick(random, target.tokens));
    case 6: {
      const other = pick(random, seeds);
      const from = Math.floor(random() * other.length);
      return put(other.slice(from, from + 1 + Math.floor(random() * other.length)));
    }
    case 7: {
      const piece =
        target.tokens.length > 0 && random() < 0.5
          ? pick(random, target.tokens)
          : pick(random, ODD);
      return put(piece.repeat(1 + Math.floor(random() * 300)));
    }
    default:
      return put(text.slice(at, end).split('').reverse().join(''), end);
  }
}

function textSeeds({ seeds }: FuzzTarget): string[] {
  return seeds.map((seed) => (typeof seed === 'string' ? seed : seed.toString('latin1')));
}

function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
