import type { ErrorEnvelope } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import type { SettingsSection } from './app-state.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import { loadedValue } from './selectors.ts';

export interface SettingsActions {
  /** Shows a page of the settings, and the setting with this label; with null closes them. */
  show(section: SettingsSection | null, field?: string | null): void;
  /** Changes settings; resolves to an error message for the field, or to null. */
  update(changes: Partial<Settings>): Promise<ErrorEnvelope | null>;
  refreshServers(): Promise<void>;
  runSetupCheck(): Promise<void>;
  showSetupCheck(): void;
  /** Shows the first steps, at any time. */
  showFirstStart(): void;
  /** Closes the setup check, and the first steps for good. */
  finishSetupCheck(): Promise<void>;
  buildSandbox(): Promise<boolean>;
}

export function createSettingsActions(context: ActionContext): SettingsActions {
  const { store, bridge } = context;

  async function update(changes: Partial<Settings>): Promise<ErrorEnvelope | null> {
    const result = await bridge.request('settings.update', { changes });
    if (!result.ok) return result.error;
    store.update((state) => ({ ...state, settings: result.data.settings }));
    return null;
  }

  async function refreshServers(): Promise<void> {
    store.update((state) => ({ ...state, servers: loadingFrom(state.servers) }));
    const result = await bridge.request('models.list', {});
    store.update((state) => ({
      ...state,
      servers: result.ok
        ? { phase: 'ready', value: result.data.servers }
        : { phase: 'failed', problem: result.error.message },
    }));
  }

  async function runSetupCheck(): Promise<void> {
    store.update((state) => ({ ...state, setupCheck: loadingFrom(state.setupCheck) }));
    const result = await bridge.request('setup.check', {});
    store.update((state) =>
      result.ok
        ? {
            ...state,
            setupCheck: { phase: 'ready', value: result.data },
            servers: { phase: 'ready', value: result.data.servers },
          }
        : { ...state, setupCheck: { phase: 'failed', problem: result.error.message } },
    );
  }

  return {
    update,
    refreshServers,
    runSetupCheck,
    show: (section, field = null) =>
      store.update((state) => ({ ...state, settingsSection: section, settingsField: field })),
    showSetupCheck: () => {
      store.update((state) => ({ ...state, route: { kind: 'setupCheck' }, settingsSection: null }));
      void runSetupCheck();
    },
    showFirstStart: () => {
      store.update((state) => ({ ...state, route: { kind: 'firstStart' }, settingsSection: null }));
      void runSetupCheck();
    },
    finishSetupCheck: async () => {
      store.update((state) => ({ ...state, route: { kind: 'task', threadId: null } }));
      const problem = await update({ checkupSeen: true });
      if (problem !== null) showToast(store, 'error', problem.message);
    },
    buildSandbox: async () => {
      store.update((state) => ({ ...state, building: true, buildLines: [] }));
      const data = await ask(context, 'sandbox.build', {});
      store.update((state) => ({ ...state, building: false }));
      return data !== null;
    },
  };
}

/** Loading, with the old value still on the screen. */
function loadingFrom<Value>(before: Parameters<typeof loadedValue<Value>>[0]): {
  readonly phase: 'loading';
  readonly value?: Value;
} {
  const value = loadedValue(before);
  return value === null ? { phase: 'loading' } : { phase: 'loading', value };
}
