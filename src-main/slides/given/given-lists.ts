import type { Slide } from '#contract/slides.ts';
import type { ReadPicture } from './given-picture.ts';
import { entryRecord, fromJson, type GivenSlots, pick, recordOf } from './given-slots.ts';
import {
  entriesOf,
  isEmpty,
  linesOf,
  lineText,
  plainText,
  proseText,
  withoutNumbers,
} from './given-text.ts';

/** Lists of a slide: items, steps, numbers, people. */

type Of<Layout extends Slide['layout']> = Extract<Slide, { layout: Layout }>;
export type Step = Of<'process'>['steps'][number];
type BigNumber = Of<'big_number'>['numbers'][number];
type Member = Of<'team'>['people'][number];

const HEAD = 'title heading name label term header';
const DETAIL =
  'text description detail details desc explanation content body item point bullet value event';
const WITHIN = 'items subitems sub_items children bullets points sub_points';
const LONGEST_NAME = 80;

/** A list of short texts, in whichever form it was given. */
export function readItems(given: unknown): string[] {
  const list = rawItems(given);
  return withoutNumbers(list, { read: (text) => text, write: (_, text) => text });
}

function rawItems(given: unknown): string[] {
  const value = fromJson(given);
  if (typeof value === 'string') return linesOf(value);
  return asList(value).flatMap((entry) => {
    if (typeof entry === 'string') return entriesOf(entry);
    if (Array.isArray(entry)) return rawItems(entry);
    const record = recordOf(entry);
    if (record === null) return lineText(entry) ?? [];
    const head = lineText(pick(record, HEAD));
    const detail = lineText(pick(record, DETAIL));
    if (head === null && detail === null && !isEmpty(entry) && pick(record, WITHIN) === undefined) {
      return entriesOfRecord(entry as object);
    }
    const text = [head, detail].filter((part) => part !== null).join(': ');
    return [...(text === '' ? [] : linesOf(text)), ...rawItems(pick(record, WITHIN) ?? [])];
  });
}

/** `{"1": "one", "2": "two"}`, and `{"Price": "5 EUR"}`. */
function entriesOfRecord(given: object): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const text = lineText(value);
    if (text === null) return [];
    return /^\d+$/.test(key) ? text : `${key}: ${text}`;
  });
}

/** Items with their heading, from `{"title": …, "items": […]}` or a list; null where nothing is there. */
export function readColumn(given: unknown): { heading: string | null; items: string[] } {
  const record = recordOf(given);
  if (record === null) return { heading: null, items: readItems(given ?? []) };
  const items = readItems(pick(record, `${WITHIN} list text content body description`) ?? []);
  return { heading: lineText(pick(record, HEAD)), items };
}

const WHEN = 'date year when time period quarter month day';

/** Steps of a timeline or a process: what each is called, and what it is. */
export function readSteps(given: unknown, slots: GivenSlots): Step[] {
  const value = fromJson(given);
  const list = typeof value === 'string' ? linesOf(value) : asList(value);
  const steps = list.flatMap((entry, i): Step[] => {
    const record = recordOf(entry);
    if (record === null) {
      const [name, ...rest] = (Array.isArray(entry) ? entry : [entry]).flatMap(linesOf);
      if (name === undefined) return [];
      return rest.length === 0 ? [splitStep(name)] : [{ name, text: rest.join('\n') }];
    }
    const when = lineText(pick(record, WHEN));
    const stepName = record.get('step');
    const named = isStepNumber(stepName, i) ? undefined : stepName;
    const head = lineText(pick(record, `${HEAD} phase stage milestone`) ?? named);
    const detail = proseText(pick(record, DETAIL) ?? pick(record, WITHIN));
    const [name = null, ...texts] = [when, head, detail].filter((part) => part !== null);
    if (name === null) {
      if (!isEmpty(entry)) slots.problems.push(`steps, entry ${i + 1}, has no name.`);
      return [];
    }
    return [{ name: name.replace(/\s*\n\s*/g, ' '), text: texts.join(': ') }];
  });
  return withoutNumbers(steps, {
    read: ({ name }) => name,
    write: ({ text }, name) => (text === '' ? splitStep(name) : { name, text }),
  });
}

function isStepNumber(given: unknown, i: number): boolean {
  return new RegExp(`^(?:step )?${i + 1}$`, 'i').test(lineText(given) ?? '');
}

/** “2021: Founded” is when, and what. */
function splitStep(line: string): Step {
  const [name, text] = splitLine(line);
  return { name, text: linesOf(text).join(' ') };
}

/** What comes before a colon or a dash, and what after it; all of it where there is none. */
function splitLine(line: string): readonly [string, string] {
  const [, head = '', rest = ''] = /^(.+?)(?:: +|：\s*| [-–—] )(.+)$/.exec(line) ?? [];
  const isSplit = head !== '' && head.length <= LONGEST_NAME;
  return isSplit ? [head.trim(), rest.trim()] : [line, ''];
}

/** Values with what they count. */
export function readNumbers(given: unknown, slots: GivenSlots): BigNumber[] {
  const value = fromJson(given);
  const single = recordOf(value);
  const isOne = single !== null && (single.has('value') || single.has('label'));
  const list = Array.isArray(value) || isOne ? asList(value) : pairsOf(value);
  return list.flatMap((entry, i): BigNumber[] => {
    if (isEmpty(entry)) return [];
    const [value, label = ''] =
      typeof entry === 'string' ? splitLine(lineText(entry) ?? '') : [entry];
    const record =
      recordOf(entry) ??
      new Map([
        ['value', value],
        ['label', label],
      ]);
    const figure = lineText(pick(record, 'value number figure stat metric_value amount'));
    const what = lineText(pick(record, 'label description text title name caption metric desc'));
    const unit = lineText(pick(record, 'unit suffix')) ?? '';
    if (figure === null) slots.problems.push(`numbers, entry ${i + 1}, has no value.`);
    if (what === null) slots.problems.push(`numbers, entry ${i + 1}, has no label.`);
    if (figure === null || what === null) return [];
    const isThere = unit === '' || figure.endsWith(unit);
    return [
      { value: isThere ? figure : `${figure}${unit === '%' ? '' : ' '}${unit}`, label: what },
    ];
  });
}

function pairsOf(given: unknown): unknown[] {
  if (typeof given !== 'object' || given === null) return asList(given);
  return Object.entries(given).map(([label, value]) => ({ label, value: fromJson(value) }));
}

export function readPeople(given: unknown, slots: GivenSlots, picture: ReadPicture): Member[] {
  const value = fromJson(given);
  const list = typeof value === 'string' ? linesOf(value) : peopleOf(value);
  return list.flatMap((entry, i): Member[] => {
    if (isEmpty(entry)) return [];
    const record = recordOf(entry);
    if (record === null) {
      const [name = '', ...role] = (lineText(entry) ?? '').split(/, | [-–—] |: |，|：/);
      return [{ name: name.trim(), role: role.join(', ').trim(), picture: null }];
    }
    const name = lineText(pick(record, 'name full_name'));
    const role = lineText(pick(record, 'role position job job_title title function text')) ?? '';
    if (name === null) {
      slots.problems.push(`people, entry ${i + 1}, has no name.`);
      return [];
    }
    return [{ name, role, picture: picture(record, `people, entry ${i + 1}: image`) }];
  });
}

/** `{"Ann Lee": "CEO"}` is a record of people. */
function peopleOf(given: unknown): unknown[] {
  const record = Array.isArray(given) ? null : recordOf(given);
  if (record === null || record.has('name')) return asList(given);
  return Object.entries(given as object).map(([name, role]) => ({ name, role }));
}

/** Sources, one an entry. */
export function readSources(given: unknown): string[] {
  const value = fromJson(given);
  if (typeof value === 'string') return linesOf(value);
  return asList(value).flatMap((entry) => {
    const record = entryRecord(entry);
    if (record === null)
      return typeof entry === 'string' ? entriesOf(entry) : (plainText(entry) ?? []);
    const parts = ['title name text author publisher', 'year date', 'url link href address path'];
    const texts = parts.flatMap((names) => lineText(pick(record, names)) ?? []);
    return linesOf(texts.join(', '));
  });
}

function asList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
