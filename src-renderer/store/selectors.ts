import type { Message, ModelRef, ModelServer, Run, Thread } from '#contract/entities.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import type { Settings } from '#contract/settings.ts';
import type { NetworkPolicy, PolicyLevel, RunStatus } from '#contract/vocabulary.ts';
import type { AppState, Draft, Loadable, ModelSight } from './app-state.ts';
import { EMPTY_DRAFT, modelKey, NEW_TASK } from './app-state.ts';
import type { RunView } from './run-view.ts';

const FINAL: ReadonlySet<RunStatus> = new Set(['completed', 'unverified', 'failed', 'cancelled']);

export function isFinal(status: RunStatus): boolean {
  return FINAL.has(status);
}

export function openThreadId(state: AppState): string | null {
  return state.route.kind === 'task' ? state.route.threadId : null;
}

export function loadedValue<Value>(loadable: Loadable<Value>): Value | null {
  return 'value' in loadable ? (loadable.value ?? null) : null;
}

export function threadById(state: AppState, threadId: string | null): Thread | null {
  if (threadId === null) return null;
  return loadedValue(state.threads)?.find((thread) => thread.id === threadId) ?? null;
}

/** Key under which the draft of the task on the screen is kept. */
export function draftKey(state: AppState): string {
  return openThreadId(state) ?? NEW_TASK;
}

export function draftOf(state: AppState, key: string): Draft {
  return state.drafts.get(key) ?? EMPTY_DRAFT;
}

/** The newest run of a task; null where none is known. */
export function newestRun(state: AppState, threadId: string | null): Run | null {
  if (threadId === null) return null;
  const runId = state.openThreads.get(threadId)?.runIds.at(-1);
  return runId === undefined ? null : (state.runs.get(runId) ?? null);
}

export function liveRun(state: AppState, threadId: string | null): Run | null {
  const run = newestRun(state, threadId);
  if (run === null || isFinal(run.status)) return null;
  return state.views.get(run.id)?.end == null ? run : null;
}

/**
 * Whether the computer side of a task has something to show: a plan, sources, output or files. Null while its runs
 * are being loaded.
 */
export function hasWork(state: AppState, threadId: string | null): boolean | null {
  const open = threadId === null ? undefined : state.openThreads.get(threadId);
  if (open === undefined) return threadId === null ? false : null;
  const views = open.runIds.map((id) => state.views.get(id));
  if (views.some((view) => view !== undefined && showsWork(view))) return true;
  if (threadId !== null && (hasBrowser(state, threadId) || hasApp(state, threadId))) return true;
  return open.phase === 'loading' || views.includes(undefined) ? null : false;
}

/** Whether a page is open in the browser of a task, or its tab was asked for. */
export function hasBrowser({ browsers, browserTabs }: AppState, threadId: string): boolean {
  return browserTabs.has(threadId) || browsers.get(threadId)?.isOpen === true;
}

/** Whether a task has an app. */
export function hasApp({ apps }: AppState, threadId: string): boolean {
  return (apps.get(threadId)?.folder ?? null) !== null;
}

function showsWork({ plan, research, terminal, workspace, browser }: RunView): boolean {
  return (
    browser.version > 0 ||
    plan !== null ||
    research.sources.size > 0 ||
    research.reports.length > 0 ||
    terminal.version > 0 ||
    workspace.byPath.size > 0
  );
}

/** A turn of the conversation: the run, the user's message, and the fold of its log. */
export interface Turn {
  readonly run: Run;
  readonly prompt: Message | null;
  readonly answered: Message | null;
  /** Null until its log was read. */
  readonly view: RunView | null;
}

export function turnsOf(state: AppState, threadId: string | null): readonly Turn[] {
  const open = threadId === null ? undefined : state.openThreads.get(threadId);
  if (open === undefined) return [];
  const turns: Turn[] = [];
  for (const runId of open.runIds) {
    const run = state.runs.get(runId);
    if (run === undefined) continue;
    const messages = open.messages.filter((message) => message.runId === runId);
    turns.push({
      run,
      prompt: messages.find((message) => message.role === 'user') ?? null,
      answered: messages.findLast((message) => message.role === 'assistant') ?? null,
      view: state.views.get(runId) ?? null,
    });
  }
  return turns;
}

export type OpenQuestion = RunEventOf<'interrupt'>;

/** Questions of the task on the screen, oldest first. */
export function openQuestions(state: AppState, threadId: string | null): readonly OpenQuestion[] {
  const run = newestRun(state, threadId);
  const view = run === null ? undefined : state.views.get(run.id);
  if (view === undefined || view.questions.open.size === 0) return NO_QUESTIONS;
  return [...view.questions.open.values()];
}
const NO_QUESTIONS: readonly OpenQuestion[] = [];

/** The status of a task; an open question on the screen is known before main reports it. */
export function threadStatus(state: AppState, thread: Thread): RunStatus | null {
  const run = liveRun(state, thread.id);
  const view = run === null ? undefined : state.views.get(run.id);
  if (view !== undefined && view.questions.open.size > 0) return 'waiting';
  return thread.status;
}

/** The model for the next message of this draft. */
export function chosenModel(
  state: AppState,
  threadId: string | null,
  draft: Draft,
): ModelRef | null {
  const general = state.settings?.model ?? null;
  if (isLocked(state, 'model')) return general;
  return draft.model ?? newestRun(state, threadId)?.options.model ?? general;
}

/** Whether a message of this draft has no model to go to: neither a chosen one nor one of the settings. */
export function lacksModel(state: AppState, threadId: string | null, draft: Draft): boolean {
  const { settings } = state;
  if (settings === null || settings.tiers.pro !== null) return false;
  return chosenModel(state, threadId, draft) === null;
}

/** Whether the draft has a picture that could be shown to a model. */
export function hasPictures({ attachments }: Draft): boolean {
  return attachments.some(({ picture }) => picture !== null && 'preview' in picture);
}

/** The model that will not see the pictures of the draft, as far as is known; null where there is nothing to say. */
export function blindModel(
  state: AppState,
  threadId: string | null,
  draft: Draft,
): { readonly model: ModelRef; readonly sight: ModelSight } | null {
  const model = hasPictures(draft) ? chosenModel(state, threadId, draft) : null;
  const sight = model === null ? undefined : state.sights.get(modelKey(model));
  return model === null || sight === undefined || sight.vision === true ? null : { model, sight };
}

export function sameModel(a: ModelRef | null, b: ModelRef | null): boolean {
  return a !== null && b !== null && a.provider === b.provider && a.name === b.name;
}

/** The server that has this model, if one is known. */
export function serverOf(
  servers: readonly ModelServer[],
  model: ModelRef | null,
): ModelServer | null {
  if (model === null) return null;
  return servers.find((server) => server.provider === model.provider) ?? null;
}

/** The approval level of a task itself, or of the draft of a new one; null where the settings decide. */
export function levelOfTask(
  state: AppState,
  threadId: string | null,
  { level }: Pick<Draft, 'level'>,
): PolicyLevel | null {
  if (isLocked(state, 'policyLevel')) return null;
  if (threadId === null) return level;
  return threadById(state, threadId)?.level ?? null;
}

/** Whether the policy of this computer locks a setting. */
export function isLocked(state: AppState, name: keyof Settings): boolean {
  const policy = state.info?.policy;
  return policy?.state === 'holds' && policy.locked.includes(name);
}

/** Whether the isolation of a local sandbox was verified here; null while no setup check says so. */
export function isSandboxVerified(state: AppState): boolean | null {
  const sandboxes = loadedValue(state.setupCheck)?.sandboxes.filter(({ kind }) => kind !== 'e2b');
  const checked = sandboxes?.filter(({ probes }) => probes.length > 0);
  if (checked === undefined) return null;
  return checked.some(({ available, probes }) => available && probes.every(({ held }) => held));
}

/** The network policy of the next run: the user's choice, else the task's last one, else the setting. */
export function chosenNetwork(
  state: AppState,
  threadId: string | null,
  { network }: Pick<Draft, 'network'>,
): NetworkPolicy {
  const before = newestRun(state, threadId)?.options.network;
  const general = state.settings?.network ?? 'offline';
  return isLocked(state, 'network') ? general : (network ?? before ?? general);
}

/** Whether the task has a folder of the user already, or gets one with a queued message. */
export function hasFolder(state: AppState, threadId: string | null): boolean {
  if (threadId === null) return false;
  const messages = state.openThreads.get(threadId)?.messages ?? [];
  const isGiven = messages.some(({ attachments }) =>
    attachments.some(({ folder }) => folder !== undefined),
  );
  return isGiven || (state.queued.get(threadId)?.folder ?? null) !== null;
}

/**
 * The run whose source a number in an answer means: its own run, else the newest earlier one of the task whose
 * calls found a source of that number. Null where the number is none.
 */
export function runOfSource(state: AppState, runId: string, number: number): string | null {
  if (state.views.get(runId)?.research.sources.has(number) === true) return runId;
  const threadId = state.runs.get(runId)?.threadId ?? '';
  const runIds = state.openThreads.get(threadId)?.runIds ?? [];
  const found = runIds.slice(0, runIds.indexOf(runId) + 1).findLast((earlier) => {
    const source = state.views.get(earlier)?.research.sources.get(number);
    return source?.toolCallId !== undefined;
  });
  return found ?? null;
}
