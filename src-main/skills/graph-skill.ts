import { AppError } from '#contract/errors.ts';
import type { SkillMetadata } from '#contract/skills.ts';
import type { JsonObject, LangGraph, Skill, SkillContext, SkillState } from './types.ts';

/** What a step found, the result where it has it, and the step that comes next where that is not the one below. */
export type SkillStepResult = Partial<Pick<SkillState, 'work' | 'output'>> & {
  readonly next?: string;
};

/** A named step of a skill's workflow. */
export interface GraphStep {
  /** Snake case; told as a stage. One that is come to again is told as `name_2`, `name_3`, … */
  readonly name: string;
  readonly description: string;
  /** `work` is laid over that of the earlier steps; `next` is the name of a step, or `SKILL_DONE`. */
  run(state: SkillState, context: SkillContext): Promise<SkillStepResult>;
}

/** The `next` of a step after which nothing comes. */
export const SKILL_DONE = '__end__';

/**
 * A skill whose workflow is a graph of steps, in order unless a step says which comes next. A workflow
 * that goes round and round ends with `SKILL_ITERATION_LIMIT` after `maxIterations` steps.
 */
export function graphSkill(metadata: SkillMetadata, steps: readonly GraphStep[]): Skill {
  const names = steps.map(({ name }) => name);
  if (new Set(names).size !== names.length) {
    throw new Error(`Two steps of ${metadata.id} have one name`);
  }
  return {
    metadata,
    createGraph: (context, langgraph) => buildGraph({ metadata, steps, context }, langgraph),
  };
}

interface Workflow {
  readonly metadata: SkillMetadata;
  readonly steps: readonly GraphStep[];
  readonly context: SkillContext;
}

function buildGraph(
  { metadata, steps, context }: Workflow,
  { Annotation, Command, START, StateGraph }: LangGraph,
): ReturnType<Skill['createGraph']> {
  const State = Annotation.Root({
    skillId: Annotation<string>,
    inputParams: Annotation<JsonObject>,
    work: Annotation<JsonObject>({
      reducer: (before, found) => ({ ...before, ...found }),
      default: () => ({}),
    }),
    output: Annotation<JsonObject>,
  });
  const names = steps.map(({ name }) => name);
  const ends = [...names, SKILL_DONE];
  const visits = new Map<string, number>();
  let taken = 0;
  const graph = new StateGraph(State) as unknown as AnyGraph<typeof State.State>;
  for (const [index, { name, description, run }] of steps.entries()) {
    graph.addNode(
      name,
      async (state) => {
        taken += 1;
        // LangGraph's own limit lets one more step begin before it tells.
        if (taken > metadata.maxIterations) throw tooManySteps(metadata);
        const visit = (visits.get(name) ?? 0) + 1;
        visits.set(name, visit);
        const stage = visit === 1 ? name : `${name}_${visit}`;
        const { next, ...update } = await context.stage(stage, description, () =>
          run(state, context),
        );
        const goto = next ?? names[index + 1] ?? SKILL_DONE;
        if (!ends.includes(goto)) throw new Error(`${name} goes on to ${goto}, which is no step`);
        return new Command({ goto, update });
      },
      { ends },
    );
  }
  const [first] = names;
  if (first === undefined) throw new Error('A skill needs at least one step');
  return graph.addEdge(START, first).compile();
}

function tooManySteps({ id, maxIterations }: SkillMetadata): AppError {
  return new AppError(
    'SKILL_ITERATION_LIMIT',
    `The skill ${id} reached its limit of ${maxIterations} steps before it was done.`,
  );
}

/** A graph whose nodes are named at run time; LangGraph's own type wants them as literals. */
interface AnyGraph<State> {
  addNode(
    name: string,
    work: (state: State) => Promise<unknown>,
    options: { readonly ends: readonly string[] },
  ): void;
  addEdge(from: string, to: string): AnyGraph<State>;
  compile(): ReturnType<Skill['createGraph']>;
}
