import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { FoundModel, LocalModels } from '#contract/local-models.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { requireOnline } from '../egress/require-online.ts';
import { parseTarget } from '../egress/target.ts';
import { EMBEDDED_PROVIDER, nameOfModelFile } from '../models/embedded/embedded-runtime.ts';
import { RuntimeInstaller } from '../models/embedded/install-runtime.ts';
import { findModels, modelStores } from '../models/files/found-models.ts';
import { ModelDownloads, type ModelDownloadsParts } from '../models/files/model-downloads.ts';
import { parseModelReference, wantedPinned } from '../models/files/model-reference.ts';
import { offersFor, PINNED_MODELS } from '../models/files/pinned-models.ts';
import { findOllama, startOllama } from '../models/ollama/start-ollama.ts';
import { isLoopback } from '../models/transport/create-agent.ts';
import type { ModelService } from '../models/types.ts';
import type { Broadcast, Requests } from './types.ts';

export interface LocalModelParts {
  /** The app's folder of models. */
  readonly folder: string;
  /** The app's own folder. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly memoryBytes: number;
  readonly models: Pick<ModelService, 'listServers'>;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly settings: () => Settings;
  readonly changeSettings: (changes: Readonly<Record<string, unknown>>) => Settings;
  /** Throws `MANAGED` for a setting that the policy of this computer locks. */
  readonly checkUnlocked?: (name: keyof Settings) => void;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  /** For tests. */
  readonly pinned?: LocalModels['offers'];
  readonly downloads?: Pick<ModelDownloadsParts, 'disk' | 'pauseMs'>;
}

/**
 * Requests about models without a server: files on this computer, downloads of files, and the runtime that loads
 * them. Disposing pauses every download.
 */
export function localModelRequests(parts: LocalModelParts) {
  const { folder, root, env, memoryBytes, settings, broadcast, pinned = PINNED_MODELS } = parts;
  const installer = new RuntimeInstaller(root);

  const find = (): Promise<FoundModel[]> => findModels(modelStores(folder, env));

  /** Lists the file as a model, under a name of its own. */
  const add = (path: string, given: string, isChosen: boolean): ModelRef => {
    const { embeddedModels, embeddedNames } = settings();
    const taken = new Set(
      embeddedModels
        .filter((file) => file !== path)
        .map((file) => nameOfModelFile(file, embeddedNames)),
    );
    const name = embeddedModels.includes(path) ? nameOfModelFile(path, embeddedNames) : given;
    // A name that ends so would be read as a path.
    const own = name.replace(/(?:\.gguf)+$/i, '') || 'model';
    let free = own;
    for (let number = 2; taken.has(free); number += 1) free = `${own} (${number})`;
    const model = { provider: EMBEDDED_PROVIDER, name: free };
    parts.changeSettings({
      embeddedModels: [...new Set([...embeddedModels, path])],
      embeddedNames: { ...embeddedNames, [path]: free },
      ...(isChosen ? { model } : {}),
    });
    return model;
  };

  const downloads = new ModelDownloads({
    ...{ folder, egress: parts.egress, clock: parts.clock, ...parts.downloads },
    onChange: (download) => broadcast({ kind: 'model_download', download }),
    // The first model that arrives is what the user waits for; a choice that was made stays.
    onCompleted: (path) => void add(path, nameOfModelFile(path), settings().model === null),
  });

  const startable = async (): Promise<LocalModels['startable']> => {
    const url = URL.parse(settings().ollamaUrl);
    if (url === null || !isLoopback(url) || (await findOllama(env)) === null) return [];
    return [{ id: 'ollama', label: 'Ollama' }];
  };

  const requests = {
    'localModels.get': async () => {
      const [found, started, list] = await Promise.all([find(), startable(), downloads.list()]);
      const here = new Set(found.filter(({ store }) => store === 'HyperAgent').map(fileOf));
      const offers = offersFor(memoryBytes, pinned).filter(({ file }) => !here.has(file));
      const runtime = installer.state();
      return { offers, found, downloads: list, runtime, startable: started, memoryBytes };
    },
    /** Throws `BAD_REQUEST` for what names no file, `NOT_FOUND`, `CONFLICT`. */
    'localModels.download': async ({ wanted }) => {
      parts.checkUnlocked?.('embeddedModels');
      if ('reference' in wanted) {
        const hash = wanted.sha256 ?? null;
        return { download: await downloads.start(parseModelReference(wanted.reference, hash)) };
      }
      const model = pinned.find(({ id }) => id === wanted.id);
      if (model === undefined) throw new AppError('NOT_FOUND', 'The app offers no such model.');
      return { download: await downloads.start(wantedPinned(model)) };
    },
    'localModels.pause': async ({ id }) => ({ download: await downloads.pause(id) }),
    'localModels.resume': async ({ id }) => ({ download: await downloads.resume(id) }),
    'localModels.remove': async ({ id }) => {
      await downloads.remove(id);
      return {};
    },
    /** Only a file that a search finds now. Throws `NOT_FOUND`. */
    'localModels.use': async ({ path }) => {
      const model = (await find()).find((one) => one.path === path);
      if (model === undefined) {
        throw new AppError('NOT_FOUND', 'That file is not there any more. Look again.');
      }
      return { model: add(path, model.name, true) };
    },
    /** Throws `EGRESS_DENIED`, `MODEL_SERVER_UNREACHABLE`. */
    'localModels.installRuntime': async () => {
      // npm would download it.
      requireOnline(settings(), 'Installing the runtime for model files');
      const registry = parts.egress.appClient('app', [], { byUser: false });
      const why = registry.limitOn?.(parseTarget('registry.npmjs.org', 443)) ?? null;
      if (why !== null) throw new AppError('MANAGED', why);
      await installer.install();
      return { runtime: installer.state() };
    },
    /** Throws `NOT_FOUND`, `MODEL_SERVER_UNREACHABLE`. */
    'localModels.startServer': async ({ id }, { closed }) => {
      const program = await findOllama(env);
      if (program === null) throw new AppError('NOT_FOUND', 'Ollama is not installed.');
      const isUp = async (signal: AbortSignal): Promise<boolean> =>
        (await parts.models.listServers(signal)).some(
          ({ provider, reachable }) => provider === id && reachable,
        );
      if (!(await isUp(closed))) {
        await startOllama(program, settings().ollamaUrl, { isUp, signal: closed });
      }
      return {};
    },
  } satisfies Requests<'localModels'>;
  return {
    requests,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await Promise.all([downloads[Symbol.asyncDispose](), installer[Symbol.asyncDispose]()]);
    },
  };
}

function fileOf({ path }: FoundModel): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}
