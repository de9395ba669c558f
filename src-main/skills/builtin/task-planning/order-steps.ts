import { TOOL_NAMES } from '#contract/tool-names.ts';
import type { StepDraft } from './plan-draft.ts';

export interface PlannedStep extends Omit<StepDraft, 'id'> {
  /** `s1`, `s2`, … in an order in which the steps can be done. */
  readonly id: string;
}

export interface OrderedSteps {
  readonly steps: readonly PlannedStep[];
  /** What was mended, in words. */
  readonly notes: readonly string[];
}

/**
 * Steps whose dependencies exist, are free of circles and stand before what needs them. Steps that say
 * the same become one; models name steps as they like, so ids are given anew.
 */
export function orderSteps(given: readonly StepDraft[]): OrderedSteps {
  const notes: string[] = [];
  const { drafts, indexOf } = withoutDoubles(given, notes);
  const needs = dependencies(drafts, indexOf, notes);
  const order = workOrder(needs);
  const idOf = new Map(order.map((index, position) => [index, `s${position + 1}`]));
  const known: ReadonlySet<string> = new Set(TOOL_NAMES);
  const steps = order.flatMap((index) => {
    const draft = drafts[index];
    if (draft === undefined) return [];
    const ids = [...(needs[index] ?? [])].map((need) => idOf.get(need) ?? '');
    return [
      {
        ...draft,
        id: idOf.get(index) ?? '',
        depends_on: ids.sort((one, other) => Number(one.slice(1)) - Number(other.slice(1))),
        tools_hint: [...new Set(draft.tools_hint.map((name) => name.trim()))].filter((name) =>
          known.has(name),
        ),
      },
    ];
  });
  if (order.some((index, position) => index !== position)) {
    notes.push('The steps were put into an order in which they can be done.');
  }
  return { steps, notes };
}

/** The steps that differ, and which one every name that a model may have used stands for. */
function withoutDoubles(
  given: readonly StepDraft[],
  notes: string[],
): { readonly drafts: StepDraft[]; readonly indexOf: ReadonlyMap<string, number> } {
  const drafts: StepDraft[] = [];
  const bySaying = new Map<string, number>();
  const indexOf = new Map<string, number>();
  for (const [position, draft] of given.entries()) {
    const saying = nameOf(`${draft.title}\n${draft.goal}`);
    const double = bySaying.get(saying);
    const index = double ?? drafts.length;
    if (double === undefined) {
      bySaying.set(saying, index);
      drafts.push(draft);
    } else notes.push(`Two steps said the same (${draft.title}) and are one.`);
    const number = String(position + 1);
    for (const name of [draft.id, `s${number}`, `step ${number}`, number, draft.title]) {
      const key = nameOf(name);
      if (key !== '' && !indexOf.has(key)) indexOf.set(key, index);
    }
  }
  return { drafts, indexOf };
}

function dependencies(
  drafts: readonly StepDraft[],
  indexOf: ReadonlyMap<string, number>,
  notes: string[],
): ReadonlySet<number>[] {
  const needs = drafts.map(() => new Set<number>());
  const forward: [number, number][] = [];
  for (const [index, { title, depends_on: names }] of drafts.entries()) {
    for (const name of names) {
      const need = indexOf.get(nameOf(name));
      if (need === undefined) {
        notes.push(`${title} needed ${JSON.stringify(name)}, which is no step; that was left out.`);
      } else if (need < index) needs[index]?.add(need);
      // The plan's own order is trusted first: what looks back can make no circle.
      else forward.push([index, need]);
    }
  }
  for (const [index, need] of forward) {
    if (!reaches(needs, need, index)) {
      needs[index]?.add(need);
      continue;
    }
    const [title, other] = [drafts[index]?.title ?? '', drafts[need]?.title ?? ''];
    notes.push(
      index === need
        ? `${title} needed itself; that was left out.`
        : `${title} and ${other} needed each other; that ${title} needs ${other} was left out.`,
    );
  }
  return needs;
}

function reaches(needs: readonly ReadonlySet<number>[], from: number, to: number): boolean {
  const open = [from];
  const seen = new Set<number>();
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (index === to) return true;
    if (seen.has(index)) continue;
    seen.add(index);
    open.push(...(needs[index] ?? []));
  }
  return false;
}

/** Indexes with what each needs before it, else as they stand. */
function workOrder(needs: readonly ReadonlySet<number>[]): number[] {
  const order: number[] = [];
  const left = new Set(needs.keys());
  while (left.size > 0) {
    const next = [...left].find((index) =>
      [...(needs[index] ?? [])].every((one) => !left.has(one)),
    );
    if (next === undefined) throw new Error('The steps of a plan go in a circle');
    left.delete(next);
    order.push(next);
  }
  return order;
}

function nameOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}
