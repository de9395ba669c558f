import { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { graphSkill } from '../../graph-skill.ts';
import { metadata } from './metadata.ts';

/** The research agent as a skill; the agent emits its own sources and progress. */
export const skill = graphSkill(metadata, [
  {
    name: 'research',
    description: 'Researching',
    run: async ({ inputParams: { question, depth, scenario } }, { services }) => {
      const { title, markdown, path, sources } = await services.agents.research({
        question: String(question).trim(),
        depth: ResearchDepth.nullable().parse(depth ?? null),
        scenario: ResearchScenario.nullable().parse(scenario ?? null),
      });
      const named = sources.map(({ index, url, title: name }) => ({ index, url, title: name }));
      return { output: { title, report: markdown, report_path: path, sources: named } };
    },
  },
]);
