import { defined } from '#contract/defined.ts';
import type { ErrorEnvelope } from '#contract/errors.ts';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { RunSkill } from '#contract/skills.ts';
import { saveText } from '../bridge/save-file.ts';
import { EMPTY_DRAFT, type SkillDraft, type SkillsPage, withEntry } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';
import { chosenModel, chosenNetwork, draftOf, loadedValue } from './selectors.ts';
import type { SkillFilter } from './skill-list.ts';
import type { JsonSchema } from './skill-result.ts';
import { setOpen, type ThreadActions, withRuns, withThread } from './thread-actions.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;

/** The answer of main, or an error message for the caller to show. */
export type Answered<Value> =
  | { readonly ok: true; readonly data: Value }
  | { readonly ok: false; readonly error: ErrorEnvelope };

/** A message of a task that is answered by one skill. */
export interface SkillTurn {
  readonly prompt: string;
  readonly skill: RunSkill;
  readonly attachmentIds: string[];
}

export interface SkillActions {
  show(page: SkillsPage): void;
  filter(change: Partial<SkillFilter>): void;
  /** Keeps an unsaved source of a skill, or with null drops it. */
  draft(key: string, draft: SkillDraft | null): void;
  /** Loads the list, unless it is loaded. */
  load(): Promise<void>;
  /** A skill changed: the list and every view of a skill reload. */
  changed(): void;
  setEnabled(skillId: string, enabled: boolean): Promise<void>;
  /** Any request about skills; an error message goes to the caller. */
  ask<Name extends SkillRequest>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<Answered<RequestOutput<Name>>>;
  /** The output schema of a skill, cached until a skill changes; empty if there is none. */
  schemaOf(skillId: string): Promise<JsonSchema>;
  /** Starts a task with this text, as one skill if one is given, and shows it; else an error message. */
  run(prompt: string, skill?: RunSkill): Promise<ErrorEnvelope | null>;
  /** Starts such a task as the trial of the skill, without leaving the editor. */
  runHere(prompt: string, skill: RunSkill): Promise<ErrorEnvelope | null>;
  /** Starts such a run in a task that has none going on; else an error message. */
  runInTask(threadId: string, turn: SkillTurn): Promise<ErrorEnvelope | null>;
  /** Exports one of the user's skills as a file. */
  save(skillId: string): Promise<void>;
  /** Imports such a file, and shows its review; false if it was refused, after showing a toast. */
  importSkill(given: RequestInput<'skills.import'>): Promise<boolean>;
  remove(skillId: string): Promise<boolean>;
  /** Rescans the folders of Markdown skills. */
  refresh(): Promise<void>;
}

export function createSkillActions(
  context: ActionContext,
  threads: Pick<ThreadActions, 'open' | 'forget' | 'reload'>,
): SkillActions {
  const { store, bridge, feed } = context;
  let round = 0;

  const show = (page: SkillsPage): void =>
    store.update((state) => ({ ...state, route: { kind: 'skills', page }, settingsSection: null }));

  async function read(): Promise<void> {
    const mine = ++round;
    store.update((state) => {
      const known = loadedValue(state.skills);
      return {
        ...state,
        skills: known === null ? { phase: 'loading' } : { phase: 'loading', value: known },
      };
    });
    const result = await bridge.request('skills.list', {});
    // A later request is in flight, and its answer is newer.
    if (mine !== round) return;
    store.update((state) => ({
      ...state,
      skills: result.ok
        ? { phase: 'ready', value: result.data.skills }
        : { phase: 'failed', problem: result.error.message },
    }));
  }

  /** In a new task where `threadId` is null. */
  async function start(
    threadId: string | null,
    { prompt, skill, attachmentIds = [] }: Partial<SkillTurn> & Pick<SkillTurn, 'prompt'>,
  ): Promise<Answered<RequestOutput<'runs.start'>>> {
    const state = store.get();
    const draft = threadId === null ? EMPTY_DRAFT : draftOf(state, threadId);
    const model = chosenModel(state, threadId, draft);
    const request = defined({
      threadId: threadId ?? undefined,
      prompt,
      attachmentIds,
      options: defined({
        mode: 'task' as const,
        network: chosenNetwork(state, threadId, draft),
        model: model ?? undefined,
        skill,
      }),
    });
    const result = await bridge.request('runs.start', request);
    if (result.ok) {
      const { run, thread } = result.data;
      store.update((before) => withThread(withRuns(before, [run]), thread));
    }
    return result;
  }

  let schemas = new Map<string, Promise<JsonSchema>>();
  let schemaRound = -1;

  async function readSchema(skillId: string): Promise<JsonSchema> {
    const result = await bridge.request('skills.get', { skillId });
    // The skill is gone: its result is shown without a schema.
    return result.ok ? (result.data.skill.metadata?.outputSchema ?? {}) : {};
  }

  return {
    show,
    filter: (change) =>
      store.update((state) => ({ ...state, skillFilter: { ...state.skillFilter, ...change } })),
    draft: (key, draft) =>
      store.update((state) => ({
        ...state,
        skillDrafts: withEntry(state.skillDrafts, key, draft),
      })),
    load: async () => {
      const { phase } = store.get().skills;
      if (phase === 'idle' || phase === 'failed') await read();
    },
    changed: () => {
      store.update((state) => ({ ...state, skillRound: state.skillRound + 1 }));
      if (store.get().skills.phase !== 'idle') void read();
    },
    setEnabled: async (skillId, enabled) => {
      const data = await ask(context, 'skills.setEnabled', { skillId, enabled });
      if (data === null) return;
      store.update((state) => {
        const known = loadedValue(state.skills) ?? [];
        const value = known.map((one) => (one.id === skillId ? data.skill : one));
        return { ...state, skills: { phase: 'ready', value }, skillRound: state.skillRound + 1 };
      });
    },
    ask: (name, input) => bridge.request(name, input) as Promise<Answered<never>>,
    schemaOf: (skillId) => {
      const { skillRound } = store.get();
      if (schemaRound !== skillRound) schemas = new Map();
      schemaRound = skillRound;
      const schema = schemas.get(skillId) ?? readSchema(skillId);
      schemas.set(skillId, schema);
      return schema;
    },
    run: async (prompt, skill) => {
      const started = await start(null, defined({ prompt, skill }));
      if (!started.ok) return started.error;
      await threads.open(started.data.thread.id);
      return null;
    },
    runHere: async (prompt, skill) => {
      const started = await start(null, { prompt, skill });
      if (!started.ok) return started.error;
      const { run, thread } = started.data;
      // The view of the previous trial is dropped; its task still has it.
      const before = store.get().skillTrials.get(skill.id);
      if (before !== undefined) threads.forget(before.threadId);
      store.update((state) => ({
        ...setOpen(state, thread.id, { phase: 'ready', runIds: [run.id] }),
        skillTrials: withEntry(state.skillTrials, skill.id, run),
      }));
      await feed.open(run.id, true);
      return null;
    },
    runInTask: async (threadId, turn) => {
      const started = await start(threadId, turn);
      if (!started.ok) return started.error;
      const { run } = started.data;
      store.update((state) => {
        const known = state.openThreads.get(threadId)?.runIds ?? [];
        const runIds = [...known.filter((id) => id !== run.id), run.id];
        return setOpen(state, threadId, { phase: 'ready', runIds });
      });
      // The message itself comes with the task.
      void feed.open(run.id, true).then(() => threads.reload(threadId));
      return null;
    },
    save: async (skillId) => {
      const data = await ask(context, 'skills.export', { skillId });
      if (data !== null) saveText(data.fileName, data.text);
    },
    importSkill: async (given) => {
      const data = await ask(context, 'skills.import', given);
      if (data === null) return false;
      show({ view: 'review', skillId: data.skill.summary.id });
      return true;
    },
    remove: async (skillId) => {
      const data = await ask(context, 'skills.remove', { skillId });
      if (data !== null) show({ view: 'list' });
      return data !== null;
    },
    refresh: async () => {
      if ((await ask(context, 'skills.refresh', {})) !== null) await read();
    },
  };
}
