import type { AttachedPicture } from '#contract/attachments.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { Api } from '../api/create-api.ts';
import type { Broadcast } from '../api/types.ts';
import type { Ending } from '../api/user-data.ts';
import type { AppService } from '../apps/types.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { Library } from '../library/library.ts';
import type { StartHostProcess } from '../models/embedded/host-process.ts';
import type { PolicyState } from '../policy/types.ts';
import type { RunService } from '../run/run-service.ts';
import type { SecretSeal } from '../storage/secret-store.ts';
import type { TaskIndexer } from '../task-search/task-indexer.ts';
import type { summarizeTool } from '../tools/tool-schema.ts';
import type { DataExporter } from '../user-data/data-exporter.ts';

export interface ComposeOptions {
  readonly dataDir: string;
  readonly entryPoint: 'desktop' | 'browser' | 'terminal';
  /** Whether a user can answer questions here; if not, a question parks its run immediately. */
  readonly attended: boolean;
  /** Only reads stored data, so it may run next to a process that uses the same folder. */
  readonly readOnly: boolean;
  /** Attaches to the folder of another process: answers questions and starts nothing. */
  readonly secondary?: boolean;
  /** The policy of this computer; it is read unless given. */
  readonly policy?: PolicyState;
  /** Encrypts stored keys; null if the platform has no real keychain. */
  readonly seal: SecretSeal | null;
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string } | undefined;
  /** The process belongs to the app: if its main thread hangs for good it is killed, so that runs can resume. */
  readonly ownsProcess?: boolean;
  /** Asks the user where to save a file; null if nowhere. Without it, files are downloaded by a browser. */
  readonly chooseFile?: (suggestedName: string) => Promise<string | null>;
  /** Ends the app after its data was marked for deletion; without it, data is deleted elsewhere. */
  readonly endForDeletion?: Ending;
  /** Starts the process of an embedded model, if not with Node's `fork`. */
  readonly startHost?: StartHostProcess;
}

/** A file of this computer. */
interface NamedFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The app without an entry point. Disposing stops runs at a point where they can resume, and releases everything. */
export interface App extends AsyncDisposable {
  /** What windows and the CLI may ask for. */
  readonly api: Api;
  /** The runs, to read and to follow in this process. */
  readonly runs: Pick<RunService, 'get' | 'list' | 'isActive' | 'events' | 'listen' | 'settled'>;
  readonly library: Pick<Library, 'settled'>;
  /** The index over the words of all tasks. */
  readonly taskIndex: Pick<TaskIndexer, 'settled' | 'left'>;
  readonly logger: Logger;
  /** The stored profile of every model. */
  modelProfiles(): ModelProfile[];
  tools(): ReturnType<typeof summarizeTool>[];
  /** Attaches a file of this computer to the next run that names the id; it is copied when that starts. */
  attachFile(
    file: NamedFile,
  ): Promise<{ readonly attachmentId: string; readonly picture: AttachedPicture | null }>;
  /** Writes a whole run to a file. Throws `NOT_FOUND`, `BAD_REQUEST`, `DISK_FULL`. */
  exportRun(runId: string, file: string): Promise<void>;
  /** Exports of all data: to a file for the CLI, to browsers for the web UI. */
  readonly dataExporter: Pick<DataExporter, 'toFile' | 'takeDownload'>;
  /** The apps of tasks, as zip files of any size. */
  readonly apps: Pick<AppService, 'zip'>;
  /** Receives what is broadcast to windows. */
  onBroadcast(listener: Broadcast): Dispose;
  /** Publishes the address of this process to later ones. It must not contain a token. */
  announce(address: string): void;
  /** Redacts `secret` from everything that is stored, shown or sent from now on. */
  keepSecret(secret: string): void;
}

/** What `compose.ts` exports. Throws `DATA_DIR_…`, `DATABASE_…`. */
export type Compose = (options: ComposeOptions) => Promise<App>;
