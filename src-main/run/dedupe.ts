import type { RunEventDraft, RunEventType } from '#contract/events/run-event.ts';

/** The member of the drafts with this `type`. */
export type DraftOf<Type extends RunEventType> = Extract<RunEventDraft, { type: Type }>;

/**
 * What an event is about and what it says of it. An event is a double when the last one about the
 * same subject said the same: so a thing that happens once needs no `state`, and a thing that goes to
 * and fro is never cut short.
 */
export interface DedupeKey {
  readonly subject: string;
  readonly state?: string;
}

export type KeyFn<Type extends RunEventType = RunEventType> = (event: DraftOf<Type>) => DedupeKey;

/**
 * The policy for every event type; null lets all through. A new type does not compile without one.
 * Four keys are wider than the obvious ones, which would drop what really happened:
 * terminal output (its first 200 characters may well repeat), `stage`, `workspace_update` and `image`.
 */
export const DEDUPE_KEYS: { readonly [Type in RunEventType]: KeyFn<Type> | null } = {
  // By name and status alone, the second time that a model is loaded would never show.
  stage: ({ name, status, description, agent, skill }) => ({
    subject: skill === undefined ? name : key(name, skill.executionId),
    state: key(status, description, agent),
  }),
  // The log closes with the first of these two.
  complete: null,
  error: null,
  // Each stands for a request that was paid for; two may well look alike.
  usage: null,
  // Pieces of a stream have no identity of their own; whoever streams does so once.
  token: null,
  reasoning: null,
  // Every call counts its images from 0.
  image: ({ toolCallId, index, path }) => ({ subject: key(toolCallId, index, path) }),
  code_result: ({ toolCallId }) => ({ subject: toolCallId }),
  tool_call: ({ toolCallId }) => ({ subject: toolCallId }),
  tool_result: ({ toolCallId }) => ({ subject: toolCallId }),
  // A source is told again with the excerpts that were taken of it.
  source: ({ index, url, title, excerpts }) => ({
    subject: String(index),
    state: key(url, title, excerpts),
  }),
  routing: ({ route, agent, reason }) => ({ subject: '', state: key(route, agent, reason) }),
  handoff: ({ handoffId }) => ({ subject: handoffId }),
  search_plan: ({ planId, queries }) => ({ subject: planId, state: key(...queries) }),
  knowledge_update: ({ updateId }) => ({ subject: updateId }),
  report: ({ reportId }) => ({ subject: reportId }),
  browser_stream: ({ streamUrl, label }) => ({ subject: '', state: key(streamUrl, label) }),
  browser_action: ({ actionId, status, target, url }) => ({
    subject: actionId,
    state: key(status, target, url),
  }),
  // By operation and path alone, a second change of a file would be lost. Each call tells of a file
  // once, and of the same change once more where it is made again after a crash.
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
  // A step that failed may be tried again under the same plan.
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

/** Parts as one text that no other parts give. */
function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The key of a draft by the policy of its type; null where it has none. */
export function dedupeKey(draft: RunEventDraft): DedupeKey | null {
  // The record pairs each type with the function for it, which the compiler cannot follow here.
  const keyOf = DEDUPE_KEYS[draft.type] as KeyFn | null;
  return keyOf === null ? null : keyOf(draft);
}

/**
 * Subjects remembered for each type. Doubles come close together; without a bound a run that prints
 * for a day would remember every piece of it.
 */
const REMEMBERED_SUBJECTS = 10_000;

/** Tells events of one run from their doubles. */
export class DedupeFilter {
  readonly #lastStates = new Map<RunEventType, Map<string, string>>();

  /** Whether the event says something new; if so, it is remembered. */
  accept(draft: RunEventDraft): boolean {
    const found = dedupeKey(draft);
    if (found === null) return true;
    const { subject, state = '' } = found;
    const states = this.#statesOf(draft.type);
    if (states.get(subject) === state) return false;
    // Moves to the end of the map's order, which is the order of forgetting.
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
