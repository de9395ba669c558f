import type { LocalModels, ModelDownload } from '#contract/local-models.ts';
import type { RequestInput } from '#contract/requests.ts';
import { type ActionContext, ask } from './context.ts';
import { loadedValue } from './selectors.ts';

/** What to download: an offer of the app, or an address of the user. */
export type WantedModel = RequestInput<'localModels.download'>['wanted'];

export interface LocalModelActions {
  /** Looks for models without a server; what is shown stays meanwhile. */
  load(): Promise<void>;
  /** Resolves to why it could not start, or to null. */
  download(wanted: WantedModel): Promise<string | null>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Makes a found file the default model. */
  use(path: string): Promise<void>;
  /** Resolves to whether it is installed now. */
  installRuntime(): Promise<boolean>;
  /** Resolves to whether the server answers now. */
  startServer(id: 'ollama'): Promise<boolean>;
  receive(download: ModelDownload): void;
}

export function createLocalModelActions(
  context: ActionContext,
  refreshServers: () => Promise<void>,
): LocalModelActions {
  const { store, bridge } = context;

  const change = (update: (local: LocalModels) => LocalModels): void =>
    store.update((state) => {
      const value = loadedValue(state.localModels);
      if (value === null) return state;
      return { ...state, localModels: { phase: 'ready', value: update(value) } };
    });

  const load = async (): Promise<void> => {
    const before = loadedValue(store.get().localModels);
    store.update((state) => ({
      ...state,
      localModels: before === null ? { phase: 'loading' } : { phase: 'loading', value: before },
    }));
    const result = await bridge.request('localModels.get', {});
    store.update((state) => ({
      ...state,
      localModels: result.ok
        ? { phase: 'ready', value: result.data }
        : { phase: 'failed', problem: result.error.message },
    }));
  };

  const receive = (download: ModelDownload): void => {
    change((local) => {
      const others = local.downloads.filter(({ id }) => id !== download.id);
      return { ...local, downloads: [download, ...others] };
    });
    if (download.status !== 'completed') return;
    void refreshServers();
    void load();
  };

  return {
    load,
    receive,
    download: async (wanted) => {
      const result = await bridge.request('localModels.download', { wanted });
      if (!result.ok) return result.error.message;
      receive(result.data.download);
      return null;
    },
    pause: async (id) => {
      const data = await ask(context, 'localModels.pause', { id });
      if (data !== null) receive(data.download);
    },
    resume: async (id) => {
      const data = await ask(context, 'localModels.resume', { id });
      if (data !== null) receive(data.download);
    },
    remove: async (id) => {
      const data = await ask(context, 'localModels.remove', { id });
      if (data === null) return;
      change((local) => ({
        ...local,
        downloads: local.downloads.filter((download) => download.id !== id),
      }));
      await load();
    },
    use: async (path) => {
      const data = await ask(context, 'localModels.use', { path });
      if (data !== null) await refreshServers();
    },
    installRuntime: async () => {
      change((local) => ({ ...local, runtime: 'installing' }));
      const data = await ask(context, 'localModels.installRuntime', {});
      await Promise.all([load(), refreshServers()]);
      return data !== null;
    },
    startServer: async (id) => {
      const data = await ask(context, 'localModels.startServer', { id });
      await refreshServers();
      return data !== null;
    },
  };
}
