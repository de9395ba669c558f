import type { ResearchAgent, ResearchParts } from '../agents/research/research-agent.ts';

/** The research agent, loaded on first use, because most runs never need it. */
export function lazyResearch(
  makeParts: () => ResearchParts,
): Pick<ResearchAgent, 'run' | 'research'> {
  let opened: Promise<ResearchAgent> | null = null;
  const open = async (): Promise<ResearchAgent> => {
    const { ResearchAgent: Agent } = await import('../agents/research/research-agent.ts');
    return new Agent(makeParts());
  };
  const agent = (): Promise<ResearchAgent> => {
    opened ??= open();
    return opened;
  };
  return {
    run: async (messages, context) => (await agent()).run(messages, context),
    research: async (...args) => (await agent()).research(...args),
  };
}
