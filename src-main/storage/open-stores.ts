import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { type AppPictureStore, openAppPictures } from './app-picture-store.ts';
import { type ArtifactStore, openArtifacts } from './artifact-store.ts';
import { noteDamage } from './check-database.ts';
import { Connection } from './connection.ts';
import { type ConnectorStore, openConnectors } from './connector-store.ts';
import { type DataPaths, dataPaths } from './data-paths.ts';
import { closeAbandonedConnections, openEgress } from './egress-store.ts';
import { writeEvents } from './event-store.ts';
import { openInterrupts } from './interrupt-store.ts';
import type { JournalCheckpointer } from './journal-checkpointer.ts';
import { type LibraryCounts, openLibraryCounts } from './library-counts.ts';
import { writeMessages } from './message-store.ts';
import { migrations } from './migrations/all.ts';
import { type ModelUseStore, openModelUse } from './model-use-store.ts';
import { openDatabase, openDatabaseForReading, openDatabaseSecondary } from './open-database.ts';
import { openProfiles } from './profile-store.ts';
import { openProofs } from './proof-store.ts';
import { openRules } from './rule-store.ts';
import { openRunCopier } from './run-copier.ts';
import { openJournal } from './run-journal.ts';
import { writeRuns } from './run-store.ts';
import { openSecrets, type SecretSeal, type SecretStore } from './secret-store.ts';
import { openSettings } from './settings-store.ts';
import { openSignIns, type SignInStore } from './sign-in-store.ts';
import { openSkillExecutions } from './skill-execution-store.ts';
import { openSkillSessions, openSkills } from './skill-store.ts';
import type { SkillExecutionStore, SkillSessionStore, SkillStore } from './skill-types.ts';
import { openSnapshots } from './snapshot-store.ts';
import { openSummaries } from './summary-store.ts';
import { openTaints } from './taint-store.ts';
import { openTaskApps, type TaskAppStore } from './task-app-store.ts';
import { openTaskSearch, type TaskSearchStore } from './task-search-store.ts';
import { writeThreads } from './thread-store.ts';
import type {
  CommitStep,
  EgressStore,
  EventWriter,
  InterruptStore,
  ManagedSettings,
  MessageWriter,
  ProfileStore,
  ProofStore,
  RuleStore,
  RunCopier,
  RunJournal,
  RunWriter,
  SettingsStore,
  SnapshotStore,
  SummaryStore,
  TaintStore,
  ThreadWriter,
} from './types.ts';
import { openUserEdits, type UserEditStore } from './user-edit-store.ts';
import { openUserFolders, type UserFolderStore } from './user-folder-store.ts';

export interface OpenStoresOptions<Question> {
  readonly dataDir: string;
  readonly entryPoint: string;
  /** Takes no lock and changes nothing. A folder without data looks empty. */
  readonly readOnly: boolean;
  /** Takes no lock, and writes answers only. */
  readonly secondary?: boolean;
  readonly seal: SecretSeal | null;
  readonly onSecret: (value: string) => void;
  /** Applied to every text before it is stored. */
  readonly clean?: (text: string) => string;
  readonly parseQuestion: (stored: unknown) => Question;
  readonly managed?: ManagedSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Every store of a data folder, over one connection. */
export interface DataStores<Question = unknown> {
  readonly paths: DataPaths;
  readonly runStores: {
    readonly transaction: <T>(work: () => T) => T;
    readonly threads: ThreadWriter;
    readonly runs: RunWriter;
    readonly events: EventWriter;
    readonly messages: MessageWriter;
  };
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly signIns: SignInStore;
  readonly rules: RuleStore;
  readonly proofs: ProofStore;
  readonly profiles: ProfileStore;
  readonly summaries: SummaryStore;
  readonly journal: RunJournal;
  readonly interrupts: InterruptStore<Question>;
  readonly taints: TaintStore;
  readonly copier: RunCopier;
  readonly egress: EgressStore;
  readonly snapshots: SnapshotStore;
  readonly userFolders: UserFolderStore;
  readonly userEdits: UserEditStore;
  readonly library: LibraryCounts;
  readonly modelUse: ModelUseStore;
  readonly taskSearch: TaskSearchStore;
  readonly artifacts: ArtifactStore;
  readonly taskApps: TaskAppStore;
  readonly appPictures: AppPictureStore;
  readonly connectors: ConnectorStore;
  readonly skills: SkillStore;
  readonly skillExecutions: SkillExecutionStore;
  readonly skillSessions: SkillSessionStore;
  /** Where LangGraph keeps the steps of runs; loaded on first use. */
  readonly checkpointer: (commit: CommitStep) => Promise<JournalCheckpointer>;
  /** A number that changes when another process wrote to the database. */
  readonly dataVersion: () => number;
  readonly announce: (address: string) => void;
  /** Records that the database is damaged: the next start checks all of it. */
  readonly noteDamage: () => void;
  readonly close: () => void;
}

/** Opens all stores. Throws what opening the database throws. */
export function openStores<Question>(options: OpenStoresOptions<Question>): DataStores<Question> {
  const { dataDir, clock, logger, seal, onSecret, readOnly } = options;
  const opened = readOnly
    ? openReadOnly(dataDir)
    : options.secondary === true
      ? openSecondary(dataDir)
      : openDatabase(options);
  const { connection } = opened;
  if (options.clean !== undefined) connection.cleanWith(options.clean);
  const journal = openJournal(connection, clock);
  const library = openLibraryCounts(opened.paths.library, dataDir);
  if (opened.afterCrash) closeAbandonedConnections(connection, clock);
  return {
    paths: opened.paths,
    runStores: {
      transaction: (work) => connection.transaction(work),
      threads: writeThreads(connection),
      runs: writeRuns(connection),
      events: writeEvents(connection),
      messages: writeMessages(connection),
    },
    settings: openSettings(connection, logger, options.managed),
    secrets: openSecrets(connection, { seal, onSecret }),
    signIns: openSignIns(connection, { seal, clock }),
    rules: openRules(connection, clock),
    proofs: readOnly ? proofsInMemory(openProofs(connection)) : openProofs(connection),
    profiles: readOnly ? profilesInMemory(openProfiles(connection)) : openProfiles(connection),
    summaries: openSummaries(connection, clock),
    journal,
    interrupts: openInterrupts(connection, { clock, parse: options.parseQuestion }),
    taints: openTaints(connection),
    copier: openRunCopier(connection),
    egress: readOnly
      ? egressInMemory(openEgress(connection, clock), clock)
      : openEgress(connection, clock),
    snapshots: openSnapshots(connection),
    userFolders: openUserFolders(connection),
    userEdits: openUserEdits(connection),
    library,
    modelUse: openModelUse(connection),
    taskSearch: openTaskSearch(connection),
    artifacts: openArtifacts(connection),
    taskApps: openTaskApps(connection),
    appPictures: openAppPictures(connection),
    connectors: openConnectors(connection, { seal, clock, onSecret }),
    skills: openSkills(connection, clock),
    skillExecutions: openSkillExecutions(connection),
    skillSessions: openSkillSessions(connection, clock),
    checkpointer: async (commit) => {
      const { JournalCheckpointer } = await import('./journal-checkpointer.ts');
      return new JournalCheckpointer(journal, connection, commit);
    },
    dataVersion: () => Number(connection.pragma('data_version')),
    announce: (address) => opened.announce(address),
    noteDamage: () => noteDamage(connection, clock),
    close: () => {
      library.close();
      opened.close();
    },
  };
}

type Opened = Pick<
  ReturnType<typeof openDatabase>,
  'connection' | 'paths' | 'afterCrash' | 'announce' | 'close'
>;

function openSecondary(dataDir: string): Opened {
  const connection = openDatabaseSecondary(dataDir);
  return {
    connection,
    paths: dataPaths(dataDir),
    afterCrash: false,
    announce: () => undefined,
    close: () => connection.close(),
  };
}

function openReadOnly(dataDir: string): Opened {
  const connection = openForReading(dataDir);
  return {
    connection,
    paths: dataPaths(dataDir),
    afterCrash: false,
    announce: () => undefined,
    close: () => connection.close(),
  };
}

/** The database, or an empty one in memory if there is none yet. */
function openForReading(dataDir: string): Connection {
  try {
    return openDatabaseForReading(dataDir);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    const empty = new Connection({ file: ':memory:', dataDir, busyTimeoutMs: 0 });
    for (const { sql } of migrations) empty.exec(sql);
    return empty;
  }
}

/** Stored proofs, with new ones in memory only: a read-only process writes nothing. */
function proofsInMemory(stored: ProofStore): ProofStore {
  const proofs = new Map<string, ReturnType<ProofStore['get']>>();
  return {
    get: (kind) => (proofs.has(kind) ? (proofs.get(kind) ?? null) : stored.get(kind)),
    put: (proof) => void proofs.set(proof.kind, proof),
    delete: (kind) => void proofs.set(kind, null),
  };
}

/** Stored profiles, with new ones in memory only. */
function profilesInMemory(stored: ProfileStore): ProfileStore {
  const fresh = new Map<string, ModelProfile>();
  const keyOf = ({ provider, name }: ModelRef): string => JSON.stringify([provider, name]);
  return {
    get: (model) => fresh.get(keyOf(model)) ?? stored.get(model),
    list: () => stored.list().map((profile) => fresh.get(keyOf(profile.model)) ?? profile),
    put: (profile) => void fresh.set(keyOf(profile.model), profile),
    delete: (model) => void fresh.delete(keyOf(model)),
  };
}

/** The stored list; new connections are not recorded, such as a read-only command's request to a model server. */
function egressInMemory(stored: EgressStore, clock: Clock): EgressStore {
  let last = 0;
  return {
    begin: (line) => {
      last += 1;
      const start = { id: last, at: clock.now(), endedAt: null, sentBytes: 0, receivedBytes: 0 };
      return { ...line, ...start };
    },
    finish: () => undefined,
    list: stored.list,
  };
}
