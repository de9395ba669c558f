import type { EgressConnection } from '#contract/egress.ts';
import type {
  Message,
  ModelRef,
  ModelServer,
  Run,
  Settings,
  SetupReport,
  Thread,
} from '#contract/entities.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { LibraryState } from '#contract/library.ts';
import type { ModelCheckItem, ModelProfile, ModelPull } from '#contract/models.ts';
import type { Plan } from '#contract/plans.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { SkillLanguage, SkillSummary } from '#contract/skills.ts';
import type {
  NetworkPolicy,
  ResearchDepth,
  ResearchScenario,
  RunMode,
} from '#contract/vocabulary.ts';
import type { ConnectionState } from '../bridge/app-bridge.ts';
import type { PlanEdit } from './plan-edit.ts';
import type { RunView } from './run-view.ts';
import { NO_SKILL_FILTER, type SkillFilter } from './skill-list.ts';

/** Something that is asked for: not yet, on its way, here, or not to be had. */
export type Loadable<Value> =
  | { readonly phase: 'idle' }
  | { readonly phase: 'loading'; readonly value?: Value }
  | { readonly phase: 'ready'; readonly value: Value }
  | { readonly phase: 'failed'; readonly problem: string; readonly value?: Value };

/** What of the skills is on the screen. An editor without a skill begins a new one. */
export type SkillsPage =
  | { readonly view: 'list' }
  | { readonly view: 'detail'; readonly skillId: string }
  | { readonly view: 'editor'; readonly skillId: string | null }
  | { readonly view: 'review'; readonly skillId: string };

export type Route =
  | { readonly kind: 'task'; readonly threadId: string | null }
  | { readonly kind: 'skills'; readonly page: SkillsPage }
  | { readonly kind: 'setupCheck' };

export type SettingsSection =
  | 'models'
  | 'sandbox'
  | 'network'
  | 'search'
  | 'library'
  | 'skills'
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
  /** What main calls it; null until it took the file in. */
  readonly attachmentId: string | null;
  readonly problem: string | null;
}

/** A message that is being written. `model` is null where the settings decide. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
  readonly mode: RunMode;
  readonly model: ModelRef | null;
  /** Null where the task goes on as before, or the settings decide. */
  readonly network: NetworkPolicy | null;
  /** For research: null where the settings decide, and the question. */
  readonly researchDepth: ResearchDepth | null;
  readonly scenario: ResearchScenario | null;
}

/** A source that is being written and was not saved. */
export interface SkillDraft {
  readonly language: SkillLanguage;
  readonly source: string;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'error';
  readonly text: string;
}

/** A check-up of a model: what its tasks showed so far. */
export interface ModelCheck {
  readonly key: string;
  readonly running: boolean;
  readonly items: readonly ModelCheckItem[];
  readonly of: number;
  readonly problem: string | null;
}

export interface AppState {
  readonly connection: ConnectionState;
  readonly info: RequestOutput<'app.info'> | null;
  readonly settings: Settings | null;
  /** The start-up requests were answered; what is on the screen from now on is true. */
  readonly started: boolean;
  readonly route: Route;
  readonly settingsSection: SettingsSection | null;
  readonly threads: Loadable<readonly Thread[]>;
  readonly search: string;
  readonly openThreads: ReadonlyMap<string, OpenThread>;
  readonly runs: ReadonlyMap<string, Run>;
  readonly views: ReadonlyMap<string, RunView>;
  readonly servers: Loadable<readonly ModelServer[]>;
  readonly setupCheck: Loadable<SetupReport>;
  /** What is known of models, by `modelKey`, as far as it was asked. */
  readonly profiles: ReadonlyMap<string, ModelProfile>;
  /** The newest check-up of a model; one at a time. */
  readonly modelCheck: ModelCheck | null;
  /** By `modelKey`. */
  readonly pulls: ReadonlyMap<string, ModelPull>;
  /** By task, and by `NEW_TASK`. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** What is sent when the run of the task ends. */
  readonly queued: ReadonlyMap<string, Draft>;
  /** Tasks (or `NEW_TASK`) of which a message is on its way to main. */
  readonly sending: ReadonlySet<string>;
  /** Questions whose answer is on its way to main. */
  readonly answering: ReadonlySet<string>;
  /** Every open question of every task, oldest first. */
  readonly waiting: readonly WaitingQuestion[];
  /** Connections that were asked for, newest first, as far as this window knows them. */
  readonly connections: readonly EgressConnection[];
  /** The person's folders and their index; null until it was asked for. */
  readonly library: LibraryState | null;
  readonly skills: Loadable<readonly SkillSummary[]>;
  /** Grows whenever a skill came, changed or went: what is shown of one is asked for again. */
  readonly skillRound: number;
  readonly skillFilter: SkillFilter;
  /** Sources that are being written, by skill and by `NEW_SKILL`. */
  readonly skillDrafts: ReadonlyMap<string, SkillDraft>;
  /** The newest run that was started beside its source, by skill. */
  readonly skillTrials: ReadonlyMap<string, Pick<Run, 'id' | 'threadId'>>;
  /** Runs that stop at their next step. */
  readonly pausing: ReadonlySet<string>;
  /** What the making of the sandbox image said, newest last. */
  readonly buildLines: readonly string[];
  readonly building: boolean;
  /** Plans as main has them, by run: the log is told of an edit only before the next step. */
  readonly plans: ReadonlyMap<string, Plan>;
  /** Plans that are being changed here, by run. */
  readonly planEdits: ReadonlyMap<string, PlanEdit>;
  readonly toasts: readonly Toast[];
}

/** Key of the draft of a task that does not exist yet. */
export const NEW_TASK = '';

/** Key of the source of a skill that was never saved. */
export const NEW_SKILL = '';

export const EMPTY_DRAFT: Draft = {
  text: '',
  attachments: [],
  mode: 'task',
  model: null,
  network: null,
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
    threads: { phase: 'loading' },
    search: '',
    openThreads: new Map(),
    runs: new Map(),
    views: new Map(),
    servers: { phase: 'idle' },
    setupCheck: { phase: 'idle' },
    profiles: new Map(),
    modelCheck: null,
    pulls: new Map(),
    drafts: new Map(),
    queued: new Map(),
    sending: new Set(),
    answering: new Set(),
    waiting: [],
    connections: [],
    library: null,
    skills: { phase: 'idle' },
    skillRound: 0,
    skillFilter: NO_SKILL_FILTER,
    skillDrafts: new Map(),
    skillTrials: new Map(),
    pausing: new Set(),
    buildLines: [],
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
