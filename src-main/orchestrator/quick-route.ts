import type { AgentName, Route, RunMode } from '#contract/vocabulary.ts';
import { isOneClause } from './routing/one-clause.ts';

/** Where a task goes, why in a sentence for the person, and the skill that it begins with. */
export interface Classification {
  readonly route: Route;
  readonly agent: AgentName;
  readonly reason: string;
  readonly skill: string | null;
}

/** A task as it is classified; `skills` are names that "use the … skill" may say, besides the built-in ones. */
export interface ClassifiedTask {
  readonly prompt: string;
  readonly mode: RunMode;
  readonly skills?: readonly string[];
}

/** Modes that are about one thing, and the skill that does it. */
const MODE_SKILLS: Readonly<Partial<Record<RunMode, string>>> = {
  data: 'data_analysis',
  app: 'app_builder',
  image: 'image_generation',
  slide: 'slide_generation',
};

/** What is clear without reading the rules, which take a while to load: a mode, or one short clause. */
export function quickRoute({ prompt, mode }: ClassifiedTask): Classification | null {
  if (mode === 'research') return researchRoute('The task was started as research.');
  const skill = MODE_SKILLS[mode];
  if (skill !== undefined) return simpleRoute(`The task was started in the mode "${mode}".`, skill);
  return isOneClause(prompt) ? simpleRoute('One step is enough.', null) : null;
}

export function simpleRoute(reason: string, skill: string | null): Classification {
  return { route: 'simple', agent: 'executor', reason, skill };
}

export function researchRoute(reason: string): Classification {
  return { route: 'research', agent: 'research', reason, skill: null };
}
