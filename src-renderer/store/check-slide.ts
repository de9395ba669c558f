import type { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { Slide } from '#contract/slides.ts';
import { slideStrings } from '../strings/slides.ts';
import { isFilled, type SlideForm, slideOf } from './slide-form.ts';

const words = slideStrings.problems;
const inForm = slideStrings.form;

/** What is wrong in a slot. */
export interface SlotProblem {
  readonly text: string;
  /** The field of the slot, by its name or as `row column`; null for all of it. */
  readonly field: string | null;
}

export type SlotProblems = ReadonlyMap<string, SlotProblem>;

export type CheckedSlide =
  | { readonly ok: true; readonly slide: Slide }
  /** The first fault of each slot of the form. */
  | { readonly ok: false; readonly problems: SlotProblems };

/** Holds what was typed to the contract. */
export function checkSlide(form: SlideForm): CheckedSlide {
  const result = safeParse(Slide, slideOf(form));
  if (result.success) return { ok: true, slide: result.data };
  const problems = new Map<string, SlotProblem>();
  for (const issue of result.error.issues) {
    const [first = ''] = issue.path;
    const slot = first === 'columns' || first === 'rows' ? 'table' : String(first);
    if (problems.has(slot)) continue;
    const place = placeOf(form, issue.path);
    const problem = problemOf(issue);
    const text = place === null ? capitalized(problem) : words.at(place.label, problem);
    problems.set(slot, { text, field: place?.field ?? null });
  }
  return { ok: false, problems };
}

interface FieldPlace {
  readonly field: string | null;
  readonly label: string;
}

/** Where in its slot; null for the slot itself. */
function placeOf(form: SlideForm, [slot, ...path]: readonly PropertyKey[]): FieldPlace | null {
  const [first, second] = path.filter((part) => typeof part === 'number');
  const names = path.filter((part) => typeof part === 'string');
  const name = names.at(-1) ?? '';
  if (first === undefined) {
    const label = LABELS[name];
    return label === undefined ? null : { field: name, label };
  }
  const row = first + 1;
  if (slot === 'columns') return { field: `0 ${first}`, label: inForm.column(row) };
  if (slot === 'rows') {
    return second === undefined
      ? { field: `${row} 0`, label: inForm.row(row) }
      : { field: `${row} ${second}`, label: inForm.cell(row, second + 1) };
  }
  if (name === 'categories') return { field: `${row} 0`, label: inForm.category(row) };
  if (names[0] === 'series') {
    return second === undefined
      ? { field: `0 ${row}`, label: inForm.series(row) }
      : { field: `${second + 1} ${row}`, label: inForm.value(second + 1, row) };
  }
  const pairs = form.slots[String(slot)];
  if (pairs?.kind !== 'pairs') return { field: null, label: words.entry(row) };
  // Rows in which nothing was typed are no part of the slide.
  const typed = [...pairs.rows.entries()].filter(([, one]) => isFilled(one));
  const at = typed[first]?.[0] ?? first;
  const part = pairs.names[1] === name ? 'second' : 'first';
  return { field: `${at} ${part}`, label: inForm.inRow(pairLabel(form, name) ?? name, at + 1) };
}

/** What a field of a row is called; undefined for other fields. */
export function pairLabel({ base }: SlideForm, name: string): string | undefined {
  return inForm.pairs[base.layout === 'timeline' && name === 'name' ? 'when' : name];
}

const LABELS: Readonly<Record<string, string>> = {
  heading: inForm.heading,
  path: inForm.path,
  alt: inForm.alt,
  xTitle: inForm.xTitle,
  yTitle: inForm.yTitle,
  unit: inForm.unit,
};

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return issue.origin === 'string' ? words.empty : words.none;
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum);
    return issue.origin === 'string' ? words.tooLong(most) : words.tooMany(most);
  }
  if (issue.code === 'invalid_type' && issue.expected === 'number') return words.notNumber;
  return words.other;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
