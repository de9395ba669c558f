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
/** Loops by the key of the work that they do. */
const Lanes = z.array(z.string());

export interface SkillAgentParts {
  readonly executor: Agent;
  readonly research: Pick<ResearchAgent, 'research'>;
  readonly states: RunStateStore;
  readonly broker: InterruptBroker;
}

/** The agents of a run as skills may use them: each piece of work in a lane of its own, found again by its key. */
export function createSkillAgents(parts: SkillAgentParts, context: AgentContext): SkillRunAgents {
  const { executor, research, states, broker } = parts;
  // A call is made inside the graph of the agent that makes it, which would take these for parts of it.
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
    // A conversation of its own, which is in no Markdown skill.
    ephemeralMessage: () => null,
    // What is said there is the work of a call, and no message of the conversation.
    record: () => undefined,
    emit: (event: RunEventDraft) => {
      if (event.type !== 'token' && event.type !== 'reasoning') context.emit(event);
    },
  });
  return {
    model: (tier) => context.tier(tier),
    // No round of the agent's own: told under the one that it is in.
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

/** `broker`, with the clock of a skill standing still while somebody is asked. */
function waitingBroker(broker: InterruptBroker, clock: WorkClock): InterruptBroker {
  return {
    ask: (question, context) => clock.waitFor(() => broker.ask(question, context)),
    note: (question, answer, context) => broker.note(question, answer, context),
    respond: (runId, interruptId, response) => broker.respond(runId, interruptId, response),
  };
}
