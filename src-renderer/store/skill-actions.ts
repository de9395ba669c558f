import type { ErrorEnvelope } from '#contract/errors.ts';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { RunSkill } from '#contract/skills.ts';
import { saveText } from '../bridge/save-file.ts';
import { EMPTY_DRAFT, type SkillDraft, type SkillsPage, withEntry } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';
import { chosenModel, chosenNetwork, loadedValue } from './selectors.ts';
import type { SkillFilter } from './skill-list.ts';
import type { JsonSchema } from './skill-result.ts';
import { setOpen, type ThreadActions, withRuns, withThread } from './thread-actions.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;

/** What main gave, or why it did not: for the place that asked to show. */
export type Answered<Value> =
  | { readonly ok: true; readonly data: Value }
  | { readonly ok: false; readonly error: ErrorEnvelope };

export interface SkillActions {
  show(page: SkillsPage): void;
  filter(change: Partial<SkillFilter>): void;
  /** Keeps what is written of a skill's source, or with null lets go of it. */
  draft(key: string, draft: SkillDraft | null): void;
  /** Reads the list; once where it is there already. */
  load(): Promise<void>;
  /** Something changed: the list is read again, and whoever shows a skill reads that again. */
  changed(): void;
  setEnabled(skillId: string, enabled: boolean): Promise<void>;
  /** Any request about skills, with its refusal for the place that asked to show. */
  ask<Name extends SkillRequest>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<Answered<RequestOutput<Name>>>;
  /** The output schema of a skill, asked for once until a skill changes; empty where there is none. */
  schemaOf(skillId: string): Promise<JsonSchema>;
  /** Starts a task with this text, as one skill where one is given, and shows it; else the refusal. */
  run(prompt: string, skill?: RunSkill): Promise<ErrorEnvelope | null>;
  /** Starts such a task and leaves the person where they are; it is the trial of the skill then. */
  runHere(prompt: string, skill: RunSkill): Promise<ErrorEnvelope | null>;
  /** Gives a skill of one's own to the person as a file. */
  save(skillId: string): Promise<void>;
  /** Takes such a file in, and shows its review; false where it was refused, which the person was told. */
  importFile(text: string): Promise<boolean>;
  remove(skillId: string): Promise<boolean>;
  /** Looks through the folders of Markdown skills again. */
  refresh(): Promise<void>;
}

export function createSkillActions(
  context: ActionContext,
  threads: Pick<ThreadActions, 'open' | 'forget'>,
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
    // A later question is on its way, and its answer is newer.
    if (mine !== round) return;
    store.update((state) => ({
      ...state,
      skills: result.ok
        ? { phase: 'ready', value: result.data.skills }
        : { phase: 'failed', problem: result.error.message },
    }));
  }

  async function start(
    prompt: string,
    skill: RunSkill | undefined,
  ): Promise<Answered<RequestOutput<'runs.start'>>> {
    const state = store.get();
    const model = chosenModel(state, null, EMPTY_DRAFT);
    const result = await bridge.request('runs.start', {
      prompt,
      attachmentIds: [],
      options: {
        mode: 'task',
        network: chosenNetwork(state, null, EMPTY_DRAFT),
        ...(model === null ? {} : { model }),
        ...(skill === undefined ? {} : { skill }),
      },
    });
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
    // A skill that is gone: its result is shown by what it is.
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
      const started = await start(prompt, skill);
      if (!started.ok) return started.error;
      await threads.open(started.data.thread.id);
      return null;
    },
    runHere: async (prompt, skill) => {
      const started = await start(prompt, skill);
      if (!started.ok) return started.error;
      const { run, thread } = started.data;
      // What is shown of the one before goes; in its task it is still found.
      const before = store.get().skillTrials.get(skill.id);
      if (before !== undefined) threads.forget(before.threadId);
      store.update((state) => ({
        ...setOpen(state, thread.id, { phase: 'ready', runIds: [run.id] }),
        skillTrials: withEntry(state.skillTrials, skill.id, run),
      }));
      await feed.open(run.id, true);
      return null;
    },
    save: async (skillId) => {
      const data = await ask(context, 'skills.export', { skillId });
      if (data !== null) saveText(data.fileName, data.text);
    },
    importFile: async (text) => {
      const data = await ask(context, 'skills.import', { text });
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
