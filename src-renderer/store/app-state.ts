import type { TaskApp } from '#contract/apps.ts';
import type { ArtifactKind } from '#contract/artifacts.ts';
import type { AttachedPicture } from '#contract/attachments.ts';
import type { BrowserState } from '#contract/browser.ts';
import type { EgressConnection } from '#contract/egress.ts';
import type {
  Message,
  ModelRef,
  ModelServer,
  Run,
  SetupReport,
  Thread,
} from '#contract/entities.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { LibraryState } from '#contract/library.ts';
import type { LocalModels } from '#contract/local-models.ts';
import type { ModelCheckItem, ModelProfile, ModelPull } from '#contract/models.ts';
import type { Plan } from '#contract/plans.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { SkillLanguage, SkillSummary } from '#contract/skills.ts';
import type { DataExport } from '#contract/user-data.ts';
import type { FolderContents, GivenFolder } from '#contract/user-folder.ts';
import type {
  NetworkPolicy,
  PolicyLevel,
  ResearchDepth,
  ResearchScenario,
  RunMode,
} from '#contract/vocabulary.ts';
import type { ConnectionState } from '../bridge/app-bridge.ts';
import type { Place } from './find-place.ts';
import type { PlanEdit } from './plan-edit.ts';
import type { RunView } from './run-view.ts';
import { NO_SKILL_FILTER, type SkillFilter } from './skill-list.ts';

/** Something that is requested: not yet, loading, ready or failed. */
export type Loadable<Value> =
  | { readonly phase: 'idle' }
  | { readonly phase: 'loading'; readonly value?: Value }
  | { readonly phase: 'ready'; readonly value: Value }
  | { readonly phase: 'failed'; readonly problem: string; readonly value?: Value };

/** The current page of the skills. An editor without a skill starts a new one. */
export type SkillsPage =
  | { readonly view: 'list' }
  | { readonly view: 'detail'; readonly skillId: string }
  | { readonly view: 'editor'; readonly skillId: string | null }
  | { readonly view: 'review'; readonly skillId: string };

export type Route =
  | { readonly kind: 'task'; readonly threadId: string | null }
  | { readonly kind: 'skills'; readonly page: SkillsPage }
  | { readonly kind: 'artifacts' }
  | { readonly kind: 'setupCheck' }
  | { readonly kind: 'firstStart' };

export type SettingsSection =
  | 'models'
  | 'sandbox'
  | 'network'
  | 'search'
  | 'images'
  | 'library'
  | 'skills'
  | 'connectors'
  | 'prompts'
  | 'approvals'
  | 'guardrails'
  | 'agents'
  | 'appearance'
  | 'data';

/** A task that is or was on the screen. Runs are oldest first. */
export interface OpenThread {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly problem: string | null;
  readonly messages: readonly Message[];
  readonly runIds: readonly string[];
}

export interface DraftAttachment {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly state: 'sending' | 'ready' | 'failed';
  /** The id that main gave it; null until main has the file. */
  readonly attachmentId: string | null;
  readonly problem: string | null;
  /** What it shows; null while that is not known, and for a file that is no picture. */
  readonly picture: AttachedPicture | null;
}

/** Whether a model sees pictures; null where that is not known. `other` is one that does. */
export interface ModelSight {
  readonly vision: boolean | null;
  readonly other: ModelRef | null;
}

/** A folder of this computer that goes with a message, and what it holds. */
export interface DraftFolder extends GivenFolder {
  readonly contents: FolderContents;
}

/** A message draft. `model` is null where the settings decide. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
  readonly folder: DraftFolder | null;
  readonly mode: RunMode;
  readonly model: ModelRef | null;
  /** Null to keep the task's choice, or the one of the settings. */
  readonly network: NetworkPolicy | null;
  /** Of a new task: null to leave it to the settings. */
  readonly level: PolicyLevel | null;
  /** For research: null where the settings and the question decide. */
  readonly researchDepth: ResearchDepth | null;
  readonly scenario: ResearchScenario | null;
}

/** Source code of a skill with unsaved changes. */
export interface SkillDraft {
  readonly language: SkillLanguage;
  readonly source: string;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'error';
  readonly text: string;
}

/** A check of a model: the results of its tasks so far. */
export interface ModelCheck {
  readonly key: string;
  readonly running: boolean;
  readonly items: readonly ModelCheckItem[];
  readonly of: number;
  readonly problem: string | null;
}

/** Which artifacts are listed; a null kind is all of them. */
export interface ArtifactFilter {
  readonly words: string;
  readonly kind: ArtifactKind | null;
}

export const NO_ARTIFACT_FILTER: ArtifactFilter = { words: '', kind: null };

export interface AppState {
  readonly connection: ConnectionState;
  readonly info: RequestOutput<'app.info'> | null;
  readonly settings: Settings | null;
  /** The startup requests were answered: from now on the screen shows real data. */
  readonly started: boolean;
  readonly route: Route;
  readonly settingsSection: SettingsSection | null;
  /** The label of the setting that was asked for. */
  readonly settingsField: string | null;
  /** The menu of models below the message box is open. */
  readonly pickingModel: boolean;
  readonly threads: Loadable<readonly Thread[]>;
  readonly search: string;
  /** What the search found; of the query before, while the next one is answered. */
  readonly found: Loadable<RequestOutput<'threads.search'> & { readonly query: string }>;
  /** A place in the open task that is to be shown. */
  readonly place: (Place & { readonly threadId: string }) | null;
  /** A file of a task that is to be shown beside it. */
  readonly fileToShow: { readonly threadId: string; readonly path: string } | null;
  readonly openThreads: ReadonlyMap<string, OpenThread>;
  readonly runs: ReadonlyMap<string, Run>;
  readonly views: ReadonlyMap<string, RunView>;
  readonly servers: Loadable<readonly ModelServer[]>;
  readonly setupCheck: Loadable<SetupReport>;
  /** Models without a server. */
  readonly localModels: Loadable<LocalModels>;
  /** The export of all data that runs, or the last one; null if none was seen. */
  readonly dataExport: DataExport | null;
  /** All data was marked for deletion, and the app ends; null unless it was. */
  readonly deleted: RequestOutput<'data.delete'>['next'] | null;
  /** Loaded model profiles, by `modelKey`. */
  readonly profiles: ReadonlyMap<string, ModelProfile>;
  /** Which models see pictures, by `modelKey`; asked for when there is one to send. */
  readonly sights: ReadonlyMap<string, ModelSight>;
  /** The newest check of a model; one at a time. */
  readonly modelCheck: ModelCheck | null;
  /** By `modelKey`. */
  readonly pulls: ReadonlyMap<string, ModelPull>;
  /** By task, and by `NEW_TASK`. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** The message to send when the run of the task ends. */
  readonly queued: ReadonlyMap<string, Draft>;
  /** Tasks (or `NEW_TASK`) with a message in flight to main. */
  readonly sending: ReadonlySet<string>;
  /** Questions with an answer in flight to main. */
  readonly answering: ReadonlySet<string>;
  /** Every open question of every task, oldest first. */
  readonly waiting: readonly WaitingQuestion[];
  /** Loaded network connections, newest first. */
  readonly connections: readonly EgressConnection[];
  /** Browsers of the open tasks, by task. Their pictures are never here. */
  readonly browsers: ReadonlyMap<string, BrowserState>;
  /** Apps of the open tasks, by task. */
  readonly apps: ReadonlyMap<string, TaskApp>;
  /** Tasks whose Browser tab the user asked for. */
  readonly browserTabs: ReadonlySet<string>;
  /** Tasks whose agent may see what the user typed into the browser, once they hand it back. */
  readonly typedShown: ReadonlySet<string>;
  /** The user's folders and their index; null until loaded. */
  readonly library: LibraryState | null;
  readonly skills: Loadable<readonly SkillSummary[]>;
  /** Grows whenever a skill is added, changed or removed; views of skills then reload. */
  readonly skillRound: number;
  readonly skillFilter: SkillFilter;
  readonly artifactFilter: ArtifactFilter;
  /** Grows whenever an artifact changes; lists of them then read again. */
  readonly artifactRound: number;
  /** How often files were saved by the user, by `fileKey`: what shows one then reads it again. */
  readonly savedFiles: ReadonlyMap<string, number>;
  /** Unsaved sources, by skill and by `NEW_SKILL`. */
  readonly skillDrafts: ReadonlyMap<string, SkillDraft>;
  /** The newest run that was started from the editor, by skill. */
  readonly skillTrials: ReadonlyMap<string, Pick<Run, 'id' | 'threadId'>>;
  /** Runs that will pause after their current step. */
  readonly pausing: ReadonlySet<string>;
  /** Output of the sandbox image build, newest last. */
  readonly buildLines: readonly string[];
  /** Counts changes of connectors: what shows them reads them again. */
  readonly connectorsRevision: number;
  readonly building: boolean;
  /** Plans as main has them, by run: the log gets an edit only before the next step. */
  readonly plans: ReadonlyMap<string, Plan>;
  /** Plans that are being edited here, by run. */
  readonly planEdits: ReadonlyMap<string, PlanEdit>;
  readonly toasts: readonly Toast[];
}

/** Key of a file of a task; of all its files with an empty path. */
export function fileKey(threadId: string, path: string): string {
  return `${threadId} ${path}`;
}

/** Key of the draft of a task that does not exist yet. */
export const NEW_TASK = '';

/** Key of the source of a skill that was never saved. */
export const NEW_SKILL = '';

export const EMPTY_DRAFT: Draft = {
  text: '',
  attachments: [],
  folder: null,
  mode: 'task',
  model: null,
  network: null,
  level: null,
  researchDepth: null,
  scenario: null,
};

export function initialState(connection: ConnectionState): AppState {
  return {
    connection,
    info: null,
    settings: null,
    started: false,
    route: { kind: 'task', threadId: null },
    settingsSection: null,
    settingsField: null,
    pickingModel: false,
    threads: { phase: 'loading' },
    search: '',
    found: { phase: 'idle' },
    place: null,
    fileToShow: null,
    openThreads: new Map(),
    runs: new Map(),
    views: new Map(),
    servers: { phase: 'idle' },
    localModels: { phase: 'idle' },
    dataExport: null,
    deleted: null,
    setupCheck: { phase: 'idle' },
    profiles: new Map(),
    sights: new Map(),
    modelCheck: null,
    pulls: new Map(),
    drafts: new Map(),
    queued: new Map(),
    sending: new Set(),
    answering: new Set(),
    waiting: [],
    connections: [],
    browsers: new Map(),
    apps: new Map(),
    browserTabs: new Set(),
    typedShown: new Set(),
    library: null,
    skills: { phase: 'idle' },
    skillRound: 0,
    skillFilter: NO_SKILL_FILTER,
    artifactFilter: NO_ARTIFACT_FILTER,
    artifactRound: 0,
    savedFiles: new Map(),
    skillDrafts: new Map(),
    skillTrials: new Map(),
    pausing: new Set(),
    buildLines: [],
    connectorsRevision: 0,
    building: false,
    plans: new Map(),
    planEdits: new Map(),
    toasts: [],
  };
}

export function modelKey({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}

/** A copy of `map` with one entry set; with `null`, without it. */
export function withEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value | null,
): ReadonlyMap<Key, Value> {
  const copy = new Map(map);
  if (value === null) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

export function withMember<Member>(
  set: ReadonlySet<Member>,
  member: Member,
  present: boolean,
): ReadonlySet<Member> {
  const copy = new Set(set);
  if (present) copy.add(member);
  else copy.delete(member);
  return copy;
}
