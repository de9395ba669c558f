import type { RunEventDraft, RunEventType } from '#contract/events/run-event.ts';

/** The member of the drafts with this `type`. */
export type DraftOf<Type extends RunEventType> = Extract<RunEventDraft, { type: Type }>;

/**
 * What an event is about, and what it says about it. An event is a duplicate if the last one about the same
 * subject had the same state: something that happens once needs no `state`, and something that changes back
 * and forth loses nothing.
 */
export interface DedupeKey {
  readonly subject: string;
  readonly state?: string;
}

export type KeyFn<Type extends RunEventType = RunEventType> = (event: DraftOf<Type>) => DedupeKey;

/**
 * The key for every event type; null lets all events through. A new type does not compile without an entry.
 * Four keys are wider than the obvious ones, which would drop real events: terminal output (its first 200
 * characters may repeat), `stage`, `workspace_update` and `image`.
 */
export const DEDUPE_KEYS: { readonly [Type in RunEventType]: KeyFn<Type> | null } = {
  // By name and status alone, the second loading of a model would never show.
  stage: ({ name, status, description, agent, skill }) => ({
    subject: skill === undefined ? name : key(name, skill.executionId),
    state: key(status, description, agent),
  }),
  // The log closes with the first of these two.
  complete: null,
  error: null,
  // Each counts a request that was paid for; two may be equal.
  usage: null,
  // Pieces of a stream have no identity; each is emitted once.
  token: null,
  reasoning: null,
  // Every call counts its images from 0.
  image: ({ toolCallId, index, path }) => ({ subject: key(toolCallId, index, path) }),
  code_result: ({ toolCallId }) => ({ subject: toolCallId }),
  tool_call: ({ toolCallId }) => ({ subject: toolCallId }),
  tool_result: ({ toolCallId }) => ({ subject: toolCallId }),
  // A source is emitted again when it has excerpts.
  source: ({ index, url, title, excerpts, isRead }) => ({
    subject: String(index),
    state: key(url, title, excerpts, isRead),
  }),
  // A run that resumes after its route changed begins with the first one again.
  routing: ({ route, agent, reason }) => ({ subject: key(route, agent, reason) }),
  handoff: ({ handoffId }) => ({ subject: handoffId }),
  search_plan: ({ planId, queries }) => ({ subject: planId, state: key(...queries) }),
  knowledge_update: ({ updateId }) => ({ subject: updateId }),
  report: ({ reportId }) => ({ subject: reportId }),
  browser_stream: ({ streamUrl, label }) => ({ subject: '', state: key(streamUrl, label) }),
  browser_action: ({ actionId, status, target, url }) => ({
    subject: actionId,
    state: key(status, target, url),
  }),
  // By operation and path alone, a second change of a file would be lost. Each call reports a file once,
  // and again if it repeats the change after a crash.
  workspace_update: ({ path, operation, origin, size }) => ({
    subject: key(path, origin),
    state: key(operation, size),
  }),
  terminal_command: ({ commandId }) => ({ subject: commandId }),
  terminal_output: ({ commandId, offset }) => ({ subject: key(commandId, offset) }),
  terminal_error: ({ commandId, offset }) => ({ subject: key(commandId, offset) }),
  terminal_complete: ({ commandId }) => ({ subject: commandId }),
  skill_output: ({ executionId, downloadUrl, previewUrl, output }) => ({
    subject: key(executionId, downloadUrl ?? previewUrl),
    state: key(output),
  }),
  skill_walk: ({ walkId, walk }) => ({ subject: walkId, state: key(walk) }),
  plan_step: ({ stepId, status, title, detail }) => ({
    subject: stepId,
    state: key(status, title, detail),
  }),
  interrupt: ({ interruptId }) => ({ subject: interruptId }),
  interrupt_response: ({ interruptId }) => ({ subject: interruptId }),
  plan_overview: ({ revision }) => ({ subject: String(revision) }),
  // A failed step may be retried under the same plan.
  plan_step_completed: ({ revision, stepId, status }) => ({
    subject: key(revision, stepId),
    state: status,
  }),
  todo_update: ({ markdown }) => ({ subject: '', state: markdown }),
  verification: ({ verificationId }) => ({ subject: verificationId }),
  parallel_start: ({ groupId }) => ({ subject: groupId }),
  parallel_task: ({ groupId, taskId, status }) => ({
    subject: key(groupId, taskId),
    state: status,
  }),
  parallel_complete: ({ groupId }) => ({ subject: groupId }),
};

/** A text that is unique to these parts. */
function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The key of a draft; null if its type has none. */
export function dedupeKey(draft: RunEventDraft): DedupeKey | null {
  // The record pairs each type with the function for it, which the compiler cannot follow here.
  const keyOf = DEDUPE_KEYS[draft.type] as KeyFn | null;
  return keyOf === null ? null : keyOf(draft);
}

/**
 * How many subjects of each type are remembered. Duplicates come close together; without a bound, a run that
 * prints for a day would remember every piece of it.
 */
const REMEMBERED_SUBJECTS = 10_000;

/** Finds the duplicates among the events of one run. */
export class DedupeFilter {
  readonly #lastStates = new Map<RunEventType, Map<string, string>>();

  /** Whether the event is new; if so, remembers it. */
  accept(draft: RunEventDraft): boolean {
    const found = dedupeKey(draft);
    if (found === null) return true;
    const { subject, state = '' } = found;
    const states = this.#statesOf(draft.type);
    if (states.get(subject) === state) return false;
    // Moves it to the end of the map's order: the first entries are forgotten first.
    states.delete(subject);
    states.set(subject, state);
    if (states.size > REMEMBERED_SUBJECTS) {
      for (const oldest of states.keys()) {
        states.delete(oldest);
        break;
      }
    }
    return true;
  }

  #statesOf(type: RunEventType): Map<string, string> {
    let states = this.#lastStates.get(type);
    if (states === undefined) {
      states = new Map();
      this.#lastStates.set(type, states);
    }
    return states;
  }
}
