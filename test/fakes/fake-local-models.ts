import type { LocalModels, ModelDownload, PinnedModel } from '#contract/local-models.ts';
import type { PushMessage, RequestInput } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';
import { Refusal } from './refusal.ts';

const offer = (id: string, label: string, gigabytes: number): PinnedModel => ({
  ...{ id, label, file: `${id}.gguf`, url: `https://models.example/${id}.gguf` },
  ...{ sha256: 'a'.repeat(64), bytes: gigabytes * 1e9, licence: 'Apache-2.0' },
  memoryBytes: gigabytes * 3e9,
});

/** A computer without a server, on which Ollama was once. */
export function fakeLocalModels(): LocalModels {
  return {
    offers: [
      offer('qwen3-1.7b', 'Qwen3 1.7B', 1.83),
      offer('qwen3-4b', 'Qwen3 4B', 2.5),
      offer('qwen3-8b', 'Qwen3 8B', 5.03),
    ],
    found: [
      {
        path: '/home/ana/.ollama/models/blobs/sha256-ab',
        ...{ name: 'gemma3:4b', store: 'Ollama', bytes: 3.3e9 },
      },
    ],
    ...{ downloads: [], runtime: 'installable', memoryBytes: 16e9 },
    startable: [{ id: 'ollama', label: 'Ollama' }],
  };
}

/** Requests about models without a server. A download stands at 40 % until it is resumed, then it completes. */
export function fakeLocalModelRequests({
  state,
  push,
}: {
  readonly state: () => FakeState;
  readonly push: (message: PushMessage) => void;
}) {
  const change = (changes: Partial<LocalModels>): void => {
    state().localModels = { ...state().localModels, ...changes };
  };
  const put = (download: ModelDownload): { download: ModelDownload } => {
    const others = state().localModels.downloads.filter(({ id }) => id !== download.id);
    change({ downloads: [download, ...others] });
    push({ kind: 'model_download', download });
    return { download };
  };
  const known = (id: string): ModelDownload => {
    const download = state().localModels.downloads.find((one) => one.id === id);
    if (download === undefined) throw new Refusal('NOT_FOUND', 'There is no such download.');
    return download;
  };
  return {
    'localModels.get': () => state().localModels,
    'localModels.download': ({ wanted }: RequestInput<'localModels.download'>) => {
      if ('reference' in wanted && !wanted.reference.includes('.gguf')) {
        throw new Refusal('BAD_REQUEST', `"${wanted.reference}" is not a model file.`);
      }
      const found = state().localModels.offers.find(({ id }) => 'id' in wanted && id === wanted.id);
      const bytes = found?.bytes ?? 1e9;
      return put({
        ...{ id: `dl-${found?.id ?? 'own'}`, file: found?.file ?? 'own.gguf' },
        ...{ url: found?.url ?? 'https://models.example/own.gguf', status: 'running' },
        ...{ completedBytes: bytes * 0.4, totalBytes: bytes, sha256: found?.sha256 ?? null },
        ...{ licence: found?.licence ?? null, problem: null },
      });
    },
    'localModels.pause': ({ id }: RequestInput<'localModels.pause'>) =>
      put({ ...known(id), status: 'paused' }),
    'localModels.resume': ({ id }: RequestInput<'localModels.resume'>) => {
      const download = known(id);
      const { totalBytes } = download;
      return put({ ...download, status: 'completed', completedBytes: totalBytes ?? 0 });
    },
    'localModels.remove': ({ id }: RequestInput<'localModels.remove'>) => {
      change({ downloads: state().localModels.downloads.filter((one) => one.id !== id) });
      return {};
    },
    'localModels.use': ({ path }: RequestInput<'localModels.use'>) => {
      const name = state().localModels.found.find((one) => one.path === path)?.name ?? 'model';
      const model = { provider: 'embedded', name };
      state().settings = { ...state().settings, model, embeddedModels: [path] };
      push({ kind: 'settings_changed', settings: state().settings });
      return { model };
    },
    'localModels.installRuntime': () => {
      change({ runtime: 'ready' });
      return { runtime: 'ready' as const };
    },
    'localModels.startServer': () => {
      state().servers = state().servers.map((server) =>
        server.provider === 'ollama' ? { ...server, reachable: true, problem: null } : server,
      );
      return {};
    },
  };
}
