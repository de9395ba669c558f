import { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import {
  type Evidence,
  EvidenceKind,
  MAX_PLAN_STEPS,
  MIN_PLAN_STEPS,
  type PlanStep,
} from '#contract/plans.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import { askStructured } from '../models/structured-answer.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import { neededSteps, stepOrder } from './step-order.ts';

export interface PlanRequest {
  /** The task in the user's words. */
  readonly task: string;
  /** The earlier conversation, shortened; empty if there is none. */
  readonly conversation: string;
  /** Names of the files in the workspace. */
  readonly files: readonly string[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** For a revised plan: what is done, and what went wrong with the rest. */
  readonly revision: PlanRevision | null;
  /** Step ids already in use. */
  readonly takenIds: ReadonlySet<string>;
}

export interface PlanRevision {
  readonly done: readonly { readonly title: string; readonly result: string }[];
  readonly failure: string;
  /** Titles of steps that the user added; they run after the new ones. */
  readonly addedByUser: readonly string[];
  /** Titles of steps that the user removed. */
  readonly removedByUser: readonly string[];
}

export interface PlannedSteps {
  readonly steps: readonly PlanStep[];
  /** Why the whole task became one step; null for a plan by the model. */
  readonly reduced: string | null;
}

export interface PlannerOptions {
  /** The planner's system prompt, identical in every request. */
  readonly systemPrompt: string;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEventDraft) => void;
  readonly onReply: (reply: ModelReply) => void;
}

const StepDraft = z.object({
  id: z.string().min(1).max(40),
  title: z.string().trim().min(1).max(200),
  goal: z.string().trim().min(1).max(4_000),
  tools: z.array(z.string().max(100)).max(20).default([]),
  evidence: z
    .array(z.object({ kind: EvidenceKind, target: z.string().max(2_000) }))
    .max(10)
    .default([]),
  depends_on: z.array(z.string()).max(MAX_PLAN_STEPS).default([]),
});
type StepDraft = z.infer<typeof StepDraft>;

/** A plan whose steps wait for each other is no plan: the model learns of it, and plans again. */
function planOf(least: number) {
  return z
    .object({ steps: z.array(StepDraft).min(least).max(MAX_PLAN_STEPS) })
    .superRefine(({ steps }, context) => {
      const { cycle } = stepOrder(neededSteps(steps));
      if (cycle.length === 0) return;
      const names = cycle.map((position) => JSON.stringify(steps[position]?.id)).join(', ');
      const message = `The steps ${names} can never start, because they wait for each other. Let each depend only on steps that can be done before it.`;
      context.addIssue({ code: 'custom', path: ['steps'], message });
    });
}

const FirstPlan = planOf(MIN_PLAN_STEPS);
/** The rest of a task may be one step. */
const NextPlan = planOf(1);

/**
 * Asks the model for steps. An answer that does not match the schema is requested again; if that fails
 * too, the whole task becomes one step. Throws only what the model throws.
 */
export async function planSteps(
  model: ChatModel,
  request: PlanRequest,
  { systemPrompt, signal, emit, onReply }: PlannerOptions,
): Promise<PlannedSteps> {
  const schema = request.revision === null ? FirstPlan : NextPlan;
  const answer = await askStructured(
    model,
    {
      messages: [
        { role: 'system', content: systemPrompt },
        { role: 'user', content: describeRequest(request) },
      ],
      schema,
      temperature: 0,
    },
    { signal, onReply, onProgress: waitingEvents(emit) },
  );
  if (!answer.ok) {
    return {
      steps: [wholeTask(request)],
      reduced: `The plan of the model could not be read (${answer.problem}), so the task is one step.`,
    };
  }
  return { steps: toSteps(answer.value.steps, request), reduced: null };
}

/** The task as one step. */
function wholeTask({ task, takenIds, revision }: PlanRequest): PlanStep {
  const goal = revision === null ? task : `${task}\n\nWhat went wrong before: ${revision.failure}`;
  return {
    id: freeId(1, takenIds),
    title: titleOf(task) || 'The task',
    goal: goal.slice(0, 4_000),
    toolsHint: [],
    expectedEvidence: [],
    dependsOn: [],
  };
}

function titleOf(text: string): string {
  const firstLine = text.trim().split('\n', 1)[0] ?? '';
  return firstLine.length > 80 ? `${firstLine.slice(0, 79)}…` : firstLine;
}

/** The steps of a plan that the executor drafted: each needs the one before it. */
export function draftedSteps(drafted: DraftedPlan): PlanStep[] {
  const drafts = drafted.map(
    ({ goal, file }, position): StepDraft => ({
      ...{ id: `s${position + 1}`, title: titleOf(goal), goal, tools: [] },
      evidence: file === undefined ? [] : [{ kind: 'file', target: file }],
      depends_on: position === 0 ? [] : [`s${position}`],
    }),
  );
  return toSteps(drafts, { takenIds: new Set(), tools: [] });
}

/**
 * The steps in an order in which they can be done. Assigns our own ids: models choose arbitrary names for steps,
 * and repeat them.
 */
function toSteps(
  drafts: readonly StepDraft[],
  { takenIds, tools }: Pick<PlanRequest, 'takenIds' | 'tools'>,
): PlanStep[] {
  const needed = neededSteps(drafts);
  const { order } = stepOrder(needed);
  const taken = new Set(takenIds);
  const ids = new Map<number, string>();
  for (const [place, position] of order.entries()) {
    const id = freeId(place + 1, taken);
    taken.add(id);
    ids.set(position, id);
  }
  const known = new Set(tools.map(({ name }) => name));
  return order.flatMap((position) => {
    const draft = drafts[position];
    if (draft === undefined) return [];
    return [
      {
        id: ids.get(position) ?? '',
        title: draft.title,
        goal: draft.goal,
        toolsHint: draft.tools.filter((name) => known.has(name)),
        expectedEvidence: draft.evidence.map(tidyEvidence).filter(({ target }) => target !== ''),
        dependsOn: (needed[position] ?? []).flatMap((one) => ids.get(one) ?? []),
      },
    ];
  });
}

function freeId(number: number, taken: ReadonlySet<string>): string {
  let next = number;
  while (taken.has(`s${next}`)) next += 1;
  return `s${next}`;
}

/** Writes paths relative to the workspace; a target that cannot be a path is left to the judge. */
function tidyEvidence({ kind, target }: Evidence): Evidence {
  const text = target.trim();
  if (kind !== 'file') return { kind, target: text };
  const path = text.replace(/^(?:file:\/\/)?\/?workspace\//, '').replace(/^\.\//, '');
  const isPath = path !== '' && !path.startsWith('/') && !/[\n*?<>|"]|\.\.(?:\/|$)/.test(path);
  return isPath ? { kind, target: path } : { kind: 'judgement', target: text };
}

function describeRequest(request: PlanRequest): string {
  const { task, conversation, files, tools, revision } = request;
  const asData = (content: string, source: string): string =>
    delimitAsData(content, { toolCallId: 'plan', source });
  const parts = [`Task:\n${task}`];
  if (conversation !== '') {
    parts.push(`What was said before:\n${asData(conversation, 'the conversation')}`);
  }
  if (files.length > 0) {
    parts.push(`Files in /workspace:\n${asData(files.join('\n'), 'names of files')}`);
  }
  parts.push(`Tools:\n${tools.map((tool) => `- ${tool.name}: ${tool.description}`).join('\n')}`);
  if (revision !== null) {
    const done = revision.done.map(({ title, result }) => `- ${title}: ${result}`).join('\n');
    parts.push(
      'The plan is revised. Plan only what is left, in another way than what failed; 1 to 8 steps.',
      ...(done === '' ? [] : [`Done already, and kept:\n${asData(done, 'results of steps')}`]),
      ...userSteps('The user adds these steps after yours; do not plan them', revision.addedByUser),
      ...userSteps('The user removed these steps; do not plan them again', revision.removedByUser),
      `What went wrong:\n${asData(revision.failure, 'the check of the last plan')}`,
    );
  }
  return parts.join('\n\n');
}

function userSteps(words: string, titles: readonly string[]): string[] {
  return titles.length === 0 ? [] : [`${words}:\n${titles.map((one) => `- ${one}`).join('\n')}`];
}

/** A plan is not text for the chat, so only waiting for the model becomes an event. */
function waitingEvents(emit: PlannerOptions['emit']) {
  let isWaiting = false;
  const emitStage = (status: 'running' | 'completed', description: string): void =>
    emit({ type: 'stage', name: 'planning_model', status, description, agent: 'planner' });
  return (progress: { readonly kind: string; readonly elapsedMs?: number }): void => {
    if (progress.kind === 'waiting') {
      isWaiting = true;
      emitStage(
        'running',
        `Waiting for the model, ${Math.round((progress.elapsedMs ?? 0) / 1000)} s`,
      );
    } else if (isWaiting) {
      isWaiting = false;
      emitStage('completed', 'The model is answering');
    }
  };
}
