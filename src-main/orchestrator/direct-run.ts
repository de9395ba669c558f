import { z } from 'zod';
import { AppError, ERROR_CODES, type ErrorCode } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { callIdOf } from '../agents/call-id.ts';
import { messagePart } from '../agents/transcript.ts';
import type { AgentContext, AgentOutcome } from '../agents/types.ts';
import { branchStep, callStep, numberedStep, RUN_STEP } from '../base/step-path.ts';
import type { ChatMessage, ToolCall } from '../models/types.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import { DEFAULT_RESULT_CHARS } from '../tools/shorten-result.ts';
import type { Delegate } from '../tools/types.ts';
import { callsOfConversation, checkActions } from './evidence/action-facts.ts';
import { builtAppFacts } from './evidence/app-points.ts';
import { checkClaims } from './evidence/claims.ts';
import { checkStatedFigures, hasDataFor } from './evidence/figure-facts.ts';
import { checkPageClaims } from './evidence/page-claims.ts';
import { skillFacts } from './evidence/skill-facts.ts';
import { checkSkillOutput } from './evidence/skill-output.ts';
import { type CheckedFact, toFact } from './evidence/types.ts';
import type { Classification } from './quick-route.ts';
import { isStepFailure } from './step-runner.ts';
import type {
  NextNode,
  OrchestratedTask,
  OrchestratorOutcome,
  OrchestratorParts,
} from './types.ts';
import { unverifiedFact, withUnverified } from './unverified.ts';

/** Facts of one event; the answer lists all. */
const SHOWN_FACTS = 20;

/** The second attempt, after an answer with false claims. */
const SECOND_ATTEMPT = branchStep(RUN_STEP, 'attempt-2');

const HANDED_OVER = 'The model began by handing the question over to research.';

const NAMES_OF_MODES: Readonly<Record<string, string>> = {
  data: 'Data',
  app: 'App',
  image: 'Image',
  slide: 'Slides',
  writing: 'Writing',
  code: 'Code',
};

/** What follows from the work of the agent. */
export interface Dispatched {
  readonly next: NextNode;
  readonly failure: string | null;
  readonly drafted: DraftedPlan | null;
}

/**
 * A run that one agent does without a plan. Code checks what the answer claims was done. The agent gets
 * one chance to correct false claims; an answer that repeats them ends the run as unverified.
 */
export class DirectRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #classification: Classification;
  /** Messages that the first attempt recorded. */
  readonly #recorded: ChatMessage[] = [];
  #outcome: AgentOutcome | null = null;
  #firstAttempt: AgentOutcome | null = null;
  #notShown: readonly CheckedFact[] = [];
  /** The output of the skill that the task is. */
  #skillOutput: Readonly<Record<string, unknown>> | null = null;
  /** What research itself could not show. */
  #openInReport: readonly string[] = [];

  constructor(
    task: OrchestratedTask,
    context: AgentContext,
    {
      parts,
      classification,
    }: { readonly parts: OrchestratorParts; readonly classification: Classification },
  ) {
    this.#task = task;
    this.#parts = parts;
    this.#classification = classification;
    this.#context = {
      ...context,
      record: (part) => {
        this.#recorded.push(...part.messages);
        context.record(part);
      },
    };
  }

  /**
   * Runs the agent. Returns `plan` with the `drafted` plan if that was its first call, or with the `failure` if
   * it gave up after repeated failures and a plan may do better. Throws `SKILL_MISSING`, and every error that
   * ends the run.
   */
  async dispatch(): Promise<Dispatched> {
    try {
      await this.#runAgent();
      const drafted = this.#finished().plan ?? null;
      return { next: drafted === null ? 'verify' : 'plan', failure: null, drafted };
    } catch (error) {
      const mayPlan = this.#parts.settings().maxReplans > 0;
      const isRepeated = error instanceof AppError && error.code === 'MODEL_REPEATS_FAILURES';
      if (!isRepeated || !isStepFailure(error) || !mayPlan) throw error;
      return { next: 'plan', failure: error.message, drafted: null };
    }
  }

  async verify(): Promise<NextNode> {
    const outcome = this.#finished();
    if (this.#classification.route === 'research') return this.#verifyResearch(outcome);
    const files = this.#context.sandbox.workspace;
    const skill = this.#skillOutput;
    const facts =
      skill === null ? await this.#checkAnswer(outcome) : await checkSkillOutput(skill, files);
    if (facts.length === 0) return 'finalize';
    this.#notShown = facts.filter(({ holds }) => !holds);
    const verdict = this.#notShown.length === 0 ? 'verified' : 'unverified';
    const verificationId = this.#firstAttempt === null ? 'answer' : 'answer again';
    this.#context.emit({
      ...{ type: 'verification', verificationId, verdict, facts: facts.map(toFact) },
    });
    const mayCorrect =
      this.#firstAttempt === null && this.#parts.isStopped?.(this.#context) !== true;
    // What could not be checked would not be shown by another answer either.
    const isRefuted = skill === null && facts.some(({ state }) => state === 'fails');
    return isRefuted && mayCorrect ? 'dispatch_step' : 'finalize';
  }

  async #checkAnswer({ answer, calls: own }: AgentOutcome): Promise<CheckedFact[]> {
    const files = this.#context.sandbox.workspace;
    const { prompt, messages } = this.#task;
    const before = callsOfConversation(messages);
    const ofRun = [...(this.#firstAttempt?.calls ?? []), ...own];
    const calls = [...before, ...ofRun];
    const branch = this.#firstAttempt === null ? RUN_STEP : SECOND_ATTEMPT;
    const runTests = this.#parts.runTestsAt(this.#context, branch);
    const claims = await checkClaims(answer, { files, calls, prompt, runTests });
    const hasData = hasDataFor(this.#task, calls);
    return [
      ...claims,
      ...checkActions(answer, calls, prompt),
      ...checkPageClaims(answer, ofRun, { prompt, before }),
      ...(await checkStatedFigures(answer, { calls, prompt, hasData })),
      ...builtAppFacts(ofRun),
      ...skillFacts(this.#parts, this.#context, this.#notShown),
    ];
  }

  /** Research checks its citations itself, and says what it could not show. */
  #verifyResearch({ unverified = [] }: AgentOutcome): NextNode {
    this.#openInReport = unverified;
    if (unverified.length > 0) {
      const facts = unverified.slice(0, SHOWN_FACTS).map(unverifiedFact);
      this.#context.emit({
        ...{ type: 'verification', verificationId: 'answer', verdict: 'unverified', facts },
      });
    }
    return 'finalize';
  }

  finalize(): OrchestratorOutcome {
    const { answer, rounds, toolCalls } = this.#finished();
    const { roundsBefore } = this.#context;
    const refuted = this.#notShown.map(({ claim, evidence }) => `${claim}. ${evidence}`);
    const unverified = [...refuted, ...this.#openInReport];
    return {
      outcome: unverified.length === 0 ? 'completed' : 'unverified',
      answer: withUnverified(answer, unverified, this.#task.prompt),
      rounds: rounds + (this.#firstAttempt === null ? 0 : this.#firstAttempt.rounds - roundsBefore),
      toolCalls: toolCalls + (this.#firstAttempt?.toolCalls ?? 0),
    };
  }

  async #runAgent(): Promise<void> {
    const { executor, research } = this.#parts;
    const context = this.#context;
    if (this.#classification.route === 'research') {
      this.#outcome = await research.run(this.#task.messages, context);
      return;
    }
    const delegate = this.#delegate();
    if (this.#outcome === null) {
      const firstCalls = this.#firstCalls();
      const opening = firstCalls.length === 0 ? {} : { firstCalls, ...this.#answerOfSkill() };
      const mayPlanFirst = this.#classification.route === 'uncertain';
      this.#outcome = await executor.run(this.#task.messages, {
        ...{ ...context, delegate, mayPlanFirst, ...opening },
        // Figures are searched in the whole output, not only in its head and tail.
        evidenceChars: DEFAULT_RESULT_CHARS,
      });
      return;
    }
    // The second attempt continues the conversation in its own branch.
    const correction: ChatMessage = { role: 'user', content: describeRefuted(this.#notShown) };
    const before = [...this.#task.messages, ...this.#conversation(this.#outcome)];
    // A fork may begin with a second attempt of the run that it copies: this one is another.
    const { roundsBefore } = context;
    const step = roundsBefore === 0 ? SECOND_ATTEMPT : numberedStep(SECOND_ATTEMPT, roundsBefore);
    context.record(messagePart(step, correction));
    this.#firstAttempt = this.#outcome;
    this.#outcome = await executor.run([...before, correction], {
      ...{ ...context, delegate, branch: SECOND_ATTEMPT },
    });
  }

  /** The hand-over to research. If a task with an uncertain route begins with it, that is its route. */
  #delegate(): Delegate | null {
    const { delegateFor, settings } = this.#parts;
    const { runId, roundsBefore, emit } = this.#context;
    const delegate = delegateFor(this.#context);
    if (delegate === null || this.#classification.route !== 'uncertain') return delegate;
    const first = callIdOf(runId, callStep(numberedStep(RUN_STEP, roundsBefore + 1), 0));
    return (delegation) => {
      if (delegation.toolCallId === first && settings().maxHandoffs > 0) {
        emit({ type: 'routing', route: 'research', agent: 'research', reason: HANDED_OVER });
      }
      return delegate(delegation);
    };
  }

  /** The messages of the first attempt; only its answer if an earlier process ran it. */
  #conversation({ answer }: AgentOutcome): readonly ChatMessage[] {
    return this.#recorded.length > 0
      ? [...this.#recorded]
      : [{ role: 'assistant', content: answer }];
  }

  /** The call of the skill that the mode or the user named. */
  #firstCalls(): Omit<ToolCall, 'id'>[] {
    const { skill } = this.#classification;
    if (skill === null) return [];
    const requested = this.#task.skill;
    if (requested !== undefined) {
      const { id: skill_id, params } = requested;
      return [{ name: 'invoke_skill', arguments: { skill_id, params } }];
    }
    const call = this.#parts.findSkillCall(skill, this.#task);
    if (call !== null) return [call];
    const mode = NAMES_OF_MODES[this.#task.mode];
    // A skill that the prompt only mentions may be missing; the agent then works without it.
    if (mode === undefined) return [];
    throw new AppError(
      'SKILL_MISSING',
      `The mode ${mode} needs the skill ${skill}, which is not installed or is switched off. Choose the mode Task: the agent then works with its tools.`,
      { details: { skill } },
    );
  }

  /** If the task is a skill, its output is the answer, and its failure ends the run. */
  #answerOfSkill(): Pick<AgentContext, 'answerToFirstCalls'> {
    if (this.#task.skill === undefined) return {};
    const { describeOutput } = this.#parts;
    return {
      answerToFirstCalls: ([result]) => {
        const parsed = safeParse(SkillAnswer, result?.data);
        if (result?.status === 'ok' && parsed.success && parsed.data.success) {
          this.#skillOutput = parsed.data.output;
          return describeOutput(parsed.data.output);
        }
        const failure = parsed.success && !parsed.data.success ? parsed.data : null;
        const code = failure?.error_code ?? (result?.status === 'denied' ? 'TOOL_DENIED' : '');
        throw new AppError(
          isErrorCode(code) ? code : 'SKILL_FAILED',
          failure?.error ?? result?.content ?? 'The skill returned nothing.',
        );
      },
    };
  }

  #finished(): AgentOutcome {
    if (this.#outcome === null) throw new Error('The agent has not run yet');
    return this.#outcome;
  }
}

const SkillAnswer = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), output: z.record(z.string(), z.unknown()) }),
  z.object({ success: z.literal(false), error: z.string(), error_code: z.string() }),
]);

function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_CODES;
}

function describeRefuted(facts: readonly CheckedFact[]): string {
  const list = facts
    .filter(({ state }) => state === 'fails')
    .map(({ claim, evidence }) => `- ${claim}: no. ${evidence}`)
    .join('\n');
  return `Your answer makes claims that are not true:\n${list}\nDo it now, or say plainly that it was not done. Then give the whole answer again.`;
}
