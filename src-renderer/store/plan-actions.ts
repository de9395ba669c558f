import { MAX_EDITED_STEPS, type Plan } from '#contract/plans.ts';
import { planStrings } from '../strings/plan.ts';
import { withEntry } from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import {
  type EditRow,
  mergeEdit,
  moveRow,
  type PlanEdit,
  startEdit,
  toDraft,
} from './plan-edit.ts';

export interface PlanActions {
  /** Reads the plan as main has it: an edit may be ahead of the log. */
  load(runId: string): Promise<void>;
  /** A plan was changed elsewhere. */
  receive(plan: Plan): void;
  /** Starts to edit a plan, from its current state. */
  edit(runId: string): Promise<void>;
  /** Drops the edit. */
  discard(runId: string): void;
  rename(runId: string, key: string, title: string): void;
  move(runId: string, key: string, by: -1 | 1): void;
  drop(runId: string, key: string): void;
  /** Adds an empty step at the end; returns its key, or null if the plan is full. */
  add(runId: string): string | null;
  /** True once main has it. If the plan has changed in the meantime, the edit is rebased onto it. */
  save(runId: string): Promise<boolean>;
}

export function createPlanActions(context: ActionContext): PlanActions {
  const { store, bridge } = context;
  let nextRow = 1;

  const editOf = (runId: string): PlanEdit | undefined => store.get().planEdits.get(runId);
  const put = (runId: string, edit: PlanEdit | null): void =>
    store.update((state) => ({ ...state, planEdits: withEntry(state.planEdits, runId, edit) }));
  function changeRows(
    runId: string,
    change: (rows: readonly EditRow[]) => readonly EditRow[],
  ): void {
    const edit = editOf(runId);
    if (edit !== undefined) put(runId, { ...edit, rows: change(edit.rows) });
  }

  function receive(plan: Plan): void {
    store.update((state) => {
      const known = state.plans.get(plan.runId);
      if (known !== undefined && known.revision > plan.revision) return state;
      return { ...state, plans: withEntry(state.plans, plan.runId, plan) };
    });
  }

  async function read(runId: string): Promise<Plan | null> {
    const data = await ask(context, 'plans.get', { runId });
    if (data === null || data.plan === null) return null;
    receive(data.plan);
    return data.plan;
  }

  return {
    receive,
    load: async (runId) => void (await read(runId)),
    edit: async (runId) => {
      if (editOf(runId) !== undefined) return;
      const plan = await read(runId);
      if (plan === null) showToast(store, 'error', planStrings.edit.none);
      else put(runId, startEdit(plan));
    },
    discard: (runId) => put(runId, null),
    rename: (runId, key, title) =>
      changeRows(runId, (rows) => rows.map((row) => (row.key === key ? { ...row, title } : row))),
    move: (runId, key, by) => changeRows(runId, (rows) => moveRow(rows, key, by)),
    drop: (runId, key) => changeRows(runId, (rows) => rows.filter((row) => row.key !== key)),
    add: (runId) => {
      const edit = editOf(runId);
      if (edit === undefined || edit.rows.length >= MAX_EDITED_STEPS) return null;
      const key = `new ${nextRow++}`;
      changeRows(runId, (rows) => [...rows, { key, id: null, title: '', fixed: false }]);
      return key;
    },
    save: async (runId) => {
      const edit = editOf(runId);
      if (edit === undefined || edit.saving) return false;
      put(runId, { ...edit, saving: true, problem: null, lost: [] });
      const { revision } = edit;
      const result = await bridge.request('plans.edit', { runId, revision, steps: toDraft(edit) });
      if (result.ok) {
        receive(result.data.plan);
        put(runId, null);
        return true;
      }
      const { code, message } = result.error;
      // The current plan decides, whether it was replanned or a step has started since.
      const plan = code === 'CONFLICT' || code === 'BAD_REQUEST' ? await read(runId) : null;
      const latest = editOf(runId) ?? edit;
      const merged = plan === null ? latest : mergeEdit(latest, plan);
      const problem = plan === null ? message : planStrings.edit.conflict(message);
      put(runId, { ...merged, saving: false, problem });
      return false;
    },
  };
}
