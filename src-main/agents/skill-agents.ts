import type { RunEventDraft } from '#contract/events/run-event.ts';
import { outsideGraphs } from '../base/outside-graphs.ts';
import type { StepPath } from '../base/step-path.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import type { WorkClock } from '../skills/types.ts';
import type { RunJournal } from '../storage/types.ts';
import { DEFAULT_RESULT_CHARS } from '../tools/shorten-result.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import type { ResearchAgent } from './research/research-agent.ts';
import { firstSourceNumber } from './research/source-numbers.ts';
import type { Agent, AgentContext } from './types.ts';
import { usageEvent } from './usage-event.ts';

export interface SkillAgentParts {
  readonly executor: Agent;
  readonly research: Pick<ResearchAgent, 'research'>;
  readonly journal: RunJournal;
}

/** The agents that skills of a run may use. Each piece of work is a branch of its own. */
export function createSkillAgents(parts: SkillAgentParts, context: AgentContext): SkillRunAgents {
  const { executor, research, journal } = parts;
  const within = (branch: StepPath, signal: AbortSignal, clock: WorkClock): AgentContext => ({
    ...context,
    ...{ branch, roundsBefore: 0, delegate: null, firstCalls: [], mayPlanFirst: false },
    broker: waitingBroker(context.broker, clock),
    signal: AbortSignal.any([context.signal, signal]),
    // A separate conversation, in which no Markdown skill is active.
    ephemeralMessage: () => null,
    // Its messages belong to a call and stay out of the conversation of the run.
    record: () => undefined,
    emit: (event: RunEventDraft) => {
      if (event.type !== 'token' && event.type !== 'reasoning') context.emit(event);
    },
  });
  return {
    model: (tier) => context.tier(tier),
    vision: () => context.vision(),
    // Not a round of the agent, so its usage counts for the first one.
    onReply: (reply, model) => context.emit(usageEvent(reply, model, 1)),
    firstSource: (step) => firstSourceNumber(journal, { ...context, branch: step }),
    loop: (request, { step, signal, clock }) =>
      outsideGraphs(async () => {
        const { system, prompt, tools, maxRounds } = request;
        const outcome = await executor.run(
          [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
          {
            ...within(step, signal, clock),
            fitter: context.openFitter(),
            ...{ toolNames: tools, maxRounds, evidenceChars: DEFAULT_RESULT_CHARS },
          },
        );
        return { answer: outcome.answer, calls: outcome.calls };
      }),
    research: ({ question, depth, scenario }, { step, signal, clock }) =>
      outsideGraphs(async () => {
        const { report } = await research.research(question, {
          ...within(step, signal, clock),
          research: { depth, scenario },
        });
        return report;
      }),
  };
}

/** `broker`, which stops the clock of the skill while the user is asked. */
function waitingBroker(broker: InterruptBroker, clock: WorkClock): InterruptBroker {
  return {
    ask: (question, run) => clock.waitFor(() => broker.ask(question, run)),
    hasAsked: (subject, runId) => broker.hasAsked(subject, runId),
    note: (question, answer, run) => broker.note(question, answer, run),
    respond: (runId, interruptId, response) => broker.respond(runId, interruptId, response),
  };
}
