import { isDeepStrictEqual } from 'node:util';
import type { Diagnostics, DiagnosticsSection } from '#contract/diagnostics.ts';
import type { SetupReport } from '#contract/entities.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { AppStates } from '../apps/app-states.ts';
import type { AppService } from '../apps/types.ts';
import type { BrowserService } from '../browser/types.ts';
import type { ConnectorService } from '../connectors/types.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { Library } from '../library/library.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { ModelUseTotals } from '../run/sum-model-use.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { SearchService } from '../search/types.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import type { SecretStore } from '../storage/secret-store.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import type { EgressStore } from '../storage/types.ts';
import type { UserFolders } from '../user-folder/user-folders.ts';
import { appRequests } from './apps.ts';
import { artifactRequests } from './artifacts.ts';
import { attachmentRequests } from './attachments.ts';
import { browserRequests } from './browser.ts';
import { connectorRequests } from './connectors.ts';
import { type FileRequestParts, fileRequests } from './files.ts';
import { type ImageRequestParts, imageRequests } from './images.ts';
import type { localModelRequests } from './local-models.ts';
import type { modelRequests } from './models.ts';
import type { planRequests } from './plans.ts';
import { reportRequests } from './reports.ts';
import { type RuleRequestParts, ruleRequests } from './rules.ts';
import { type RunRequestParts, runRequests } from './runs.ts';
import { searchRequests } from './search.ts';
import { signInRequests } from './sign-ins.ts';
import type { skillRequests } from './skills.ts';
import { type SlideRequestParts, slideRequests } from './slides.ts';
import { type ThreadRequestParts, threadRequests } from './threads.ts';
import type { Broadcast, Requests } from './types.ts';
import type { userDataRequests } from './user-data.ts';
import { folderRequests } from './user-folders.ts';

export interface ApiParts {
  readonly info: RequestOutput<'app.info'>;
  readonly setupCheck: (signal: AbortSignal) => Promise<SetupReport>;
  readonly diagnostics: (
    without: readonly DiagnosticsSection[],
    signal: AbortSignal,
  ) => Promise<Diagnostics>;
  readonly runs: RunRequestParts;
  readonly taskSearch: ThreadRequestParts['search'];
  readonly plans: ReturnType<typeof planRequests>;
  readonly models: ReturnType<typeof modelRequests>;
  readonly localModels: ReturnType<typeof localModelRequests>;
  readonly skills: ReturnType<typeof skillRequests>;
  readonly files: Omit<FileRequestParts, 'threads' | 'sandbox' | 'broadcast'>;
  readonly browsers: BrowserService;
  readonly apps: AppService;
  readonly appStates: Pick<AppStates, 'list' | 'picture'>;
  readonly connectors: ConnectorService;
  /** Browsers and apps belong to another process. */
  readonly screensAreElsewhere: boolean;
  readonly userFolders: UserFolders;
  readonly userData: ReturnType<typeof userDataRequests>;
  readonly modelUse: Pick<ModelUseTotals, 'of'>;
  readonly rules: RuleRequestParts;
  readonly attachments: Pick<AttachmentStore, 'add'>;
  readonly pictures: Pick<PictureStore, 'preview' | 'inline'>;
  readonly slides: SlideRequestParts['slides'];
  readonly images: ImageRequestParts['images'];
  readonly settings: () => Settings;
  /** Stores and enforces changed settings. */
  readonly changeSettings: (changes: Readonly<Record<string, unknown>>) => Settings;
  readonly secrets: SecretStore;
  readonly signIns: SignInStore;
  readonly sandbox: Pick<
    SandboxService,
    'forTask' | 'report' | 'prepare' | 'programs' | 'endPrograms'
  >;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly connections: Pick<EgressStore, 'list'>;
  readonly library: Library;
  readonly search: SearchService;
  readonly broadcast: Broadcast;
}

/** The app's API, with the exact types of its methods: most answer at once, and few need their caller. */
export type Api = ReturnType<typeof createApi>;

/** A method for each request of the contract. Domains with more behind one than a call have a file of their own. */
export function createApi(parts: ApiParts) {
  const { skills, secrets, sandbox, library, settings, broadcast } = parts;
  const { stores } = parts.runs;
  const browserParts = {
    ...{ browsers: parts.browsers, isElsewhere: parts.screensAreElsewhere },
    threads: stores.threads,
  };
  return {
    ...runRequests(parts.runs),
    ...threadRequests({
      ...parts.runs,
      ...{ search: parts.taskSearch, sandbox, pictures: parts.pictures },
    }),
    ...parts.plans.requests,
    ...reportRequests(stores),
    ...parts.models.requests,
    ...parts.localModels.requests,
    ...skills,
    ...fileRequests({ ...parts.files, sandbox, threads: stores.threads, broadcast }),
    ...artifactRequests({ ...parts.files, ...parts, threads: stores.threads }),
    ...browserRequests(browserParts),
    ...appRequests({ ...browserParts, apps: parts.apps, states: parts.appStates }),
    ...attachmentRequests(parts),
    ...connectorRequests(parts.connectors, parts),
    ...signInRequests({ ...browserParts, signIns: parts.signIns }),
    ...folderRequests({ folders: parts.userFolders, threads: stores.threads }),
    ...parts.userData,
    ...ruleRequests(parts.rules),
    ...searchRequests(parts),
    ...slideRequests({ slides: parts.slides, sandbox, threads: stores.threads }),
    ...imageRequests({ ...parts, threads: stores.threads }),
    'app.info': () => parts.info,
    'usage.get': ({ threadId }) => parts.modelUse.of(threadId),
    'setup.check': (_input, { closed }) => parts.setupCheck(closed),
    'diagnostics.get': ({ without = [] }, { closed }) => parts.diagnostics(without, closed),

    'settings.get': () => ({ settings: settings() }),
    'settings.update': ({ changes }) => {
      const { skillFolders } = settings();
      const changed = parts.changeSettings(changes);
      library.settingsChanged();
      if (!isDeepStrictEqual(skillFolders, changed.skillFolders)) skills['skills.refresh']();
      return { settings: changed };
    },
    'secrets.set': ({ name, value }) => {
      secrets.set(name, value);
      return {};
    },
    'secrets.delete': ({ name }) => {
      secrets.delete(name);
      return {};
    },
    'secrets.list': () => ({ names: secrets.names(), storage: secrets.storage }),

    'sandbox.status': async (_input, { closed }) => ({
      sandboxes: await sandbox.report({ probe: false, signal: closed }),
    }),
    'sandbox.build': async () => {
      const onLine = (line: string): void => broadcast({ kind: 'sandbox_progress', line });
      // Not tied to the window: a user who closes it still wants the image.
      await sandbox.prepare('docker', onLine, new AbortController().signal);
      return {};
    },
    'sandbox.programs': async ({ threadId }) => {
      const { programs, isKnown } = await sandbox.programs(threadId);
      return { programs: [...programs], isKnown };
    },
    'sandbox.endPrograms': async ({ threadId }) => {
      // Its server is one of them, and does not come back.
      if (!parts.screensAreElsewhere) await parts.apps.stop(threadId);
      await sandbox.endPrograms(threadId);
      return {};
    },

    'egress.list': (filter) => ({ connections: parts.connections.list(filter) }),
    'library.list': () => library.list(),
    'library.add': ({ path }) => library.add(path),
    'library.remove': ({ path }) => library.remove(path),
    'library.refresh': ({ path }) => library.refresh(path),
    'library.search': async ({ query, by, limit }, { closed }) => ({
      hits: await (by === 'name'
        ? library.findByName(query, { limit, signal: closed })
        : library.find(query, { limit, signal: closed })),
    }),
  } satisfies Requests;
}
