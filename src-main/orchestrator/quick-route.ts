import type { AgentName, Route, RunMode } from '#contract/vocabulary.ts';
import { isOneClause } from './routing/one-clause.ts';
import { plainKind } from './routing/plain-kinds.ts';

/** The route of a task, the reason as a sentence for the user, and the skill to start with. */
export interface Classification {
  readonly route: Route;
  readonly agent: AgentName;
  readonly reason: string;
  readonly skill: string | null;
}

/** The task to classify; `skills`: names that "use the … skill" may mention, besides the built-in ones. */
export interface ClassifiedTask {
  readonly prompt: string;
  readonly mode: RunMode;
  readonly skills?: readonly string[];
}

/** Modes for one kind of work, and the skill that does it. */
const MODE_SKILLS: Readonly<Partial<Record<RunMode, string>>> = {
  data: 'data_analysis',
  app: 'app_builder',
  image: 'image_generation',
  slide: 'slide_generation',
  writing: 'simple_writing',
  code: 'code_generation',
};

/** Routes that need no rules, which are slow to load: a dedicated mode, or one short clause. */
export function quickRoute({ prompt, mode }: ClassifiedTask): Classification | null {
  if (mode === 'research') return researchRoute('The task was started as research.');
  const skill = MODE_SKILLS[mode];
  if (skill !== undefined) return simpleRoute(`The task was started in the mode "${mode}".`, skill);
  if (!isOneClause(prompt)) return null;
  const kind = plainKind(prompt);
  return kind === null ? uncertainRoute() : simpleRoute(kind, null);
}

export function simpleRoute(reason: string, skill: string | null): Classification {
  return { route: 'simple', agent: 'executor', reason, skill };
}

/** The words do not say. The executor starts, and chooses with its first call. */
export function uncertainRoute(): Classification {
  const reason =
    'The wording does not say how much work this is. The model starts, and may first make a plan or hand over to research.';
  return { route: 'uncertain', agent: 'executor', reason, skill: null };
}

export function complexRoute(reason: string): Classification {
  return { route: 'complex', agent: 'planner', reason, skill: null };
}

export function researchRoute(reason: string): Classification {
  return { route: 'research', agent: 'research', reason, skill: null };
}
