import { parseOutsideJson } from '../../base/outside-json.ts';
import { isEmpty } from './given-text.ts';
import { plainName } from './slide-names.ts';

/** Slots whose content a slide must show, or be refused. */
const SHOWN = [
  ...['subtitle', 'text', 'items', 'left', 'right', 'left_title', 'right_title', 'by', 'numbers'],
  ...['steps', 'columns', 'rows', 'chart', 'file', 'image', 'people'],
];
/** Objects in which models put the slots of a slide. */
const WRAPPERS = ['content', 'slots', 'fields', 'body', 'slide'];

/** The slots of one given slide, by any of their names. A layout takes those that it shows. */
export class GivenSlots {
  readonly problems: string[] = [];
  readonly #slots: ReadonlyMap<string, unknown>;
  readonly #taken = new Set<string>();

  constructor(given: object) {
    const slots = new Map<string, unknown>();
    for (const record of [given, ...wrapped(given)]) {
      for (const [key, value] of Object.entries(record)) {
        const name = plainName(key);
        if (!slots.has(name) && !isEmpty(value)) slots.set(name, value);
      }
    }
    this.#slots = slots;
  }

  has(name: string): boolean {
    return this.#slots.has(name);
  }

  hasText(name: string, pattern: RegExp): boolean {
    const value = this.#slots.get(name);
    return typeof value === 'string' && pattern.test(value);
  }

  /** The first of these that is there; undefined where none is. */
  take(...names: readonly string[]): unknown {
    const name = names.find((one) => this.#slots.has(one));
    if (name === undefined) return undefined;
    this.#taken.add(name);
    return this.#slots.get(name);
  }

  /** Notes what is missing, and what is to be done about it. */
  miss(slot: string, advice: string): void {
    this.problems.push(`${slot} is missing. ${advice}`);
  }

  /** What `read` finds; where that is nothing, and no problem either, the slot is missing. */
  need<Entry>(slot: string, advice: string, read: () => Entry[]): Entry[] {
    const { length } = this.problems;
    const found = read();
    if (found.length === 0 && this.problems.length === length) this.miss(slot, advice);
    return found;
  }

  /** What is there, and nobody took. */
  get left(): string[] {
    return SHOWN.filter((name) => this.#slots.has(name) && !this.#taken.has(name));
  }
}

/** A record whose keys are plain names; null for anything else. */
export function recordOf(given: unknown): ReadonlyMap<string, unknown> | null {
  const value = fromJson(given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value).map(([key, inner]) => [plainName(key), inner]));
}

/** The same for an entry that may be a text: one that looks like JSON stays a text. */
export function entryRecord(given: unknown): ReadonlyMap<string, unknown> | null {
  return typeof given === 'string' ? null : recordOf(given);
}

/** The first of these that says something. */
export function pick(record: ReadonlyMap<string, unknown>, names: string): unknown {
  const name = names.split(' ').find((one) => !isEmpty(record.get(one)));
  return name === undefined ? undefined : record.get(name);
}

/** Lists and records that a model wrote as JSON text, where a list or a record is expected: “[1]” may be a text. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseOutsideJson(value);
  } catch {
    // A text that only begins like JSON.
    return value;
  }
}

function wrapped(given: object): object[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const inner = WRAPPERS.includes(plainName(key)) ? fromJson(value) : null;
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? [inner] : [];
  });
}
