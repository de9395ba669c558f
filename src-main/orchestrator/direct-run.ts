import { z } from 'zod';
import { AppError, ERROR_CODES, type ErrorCode } from '#contract/errors.ts';
import type { AgentContext, AgentOutcome } from '../agents/types.ts';
import type { ChatMessage, ToolCall } from '../models/types.ts';
import { checkClaims } from './evidence/claims.ts';
import { skillFacts } from './evidence/skill-facts.ts';
import { type CheckedFact, toFact } from './evidence/types.ts';
import type { Classification } from './quick-route.ts';
import { isStepFailure, laneContext } from './step-runner.ts';
import type {
  NextNode,
  OrchestratedTask,
  OrchestratorOutcome,
  OrchestratorParts,
} from './types.ts';
import { withNotShown } from './unshown.ts';

/** The lane of a second attempt, after an answer claimed what is not there. */
const SECOND_LANE = 1;

const NAMES_OF_MODES: Readonly<Record<string, string>> = {
  data: 'Data',
  app: 'App',
  image: 'Image',
  slide: 'Slides',
};

/**
 * A run that one agent does without a plan. What its answer says was done is looked at by code: where it
 * is not so, the agent is told once; an answer that still says so is handed over as unverified.
 */
export class DirectRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #way: Classification;
  /** What was recorded of the conversation since it began. */
  readonly #said: ChatMessage[] = [];
  #outcome: AgentOutcome | null = null;
  #earlier: AgentOutcome | null = null;
  #untrue: readonly CheckedFact[] = [];

  constructor(
    task: OrchestratedTask,
    context: AgentContext,
    { parts, way }: { readonly parts: OrchestratorParts; readonly way: Classification },
  ) {
    this.#task = task;
    this.#parts = parts;
    this.#way = way;
    this.#context = {
      ...context,
      record: (messages) => {
        this.#said.push(...messages);
        context.record(messages);
      },
    };
  }

  /**
   * Lets the agent work. `plan` where it gave up over its own failures and a plan may do better; then
   * `failure` says why. Throws `SKILL_MISSING`, and what ends the run.
   */
  async dispatch(): Promise<{ readonly next: NextNode; readonly failure: string | null }> {
    try {
      await this.#work();
      return { next: 'verify', failure: null };
    } catch (error) {
      const mayPlan = this.#parts.settings().maxReplans > 0;
      const isRepeated = error instanceof AppError && error.code === 'MODEL_REPEATS_FAILURES';
      if (!isRepeated || !isStepFailure(error) || !mayPlan) throw error;
      return { next: 'plan', failure: error.message };
    }
  }

  async verify(): Promise<NextNode> {
    const outcome = this.#done();
    // What a skill gave is checked by the skill; of a research, by its citations.
    if (this.#way.route === 'research' || this.#task.skill !== undefined) return 'finalize';
    const calls = [...(this.#earlier?.calls ?? []), ...outcome.calls];
    const files = this.#context.sandbox.workspace;
    const claims = await checkClaims(outcome.answer, { files, calls });
    const facts = [...claims, ...skillFacts(this.#parts, this.#context, this.#untrue)];
    if (facts.length === 0) return 'finalize';
    this.#untrue = facts.filter(({ holds }) => !holds);
    const verdict = this.#untrue.length === 0 ? 'verified' : 'unverified';
    const verificationId = this.#earlier === null ? 'answer' : 'answer again';
    this.#context.emit({
      ...{ type: 'verification', verificationId, verdict, facts: facts.map(toFact) },
    });
    return this.#untrue.length > 0 && this.#earlier === null ? 'dispatch_step' : 'finalize';
  }

  finalize(): OrchestratorOutcome {
    const { answer, rounds, toolCalls } = this.#done();
    const missing = this.#untrue.map(({ claim, evidence }) => `${claim}. ${evidence}`);
    return {
      outcome: missing.length === 0 ? 'completed' : 'unverified',
      answer: withNotShown(answer, missing, this.#task.prompt),
      rounds: rounds + (this.#earlier?.rounds ?? 0),
      toolCalls: toolCalls + (this.#earlier?.toolCalls ?? 0),
    };
  }

  async #work(): Promise<void> {
    const { executor, research, delegateFor } = this.#parts;
    const context = this.#context;
    if (this.#way.route === 'research') {
      this.#outcome = await research.run(this.#task.messages, context);
      return;
    }
    const delegate = delegateFor(context);
    if (this.#outcome === null) {
      const firstCalls = this.#firstCalls();
      const begun = firstCalls.length === 0 ? {} : { firstCalls, ...this.#answerOfSkill() };
      this.#outcome = await executor.run(this.#task.messages, { ...context, delegate, ...begun });
      return;
    }
    // The second attempt goes on with the conversation; it has a lane of its own, and counts anew.
    const told: ChatMessage = { role: 'user', content: describeUntrue(this.#untrue) };
    const before = [...this.#task.messages, ...this.#conversation(this.#outcome)];
    context.record([told]);
    const { lane, roundsBefore } = laneContext(context, { lane: SECOND_LANE });
    this.#earlier = this.#outcome;
    this.#outcome = await executor.run([...before, told], {
      ...{ ...context, delegate, lane, roundsBefore },
    });
  }

  /** What the first attempt said; where it was done in an earlier life, its answer alone is at hand. */
  #conversation({ answer }: AgentOutcome): readonly ChatMessage[] {
    return this.#said.length > 0 ? [...this.#said] : [{ role: 'assistant', content: answer }];
  }

  /** The call of the skill that the mode or the person named. */
  #firstCalls(): Omit<ToolCall, 'id'>[] {
    const { skill } = this.#way;
    if (skill === null) return [];
    const asked = this.#task.skill;
    if (asked !== undefined) {
      const { id: skill_id, params } = asked;
      return [{ name: 'invoke_skill', arguments: { skill_id, params } }];
    }
    const call = this.#parts.findSkillCall(skill, this.#task);
    if (call !== null) return [call];
    const mode = NAMES_OF_MODES[this.#task.mode];
    // A skill that was only mentioned is no reason to do nothing.
    if (mode === undefined) return [];
    throw new AppError(
      'SKILL_MISSING',
      `The mode ${mode} needs the skill ${skill}, which is not installed. Choose the mode Task: the agent then works with its tools.`,
      { details: { skill } },
    );
  }

  /** Where the task is a skill, what that gave is the answer; its failure is that of the run. */
  #answerOfSkill(): Pick<AgentContext, 'answerToFirstCalls'> {
    if (this.#task.skill === undefined) return {};
    const { describeOutput } = this.#parts;
    return {
      answerToFirstCalls: ([result]) => {
        const given = SkillAnswer.safeParse(result?.data);
        if (result?.status === 'ok' && given.success && given.data.success) {
          return describeOutput(given.data.output);
        }
        const failure = given.success && !given.data.success ? given.data : null;
        const code = failure?.error_code ?? (result?.status === 'denied' ? 'TOOL_DENIED' : '');
        throw new AppError(
          isErrorCode(code) ? code : 'SKILL_FAILED',
          failure?.error ?? result?.content ?? 'The skill gave nothing.',
        );
      },
    };
  }

  #done(): AgentOutcome {
    if (this.#outcome === null) throw new Error('Nothing was done yet');
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

function describeUntrue(facts: readonly CheckedFact[]): string {
  const list = facts.map(({ claim, evidence }) => `- ${claim}: no. ${evidence}`).join('\n');
  return `Your answer says what is not so:\n${list}\nDo it now, or say plainly that it was not done. Then give the whole answer again.`;
}
