import type { Settings } from '#contract/entities.ts';
import { readUserTurn, writeUserTurn } from '../agents/context/user-turn.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { hostsNamedIn } from '../egress/named-hosts.ts';
import type { EgressClient } from '../egress/types.ts';
import type { Guards } from '../guardrails/guards.ts';
import { guardedModel } from '../models/guarded-model.ts';
import type { ProfileRegistry } from '../models/profiles/profile-registry.ts';
import type { ChatMessage, ChatModel, ModelService } from '../models/types.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { RunStateStore, SummaryStore, TaintStore } from '../storage/types.ts';
import type { Taint } from '../tools/types.ts';
import { type CheckPrompts, openFlashChecks } from './flash-checks.ts';
import { guardStage, promptBlocked } from './guard-notices.ts';
import { openFitting } from './open-fitting.ts';
import { withPrograms } from './run-programs.ts';
import { openRunSnapshots, type RunSnapshotParts } from './run-snapshots.ts';
import { TierModels } from './tier-models.ts';
import type { RunContext, RunProgram } from './types.ts';

/** The model-level messages of a thread, oldest first; what the next turn is built on. */
export interface TranscriptStore {
  list(threadId: string): ChatMessage[];
  append(threadId: string, runId: string, messages: readonly ChatMessage[]): void;
  /** What was there before a run, and what the run itself added so far. */
  split(
    threadId: string,
    runId: string,
  ): { readonly before: ChatMessage[]; readonly own: ChatMessage[] };
}

export interface AgentProgramParts extends RunSnapshotParts {
  readonly orchestrator: Pick<Orchestrator, 'run' | 'classify'>;
  readonly guards: Guards;
  readonly models: ModelService;
  readonly egress: Pick<AppEgress, 'forRun'>;
  readonly transcripts: TranscriptStore;
  readonly summaries: SummaryStore;
  readonly taints: TaintStore;
  readonly runStates: RunStateStore;
  readonly profiles: Pick<ProfileRegistry, 'get' | 'learn'>;
  readonly settings: () => Settings;
  /** What the model is told of its place in a Markdown skill; null where it is in none. */
  readonly placeInSkill?: (task: {
    readonly threadId: string;
    readonly runId: string;
  }) => string | null;
  /** The system prompt: the same bytes in every request of every run. */
  readonly systemPrompt: string;
  /** What small models are asked beside the run. */
  readonly checkPrompts: CheckPrompts;
  readonly today: () => string;
  /** Where this process was told to find the model, before any setting. */
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string };
}

/** Time the first request gets on the event loop before a sandbox is forked beside it. */
const WARM_DELAY_MS = 5;

/** The program of a plain run: opens the model, takes the thread's history, lets the agent work. */
export function createAgentProgram(parts: AgentProgramParts): RunProgram {
  return async (context) => {
    const { run, signal, emit } = context;
    // Before anything can fail: an attempt that never got to its model would leave the next one without.
    if (run.origin?.kind === 'retry') {
      const { carryOver } = await import('./carry-over.ts');
      carryOver(context, { from: run.origin.runId, states: parts.runStates });
    }
    const opening = parts.models.open(run.options.model, { ...parts.modelOverrides, signal });
    const asked = {
      prompt: run.prompt,
      mode: run.options.mode,
      attachments: context.message.attachments.length,
      ...(run.options.skill === undefined ? {} : { skill: run.options.skill }),
    };
    let way: Awaited<ReturnType<Orchestrator['classify']>> | undefined;
    await using files = await meanwhile(opening, async () => {
      // One that goes on was looked at when it began.
      if (!context.resumed) guardPrompt(run.prompt, parts.guards, emit);
      way = await parts.orchestrator.classify(asked);
      return await openRunSnapshots(context, parts);
    });
    await using model = await opening;
    const { history, record, roundsBefore } = takeUp(context, parts);
    const taint = taintOf(context, parts.taints);
    const system: ChatMessage = { role: 'system', content: parts.systemPrompt };
    await using fitting = openFitting(context, model, parts);
    const guard = (opened: ChatModel): ChatModel =>
      guardedModel(opened, {
        guards: parts.guards,
        onFindings: (found) => emit(guardStage(found)),
      });
    await using tiers = new TierModels({
      ...{ models: parts.models, task: run.options.model, signal, guard },
      ...(parts.modelOverrides === undefined ? {} : { overrides: parts.modelOverrides }),
    });
    const { network, allowHosts, researchDepth = null, scenario = null } = run.options;
    const { maxRounds, repeatsBeforeHint, errorsBeforeReplan } = parts.settings();
    const { id: runId, threadId } = run;
    const words = wordsOfUser(run, history);
    const checks = openFlashChecks(context, { ...parts, tiers, words });
    const narrowing = {
      // Who says yes to everything for one run has said it to this too.
      isOn: () => run.options.approve !== 'all' && taint.sources().length > 0,
      named: hostsNamedIn(words.join('\n')),
    };
    using egress = parts.egress.forRun({ runId, threadId, network, allowHosts, narrowing });
    const task = {
      ...asked,
      ...(way === undefined ? {} : { classification: way }),
      messages: [system, ...history],
    };
    const runContext: Parameters<Orchestrator['run']>[1] = {
      runId: run.id,
      threadId: run.threadId,
      approve: run.options.approve,
      executionMode: run.options.executionMode ?? 'standard',
      model: guard(
        onRequests(model, {
          first: () => parts.sandbox.warm(run.threadId, run.options.sandbox),
          each: () => files.stepIsOver(),
        }),
      ),
      tier: (tier) => tiers.get(tier),
      ...{ fitter: fitting.fitter, openFitter: fitting.openFitter },
      ...{ sandbox: files.sandbox, egress },
      ...{ signal, emit, record, taint, roundsBefore },
      secondOpinion: checks.secondOpinion,
      pause: context.pause,
      ephemeralMessage: () =>
        parts.placeInSkill?.({ threadId: run.threadId, runId: run.id }) ?? null,
      persist: context.persist,
      commit: context.commit,
      resumed: context.resumed,
      ...{ lane: 0, delegate: null, research: { depth: researchDepth, scenario } },
      ...{ maxRounds, repeatsBeforeHint, errorsBeforeReplan },
    };
    // What was started while somebody was asked does not go on where everything is approved: neither what
    // narrows the network then, nor its calls of tools.
    const policy = (): string => `${run.options.approve} ${egress.rulesText}`;
    const programs = { sandbox: parts.sandbox, network: policy };
    const conclusion = await withPrograms(context, programs, async () => {
      using _way = files.sandbox.openNetwork(tainting(egress.client('sandbox'), taint));
      return await parts.orchestrator.run(task, runContext);
    });
    await checks.markAnswer(conclusion.answer);
    return conclusion;
  };
}

/** What `work` gives, done while the server is asked about its model; where it throws, that is let go of. */
async function meanwhile<Result>(
  opening: Promise<AsyncDisposable>,
  work: () => Promise<Result>,
): Promise<Result> {
  // Told by whoever waits for it.
  opening.catch(() => undefined);
  try {
    return await work();
  } catch (error) {
    opening.then((opened) => opened[Symbol.asyncDispose]()).catch(() => undefined);
    throw error;
  }
}

/** What the person typed, before any model reads it. Throws `GUARDRAIL_BLOCKED`. */
function guardPrompt(prompt: string, guards: Guards, emit: RunContext['emit']): void {
  const { verdict, findings } = guards.input(prompt);
  if (verdict === 'block') throw promptBlocked(findings);
  if (verdict === 'warn') emit(guardStage(findings));
}

/** Said to a model that goes on after an answer of its own. */
const GO_ON = 'Go on from there.';
/** Otherwise it would count on files that it made and that are not there any more. */
const FILES_SET_BACK =
  'The person set the files of /workspace back to an earlier state; look before you rely on them.';

interface TakenUp {
  /** What the agent begins with; steps that are stored as such are done again from there. */
  readonly history: readonly ChatMessage[];
  readonly record: (messages: readonly ChatMessage[]) => void;
  readonly roundsBefore: number;
}

/**
 * The conversation that the agent begins with, and where its messages are recorded. A run that goes on
 * takes the same steps again from what is stored, and records only what is not there yet.
 */
function takeUp(
  context: RunContext,
  { transcripts, today, snapshots }: AgentProgramParts,
): TakenUp {
  const { id: runId, threadId, origin } = context.run;
  const { before, own } = context.resumed
    ? transcripts.split(threadId, runId)
    : { before: transcripts.list(threadId), own: [] };
  const facts = (): string[] => [
    `Today: ${today()}`,
    ...(snapshots?.wasRestored(threadId) === true ? [FILES_SET_BACK] : []),
  ];
  const given = ((): readonly ChatMessage[] => {
    switch (origin?.kind) {
      case 'fork':
        return own.slice(0, origin.messages);
      case 'retry': {
        const isNudged =
          (own[0] ?? before.at(-1))?.role === (own.length > 0 ? 'user' : 'assistant');
        return isNudged ? [{ role: 'user', content: GO_ON }] : [];
      }
      case 'edit':
      case 'import':
      case undefined:
        return [own[0] ?? { role: 'user', content: describeTurn(context, facts()) }];
    }
  })();
  // What an earlier life said is found again in its order; a part that is not done again may be left out.
  const known = own.map((message) => canonicalJson(message));
  let at = 0;
  const isKnown = (message: ChatMessage): boolean => {
    const found = known.indexOf(canonicalJson(message), at);
    if (found >= 0) at = found + 1;
    return found >= 0;
  };
  const record = (messages: readonly ChatMessage[]): void => {
    const fresh = at < known.length ? messages.filter((message) => !isKnown(message)) : messages;
    if (fresh.length === 0) return;
    context.persist(() => transcripts.append(threadId, runId, fresh));
  };
  record(given);
  const roundsBefore = given.filter(({ role }) => role === 'assistant').length;
  return { history: [...before, ...given], record, roundsBefore };
}

/** Files that the person attached are of others, as far as the app can tell. */
function taintOf({ run, message, persist }: RunContext, taints: TaintStore): Taint {
  const sources = new Set(taints.sources(run.threadId));
  const add = (source: string): void => {
    if (sources.has(source)) return;
    sources.add(source);
    persist(() => taints.add(run.threadId, source));
  };
  for (const { name } of message.attachments) add(name);
  return { sources: () => [...sources], add };
}

/**
 * What the user wrote in this task, oldest first. The prompt of a run that was taken from elsewhere counts
 * only where it is typed again: a file may have brought it.
 */
function wordsOfUser(
  { prompt, origin, options: { skill } }: RunContext['run'],
  history: readonly ChatMessage[],
): string[] {
  const turns = history.flatMap((message) => readUserTurn(message) ?? []);
  const isTyped = origin === null || origin === undefined || origin.kind === 'edit';
  const given = skill === undefined ? [] : [JSON.stringify(skill)];
  return [...new Set([...turns, ...(isTyped ? [prompt, ...given] : [])])];
}

/** Hosts of programs that are named as sources of a task; of more, only that there were some. */
const NAMED_HOSTS = 20;

/** A way out whose other ends count as authors of the task: what comes in ends up in its files or results. */
function tainting(egressClient: EgressClient, taint: Taint): EgressClient {
  const hosts = new Set<string>();
  return {
    connect: async (target, signal) => {
      const socket = await egressClient.connect(target, signal);
      hosts.add(target.host);
      taint.add(hosts.size > NAMED_HOSTS ? 'other hosts' : target.host);
      return socket;
    },
    refuse: (denied) => egressClient.refuse(denied),
  };
}

/**
 * The turn as the model reads it. What changes from turn to turn (files, date) stands at its end, so
 * that everything before it stays the same bytes from request to request.
 */
function describeTurn({ run, message }: RunContext, known: readonly string[]): string {
  const files = message.attachments.map(
    (file) => `- /workspace/${file.path} (${file.size.toLocaleString('en')} bytes)`,
  );
  const facts = [...known, ...(files.length > 0 ? ['Attached files:', ...files] : [])];
  return writeUserTurn(run.prompt, facts);
}

/** `model`, with what is done while its answers are awaited: the first one, a little later, and each. */
function onRequests(
  model: ChatModel,
  { first, each }: { readonly first: () => void; readonly each: () => void },
): ChatModel {
  let warmed = false;
  return {
    ref: model.ref,
    profile: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    send: (request, options) => {
      const reply = model.send(request, options);
      each();
      if (!warmed) {
        warmed = true;
        const timer = setTimeout(first, WARM_DELAY_MS);
        options.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      }
      return reply;
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}
