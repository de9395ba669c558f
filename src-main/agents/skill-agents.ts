import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import type { WorkClock } from '../skills/types.ts';
import type { RunStateStore } from '../storage/types.ts';
import { DEFAULT_RESULT_CHARS } from '../tools/shorten-result.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import { FIRST_SKILL_LANE, firstSourceNumber } from './research/lanes.ts';
import type { ResearchAgent } from './research/research-agent.ts';
import type { Agent, AgentContext } from './types.ts';
import { usageEvent } from './usage-event.ts';

const PART = 'skill_lanes';
/** Keys of the work that skills asked for; the position is the number of the lane. */
const Lanes = z.array(z.string());

export interface SkillAgentParts {
  readonly executor: Agent;
  readonly research: Pick<ResearchAgent, 'research'>;
  readonly states: RunStateStore;
  readonly broker: InterruptBroker;
}

/** The agents that skills of a run may use. Each piece of work has its own lane, which its key identifies. */
export function createSkillAgents(parts: SkillAgentParts, context: AgentContext): SkillRunAgents {
  const { executor, research, states, broker } = parts;
  // A skill runs inside the graph of an agent; LangGraph would treat these as subgraphs of it.
  const outside = AsyncLocalStorage.snapshot();
  const laneOf = (key: string): number => {
    const lanes = Lanes.parse(states.find(context.runId, PART) ?? []);
    const known = lanes.indexOf(key);
    if (known >= 0) return FIRST_SKILL_LANE + known;
    context.commit(() => states.put(context.runId, PART, [...lanes, key]));
    return FIRST_SKILL_LANE + lanes.length;
  };
  const within = (key: string, signal: AbortSignal, clock: WorkClock): AgentContext => ({
    ...context,
    ...{ lane: laneOf(key), roundsBefore: 0, delegate: null, firstCalls: [] },
    broker: waitingBroker(context.broker ?? broker, clock),
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
    // Not a round of the agent, so its usage counts for the first round of the lane.
    onReply: (reply, model) =>
      context.emit({ ...usageEvent(reply, model, context.lane * 10_000 + 1) }),
    firstSource: (key) => firstSourceNumber({ ...context, lane: laneOf(key) }),
    loop: (request, { key, signal, clock }) =>
      outside(async () => {
        const { system, prompt, tools, maxRounds } = request;
        const outcome = await executor.run(
          [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
          {
            ...within(key, signal, clock),
            fitter: context.openFitter(),
            ...{ toolNames: tools, maxRounds, evidenceChars: DEFAULT_RESULT_CHARS },
          },
        );
        return { answer: outcome.answer, calls: outcome.calls };
      }),
    research: ({ question, depth, scenario }, { key, signal, clock }) =>
      outside(async () => {
        const { report } = await research.research(question, {
          ...within(key, signal, clock),
          research: { depth, scenario },
        });
        return report;
      }),
  };
}

/** `broker`, which stops the clock of the skill while the user is asked. */
function waitingBroker(broker: InterruptBroker, clock: WorkClock): InterruptBroker {
  return {
    ask: (question, context) => clock.waitFor(() => broker.ask(question, context)),
    note: (question, answer, context) => broker.note(question, answer, context),
    respond: (runId, interruptId, response) => broker.respond(runId, interruptId, response),
  };
}
