import { TOOL_NAMES } from '#contract/tools.ts';
import type { StepDraft } from './plan-draft.ts';

export interface PlannedStep extends Omit<StepDraft, 'id'> {
  /** `s1`, `s2`, … in an order in which the steps can be done. */
  readonly id: string;
}

export interface OrderedSteps {
  readonly steps: readonly PlannedStep[];
  /** What was corrected, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Steps whose dependencies exist, have no cycles and come before the steps that need them. Steps that say
 * the same become one; models name steps as they like, so ids are assigned again.
 */
export function orderSteps(given: readonly StepDraft[]): OrderedSteps {
  const notes: string[] = [];
  const { drafts, indexOf } = withoutDuplicates(given, notes);
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
    notes.push('The steps were reordered so that each comes after those it needs.');
  }
  return { steps, notes };
}

/** The distinct steps, and the index of the step behind every name that a model may use. */
function withoutDuplicates(
  given: readonly StepDraft[],
  notes: string[],
): { readonly drafts: StepDraft[]; readonly indexOf: ReadonlyMap<string, number> } {
  const drafts: StepDraft[] = [];
  const byText = new Map<string, number>();
  const indexOf = new Map<string, number>();
  for (const [position, draft] of given.entries()) {
    const text = nameOf(`${draft.title}\n${draft.goal}`);
    const duplicate = byText.get(text);
    const index = duplicate ?? drafts.length;
    if (duplicate === undefined) {
      byText.set(text, index);
      drafts.push(draft);
    } else notes.push(`Two steps said the same (${draft.title}) and were merged.`);
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
        notes.push(
          `${title} needed ${JSON.stringify(name)}, which is not a step; this was left out.`,
        );
      } else if (need < index) needs[index]?.add(need);
      // The plan's own order is trusted first: dependencies on earlier steps cannot form a cycle.
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
        ? `${title} needed itself; this was left out.`
        : `${title} and ${other} needed each other; the dependency of ${title} on ${other} was left out.`,
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

/** Indexes in dependency order, otherwise in the given order. */
function workOrder(needs: readonly ReadonlySet<number>[]): number[] {
  const order: number[] = [];
  const left = new Set(needs.keys());
  while (left.size > 0) {
    const next = [...left].find((index) =>
      [...(needs[index] ?? [])].every((one) => !left.has(one)),
    );
    if (next === undefined) throw new Error('The steps of a plan form a cycle');
    left.delete(next);
    order.push(next);
  }
  return order;
}

function nameOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}
