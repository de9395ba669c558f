import type { ModelRef } from '#contract/entities.ts';
import type { ModelPull, TierRecommendation } from '#contract/models.ts';
import type { PushMessage } from '#contract/requests.ts';
import { type ModelSight, modelKey, withEntry } from './app-state.ts';
import { type ActionContext, ask } from './context.ts';

type CheckPush = Extract<PushMessage, { kind: 'model_check' }>;

export interface ModelActions {
  /** Loads the profile of a model; a failure shows a toast. */
  loadProfile(model: ModelRef): Promise<void>;
  /** Whether a model sees pictures; null where that cannot be found out, as while its server is not there. */
  loadSight(model: ModelRef): Promise<ModelSight | null>;
  check(model: ModelRef): Promise<void>;
  cancelCheck(): void;
  recommend(): Promise<readonly TierRecommendation[]>;
  pull(model: ModelRef): Promise<void>;
  cancelPull(model: ModelRef): void;
  loadPulls(): Promise<void>;
  /** Allows the local server to forward this model to a cloud service. */
  allowCloud(model: ModelRef): Promise<void>;
  /** Opens or closes the menu of models below the message box. */
  pick(open: boolean): void;
  receiveCheck(push: CheckPush): void;
  receivePull(pull: ModelPull): void;
}

export function createModelActions(
  context: ActionContext,
  refreshServers: () => Promise<void>,
): ModelActions {
  const { store, bridge } = context;

  const receivePull = (pull: ModelPull): void => {
    store.update((state) => ({
      ...state,
      pulls: withEntry(state.pulls, modelKey(pull.model), pull),
    }));
    if (pull.status === 'completed') void refreshServers();
  };

  const check = async (model: ModelRef): Promise<void> => {
    const key = modelKey(model);
    const started = { key, running: true, items: [], of: 0, problem: null };
    store.update((state) => ({ ...state, modelCheck: started }));
    const result = await bridge.request('models.check', { model });
    store.update((state) => {
      const modelCheck = state.modelCheck ?? started;
      if (!result.ok) {
        const problem = result.error.code === 'CANCELLED' ? null : result.error.message;
        return { ...state, modelCheck: { ...modelCheck, running: false, problem } };
      }
      return {
        ...state,
        modelCheck: { ...modelCheck, running: false },
        profiles: withEntry(state.profiles, key, result.data.profile),
      };
    });
  };

  return {
    check,
    receivePull,
    loadProfile: async (model) => {
      const data = await ask(context, 'models.profile', { model });
      if (data === null) return;
      store.update((state) => ({
        ...state,
        profiles: withEntry(state.profiles, modelKey(model), data.profile),
      }));
    },
    loadSight: async (model) => {
      // Not shown as a failure: sending says the same, and what to do.
      const result = await bridge.request('models.sight', { model });
      if (!result.ok) return null;
      const { vision, other } = result.data;
      const sight = { vision, other };
      store.update((state) => ({
        ...state,
        sights: withEntry(state.sights, modelKey(model), sight),
      }));
      return sight;
    },
    pick: (open) => store.update((state) => ({ ...state, pickingModel: open })),
    cancelCheck: () => void ask(context, 'models.cancelCheck', {}),
    recommend: async () => (await ask(context, 'models.recommend', {}))?.recommendations ?? [],
    pull: async (model) => {
      const data = await ask(context, 'models.pull', { model });
      if (data !== null) receivePull(data.pull);
    },
    cancelPull: (model) => void ask(context, 'models.cancelPull', { model }),
    loadPulls: async () => {
      for (const pull of (await ask(context, 'models.pulls', {}))?.pulls ?? []) receivePull(pull);
    },
    allowCloud: async (model) => {
      const { settings } = store.get();
      if (settings === null) return;
      const cloudConsents = [...new Set([...settings.cloudConsents, modelKey(model)])];
      const data = await ask(context, 'settings.update', { changes: { cloudConsents } });
      if (data !== null) store.update((state) => ({ ...state, settings: data.settings }));
    },
    receiveCheck: ({ model, item, of }) => {
      const key = modelKey(model);
      store.update((state) => {
        const known = state.modelCheck?.key === key ? state.modelCheck : null;
        const before = known ?? { key, running: true, items: [], of, problem: null };
        const modelCheck = { ...before, of, items: [...before.items, item] };
        return { ...state, modelCheck };
      });
    },
  };
}
