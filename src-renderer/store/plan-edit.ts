import type { Plan, PlanDraftStep } from '#contract/plans.ts';

/** A plan while the user edits it. Their text survives changes of the plan in the meantime. */
export interface PlanEdit {
  /** The revision that the rows were made from. */
  readonly revision: number;
  /** The titles of its steps, by id: what differs is from the user. */
  readonly base: ReadonlyMap<string, string>;
  readonly rows: readonly EditRow[];
  readonly saving: boolean;
  /** Why the last attempt to save failed; null where none did. */
  readonly problem: string | null;
  /** Titles by the user whose steps can no longer be changed. */
  readonly lost: readonly string[];
}

export interface EditRow {
  /** Stays the same while the row is moved and renamed. */
  readonly key: string;
  /** Null for a step that the user added. */
  readonly id: string | null;
  readonly title: string;
  /** The step has started: it cannot change, and stays in front. */
  readonly fixed: boolean;
}

/** A plan as rows, before any edit. */
export function startEdit(plan: Plan): PlanEdit {
  return {
    revision: plan.revision,
    base: new Map(plan.steps.map(({ id, title }) => [id, title])),
    rows: plan.steps.map(rowOf),
    saving: false,
    problem: null,
    lost: [],
  };
}

function rowOf({ id, title, status }: Plan['steps'][number]): EditRow {
  return { key: id, id, title, fixed: status !== 'pending' };
}

/** Moves a row up (-1) or down (1), never before a started one. Returns the same rows if it cannot move. */
export function moveRow(rows: readonly EditRow[], key: string, by: -1 | 1): readonly EditRow[] {
  const from = rows.findIndex((row) => row.key === key);
  const [row, other] = [rows[from], rows[from + by]];
  if (row === undefined || other === undefined || row.fixed || other.fixed) return rows;
  const moved = [...rows];
  moved[from] = other;
  moved[from + by] = row;
  return moved;
}

/** The edit for main. New steps without a title are left out; known ones keep their old title. */
export function toDraft({ base, rows }: Pick<PlanEdit, 'base' | 'rows'>): PlanDraftStep[] {
  return rows.flatMap(({ id, title }) => {
    const text = title.trim();
    if (id !== null) return [{ id, title: text === '' ? (base.get(id) ?? id) : text }];
    return text === '' ? [] : [{ title: text }];
  });
}

export function isChanged({ base, rows }: PlanEdit): boolean {
  const before = [...base].map(([id, title]) => `${id} ${title}`);
  const now = rows.map(({ id, title }) => `${id ?? ''} ${title}`);
  return before.length !== now.length || before.some((one, index) => one !== now[index]);
}

/**
 * Rebases the user's edit onto a plan that has changed in the meantime: started steps are fixed and in
 * front, new ones are at the end, and the user's titles, moves, additions and removals stay.
 */
export function mergeEdit(edit: PlanEdit, plan: Plan): PlanEdit {
  const { base, rows } = edit;
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const isOpen = (id: string): boolean => steps.get(id)?.status === 'pending';
  const isRenamed = ({ id, title }: EditRow): boolean => id !== null && base.get(id) !== title;
  const fixed = plan.steps.filter(({ status }) => status !== 'pending').map(rowOf);
  const kept = rows.flatMap((row): EditRow[] => {
    if (row.id === null) return [row];
    const step = steps.get(row.id);
    // A title by the user for a step that is gone becomes a step of its own.
    if (step === undefined) return isRenamed(row) ? [{ ...row, id: null }] : [];
    if (!isOpen(row.id)) return [];
    return [{ ...row, title: isRenamed(row) ? row.title : step.title, fixed: false }];
  });
  const known = new Set([...base.keys(), ...rows.flatMap(({ id }) => id ?? [])]);
  const came = plan.steps.filter(({ id }) => isOpen(id) && !known.has(id)).map(rowOf);
  const lost = rows.filter((row) => isRenamed(row) && row.id !== null && isBegun(row.id));
  function isBegun(id: string): boolean {
    return steps.has(id) && !isOpen(id);
  }
  return {
    ...startEdit(plan),
    rows: [...fixed, ...kept, ...came],
    lost: [...edit.lost, ...lost.map(({ title }) => title)],
  };
}
