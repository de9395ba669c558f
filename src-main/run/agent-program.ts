import type { Settings } from '#contract/settings.ts';
import type { FolderAccess } from '#contract/user-folder.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { readUserTurn, writeUserTurn } from '../agents/context/user-turn.ts';
import { type ConversationPart, roundsIn, type Transcript } from '../agents/transcript.ts';
import { withUserInstructions } from '../agents/user-instructions.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { BrowserService } from '../browser/types.ts';
import { documentKind, isPacked } from '../documents/document-kind.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { hostsNamedIn } from '../egress/named-hosts.ts';
import type { EgressClient } from '../egress/types.ts';
import type { Guards } from '../guardrails/guards.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import { guardedModel } from '../models/guarded-model.ts';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import type { ProfileRegistry } from '../models/profiles/profile-registry.ts';
import type { ChatMessage, ChatModel, ModelService } from '../models/types.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { describeUserEdits, type UserEdits } from '../sandbox/user-edits.ts';
import type { RunJournal, SummaryStore, TaintStore } from '../storage/types.ts';
import type { Taint } from '../tools/types.ts';
import { type CheckPrompts, flashOf, openFlashChecks } from './flash-checks.ts';
import { guardStage, promptBlocked } from './guard-notices.ts';
import { openFitting } from './open-fitting.ts';
import { instructionsOf } from './run-instructions.ts';
import { withPrograms } from './run-programs.ts';
import { openRunSnapshots, type RunSnapshotParts } from './run-snapshots.ts';
import { TierModels } from './tier-models.ts';
import {
  openVision,
  type ShownAttachment,
  type TurnPictureParts,
  takePictures,
  withTaskPictures,
} from './turn-pictures.ts';
import type { RunContext, RunProgram } from './types.ts';

export interface AgentProgramParts extends RunSnapshotParts {
  readonly edits: RunSnapshotParts['edits'] & Pick<UserEdits, 'unseen' | 'unnamed' | 'named'>;
  /** The pictures of tasks. */
  readonly pictures: TurnPictureParts['pictures'];
  readonly orchestrator: Pick<Orchestrator, 'run' | 'classify'>;
  readonly guards: Guards;
  /** Asks the user. */
  readonly broker: InterruptBroker;
  readonly models: ModelService;
  readonly egress: Pick<AppEgress, 'forRun'>;
  readonly browsers: Pick<BrowserService, 'leaveRun'>;
  readonly transcript: Transcript;
  readonly summaries: SummaryStore;
  readonly taints: TaintStore;
  readonly journal: RunJournal;
  readonly profiles: Pick<ProfileRegistry, 'get' | 'learn'>;
  readonly settings: () => Settings;
  /** The approval level of a task; null where nobody has chosen. */
  readonly level: (threadId: string) => PolicyLevel | null;
  /** Tells the model where it is in a Markdown skill; null if it is in none. */
  readonly placeInSkill?: (task: {
    readonly threadId: string;
    readonly runId: string;
  }) => string | null;
  /** The system prompt, before what the user wrote for every task: the same bytes in every run. */
  readonly systemPrompt: string;
  /** Prompts of the checks by a small model. */
  readonly checkPrompts: CheckPrompts;
  readonly today: () => string;
  /** The model address and key given to this process; they override the settings. */
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string };
}

/** Lets the first request leave before forking a sandbox blocks the event loop. */
const WARM_DELAY_MS = 5;

/** The program of a plain run: opens the model, loads the thread's history, runs the agent. */
export function createAgentProgram(parts: AgentProgramParts): RunProgram {
  return async (context) => {
    const { run, signal, emit } = context;
    // Before anything can fail: a retry that never reaches its model must pass this on to the next retry.
    if (run.origin?.kind === 'retry') {
      const { carryOver } = await import('./carry-over.ts');
      carryOver(context, { from: run.origin.runId, journal: parts.journal });
    }
    const opening = parts.models.open(run.options.model, { ...parts.modelOverrides, signal });
    const asked = {
      prompt: run.prompt,
      mode: run.options.mode,
      attachments: context.message.attachments.length,
      ...(run.options.skill === undefined ? {} : { skill: run.options.skill }),
    };
    let classification: Awaited<ReturnType<Orchestrator['classify']>> | undefined;
    await using files = await duringOpening(opening, async () => {
      // The prompt of a resumed run was checked when the run started.
      if (!context.resumed) guardPrompt(run.prompt, parts.guards, emit);
      classification = await parts.orchestrator.classify(asked);
      return await openRunSnapshots(context, parts);
    });
    await using model = await opening;
    const instructions = instructionsOf(context, parts);
    const { history, record, roundsBefore } = await openConversation(context, parts);
    const taint = taintOf(context, parts.taints);
    const system: ChatMessage = {
      role: 'system',
      content: withUserInstructions(parts.systemPrompt, instructions),
    };
    await using fitting = openFitting(context, model, parts);
    const guard = (opened: ChatModel): ChatModel =>
      guardedModel(withTaskPictures(opened, context, parts.pictures), {
        guards: parts.guards,
        onFindings: (found) => emit(guardStage(found)),
      });
    await using tiers = new TierModels({
      ...{ models: parts.models, task: run.options.model, signal, guard },
      ...(parts.modelOverrides === undefined ? {} : { overrides: parts.modelOverrides }),
    });
    tiers.check((tier, { provider, name }, problem) =>
      emit({
        ...{ type: 'stage', name: `tier ${tier}`, status: 'failed' },
        description: `The ${tier} model, ${provider}:${name}, is not available: ${problem.message}`,
      }),
    );
    const { network, allowHosts, researchDepth = null, scenario = null } = run.options;
    const settings = parts.settings();
    const { maxRounds, repeatsBeforeHint, errorsBeforeReplan, routeByModel } = settings;
    const flash = routeByModel ? flashOf(run.options.model, { ...parts, tiers }) : null;
    const { id: runId, threadId } = run;
    const words = wordsOfUser(run, history);
    const checks = openFlashChecks(context, { ...parts, tiers, words });
    const narrowing = {
      // A run that approves everything approves this too.
      isOn: () => run.options.approve !== 'all' && taint.sources().length > 0,
      runsUnseen: () => {
        const level = parts.level(threadId);
        return level === 'ask_on_exit' || level === 'unattended';
      },
      named: hostsNamedIn(words.join('\n')),
    };
    using egress = parts.egress.forRun({ runId, threadId, network, allowHosts, narrowing });
    // Its pages stay open, without a network.
    using _browser = { [Symbol.dispose]: () => parts.browsers.leaveRun(threadId, runId) };
    const task = {
      ...asked,
      ...(classification === undefined ? {} : { classification }),
      ...(flash === null ? {} : { flash }),
      messages: [system, ...history],
    };
    const runContext: Parameters<Orchestrator['run']>[1] = {
      ...context,
      approve: run.options.approve,
      executionMode: run.options.executionMode ?? 'standard',
      model: guard(
        onRequests(model, {
          first: () => parts.sandbox.warm(threadId, run.options.sandbox),
          each: () => files.stepIsOver(),
        }),
      ),
      tier: (tier) => tiers.get(tier),
      vision: () => openVision(model, { ...parts, open: (ref) => tiers.open(ref), signal }),
      ...{ fitter: fitting.fitter, openFitter: fitting.openFitter },
      ...{ sandbox: files.sandbox, egress, broker: parts.broker, taint },
      secondOpinion: checks.secondOpinion,
      ...{ record, roundsBefore, branch: RUN_STEP, delegate: null, instructions },
      ephemeralMessage: () => ephemeralMessage(threadId, runId, parts),
      research: { depth: researchDepth, scenario },
      ...{ maxRounds, repeatsBeforeHint, errorsBeforeReplan },
      connectorShare: settings.connectorSharePercent / 100,
    };
    // Programs started under one approval policy do not outlive a change of it: it decides whether the
    // network is narrowed, and which of their tool calls are allowed.
    const policy = (): string => `${run.options.approve} ${egress.rulesText}`;
    const programs = { sandbox: parts.sandbox, network: policy };
    const conclusion = await withPrograms(context, programs, async () => {
      using _network = files.sandbox.openNetwork(tainting(egress.client('sandbox'), taint));
      return await parts.orchestrator.run(task, runContext);
    });
    await checks.markAnswer(conclusion.answer);
    return conclusion;
  };
}

/** Does `work` while the model opens; if it throws, the model is closed again. */
async function duringOpening<Result>(
  opening: Promise<AsyncDisposable>,
  work: () => Promise<Result>,
): Promise<Result> {
  // Whatever awaits `opening` handles its error.
  opening.catch(() => undefined);
  try {
    return await work();
  } catch (error) {
    opening.then((opened) => opened[Symbol.asyncDispose]()).catch(() => undefined);
    throw error;
  }
}

/** Checks what the user typed, before any model reads it. Throws `GUARDRAIL_BLOCKED`. */
function guardPrompt(prompt: string, guards: Guards, emit: RunContext['emit']): void {
  const { verdict, findings } = guards.input(prompt);
  if (verdict === 'block') throw promptBlocked(findings);
  if (verdict === 'warn') emit(guardStage(findings));
}

/** What is true now and in no turn: where the model is in a skill, and what the user changed meanwhile. */
function ephemeralMessage(
  threadId: string,
  runId: string,
  { placeInSkill, edits }: Pick<AgentProgramParts, 'placeInSkill' | 'edits'>,
): string | null {
  const place = placeInSkill?.({ threadId, runId }) ?? null;
  const lines = [...(place === null ? [] : [place]), ...describeUserEdits(edits.unnamed(threadId))];
  return lines.length === 0 ? null : lines.join('\n');
}

/** For a model whose last message was its own. */
const CONTINUE = 'Go on from there.';
/** Otherwise the model would rely on files that it made and that are gone. */
const FILES_RESTORED =
  'The user restored the files in /workspace to an earlier state; check them before you rely on them. What was installed outside of /workspace is not part of that.';

interface Conversation {
  /** What the agent starts with; it replays stored steps from there. */
  readonly history: readonly ChatMessage[];
  readonly record: (part: ConversationPart) => void;
  readonly roundsBefore: number;
}

/**
 * The conversation that the agent starts with, and a function that adds to it. A resumed run replays its
 * stored rounds, and adds only what is not stored yet.
 */
async function openConversation(
  context: RunContext,
  parts: AgentProgramParts,
): Promise<Conversation> {
  const { transcript, today, snapshots, edits } = parts;
  const { id: runId, threadId, origin } = context.run;
  const { before, own } = context.resumed
    ? transcript.split(threadId, runId)
    : { before: transcript.messages(threadId), own: [] };
  const facts = (): string[] => [
    `Today: ${today()}`,
    ...(snapshots?.wasRestored(threadId) === true ? [FILES_RESTORED] : []),
    ...describeUserEdits(edits.unseen(threadId)),
  ];
  const turn = (
    content: string,
    pictures: readonly PictureRef[] = [],
  ): readonly ConversationPart[] => {
    const shown = pictures.length > 0 ? { pictures } : {};
    return [{ kind: 'turn', step: RUN_STEP, messages: [{ role: 'user', content, ...shown }] }];
  };
  const newTurn = async (): Promise<readonly ConversationPart[]> => {
    const shown = await takePictures(context, parts);
    const known = facts();
    // Not before, nor later: what the user saves from now on is in no turn.
    edits.named(threadId);
    return turn(
      describeTurn(context, known, shown),
      shown.flatMap(({ picture }) => picture ?? []),
    );
  };
  const stored = own.filter(({ kind }) => kind === 'turn');
  const opening = await (async (): Promise<readonly ConversationPart[]> => {
    switch (origin?.kind) {
      case 'fork':
        return partsOf(own, origin.messages);
      case 'retry':
        if (stored.length > 0) return stored;
        return before.at(-1)?.role === 'assistant' ? turn(CONTINUE) : [];
      case 'edit':
      case 'import':
      case undefined:
        return stored.length > 0 ? stored : await newTurn();
    }
  })();
  const record = (part: ConversationPart): void =>
    context.persist(() => transcript.add(runId, part));
  for (const part of opening) record(part);
  const history = [...before, ...opening.flatMap(({ messages }) => messages)];
  return { history, record, roundsBefore: roundsIn(opening) };
}

/** The first parts of a conversation that have this many messages. */
function partsOf(own: readonly ConversationPart[], messages: number): ConversationPart[] {
  let count = 0;
  return own.filter((part) => {
    count += part.messages.length;
    return count <= messages;
  });
}

/** The taint of the task. Attached files count as untrusted: the app cannot know who wrote them. */
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
 * What the user wrote in this task, oldest first. The prompt of an imported or copied run counts only if the
 * user edited it: it may come from a file.
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

/** How many hosts are listed by name as taint sources; more count as "other hosts". */
const MAX_NAMED_HOSTS = 20;

/** An egress client that taints the task with each host it reaches: what comes in ends up in files or results. */
function tainting(egressClient: EgressClient, taint: Taint): EgressClient {
  const hosts = new Set<string>();
  return {
    connect: async (target, signal) => {
      const socket = await egressClient.connect(target, signal);
      hosts.add(target.host);
      taint.add(hosts.size > MAX_NAMED_HOSTS ? 'other hosts' : target.host);
      return socket;
    },
    refuse: (denied) => egressClient.refuse(denied),
  };
}

/** What a model must know of the user's own folder. */
const FOLDER_FACTS: Readonly<Record<FolderAccess, string>> = {
  read: "a copy of the user's own folder, to read; changes in it stay in the workspace",
  copy: "a copy of the user's own folder: change it in place, the user reviews the changes and applies them",
};

/**
 * The turn as the model reads it. What varies between turns (files, date) comes last, so that everything
 * before it stays the same bytes from request to request.
 */
function describeTurn(
  { run, message }: RunContext,
  known: readonly string[],
  shown: readonly ShownAttachment[],
): string {
  const files = message.attachments.map(({ path, size, folder }, i) => {
    if (folder !== undefined) return `- /workspace/${path}/ (${FOLDER_FACTS[folder]})`;
    const { picture = null, problem = null } = shown[i] ?? {};
    const seen = picture === null ? '' : `, picture ${picture.width} × ${picture.height}`;
    const unseen = problem === null ? '' : `, not shown: ${problem.replaceAll('\n', ' ')}`;
    // Small models try programs that are not there, and give up.
    const packed = isPacked(documentKind(path)) ? ', sandbox_file reads its text' : '';
    return `- /workspace/${path} (${size.toLocaleString('en')} bytes${seen}${unseen}${packed})`;
  });
  const facts = [...known, ...(files.length > 0 ? ['Attached files:', ...files] : [])];
  return writeUserTurn(run.prompt, facts);
}

/** `model` with callbacks: `each` runs right after each request is sent, `first` shortly after the first one. */
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
