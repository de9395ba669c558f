import type { Agent } from '#main/agents/types.ts';
import type { Orchestrator } from '#main/orchestrator/orchestrator.ts';

/** Hands every task to one agent, as it is: for what is tested beneath the orchestrator. */
export function straightTo(agent: Agent): Pick<Orchestrator, 'run' | 'classify'> {
  return {
    classify: async () => ({ route: 'simple', agent: 'executor', reason: '', skill: null }),
    run: async ({ messages }, context) => {
      const { answer, rounds, toolCalls } = await agent.run(messages, context);
      return { outcome: 'completed', answer, rounds, toolCalls };
    },
  };
}
