import { AppError } from '#contract/errors.ts';
import type { SkillMetadata } from '#contract/skills.ts';
import type { JsonObject, LangGraph, Skill, SkillContext, SkillState } from './types.ts';

/** A step's contribution to `work`, the output if it has it, and the next step if it is not the following one. */
export type SkillStepResult = Partial<Pick<SkillState, 'work' | 'output'>> & {
  readonly next?: string;
};

/** A named step of a skill's workflow. */
export interface GraphStep {
  /** Snake case; emitted as a stage. Later visits are emitted as `name_2`, `name_3`, … */
  readonly name: string;
  readonly description: string;
  /** `work` is merged over that of the earlier steps; `next` is the name of a step, or `SKILL_DONE`. */
  run(state: SkillState, context: SkillContext): Promise<SkillStepResult>;
}

/** The `next` of the last step. */
export const SKILL_DONE = '__end__';

/**
 * A skill whose workflow is a graph of steps, in order unless a step names the next. A workflow that loops
 * ends with `SKILL_ITERATION_LIMIT` after `maxIterations` steps. `start` names the first step where the parameters decide it.
 */
export function graphSkill(
  metadata: SkillMetadata,
  steps: readonly GraphStep[],
  start?: (params: JsonObject) => string,
): Skill {
  const names = steps.map(({ name }) => name);
  if (new Set(names).size !== names.length) {
    throw new Error(`Two steps of ${metadata.id} have the same name`);
  }
  return {
    metadata,
    createGraph: (context, langgraph) => buildGraph({ metadata, steps, context, start }, langgraph),
  };
}

interface Workflow {
  readonly metadata: SkillMetadata;
  readonly steps: readonly GraphStep[];
  readonly context: SkillContext;
  readonly start: ((params: JsonObject) => string) | undefined;
}

function buildGraph(
  { metadata, steps, context, start }: Workflow,
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
        // LangGraph's own limit throws only after one more step has begun.
        if (taken > metadata.maxIterations) throw tooManySteps(metadata.id, metadata.maxIterations);
        const visit = (visits.get(name) ?? 0) + 1;
        visits.set(name, visit);
        const stage = visit === 1 ? name : `${name}_${visit}`;
        const { next, ...update } = await context.stage(stage, description, () =>
          run(state, context),
        );
        const goto = next ?? names[index + 1] ?? SKILL_DONE;
        if (!ends.includes(goto)) throw new Error(`${name} goes to ${goto}, which is not a step`);
        return new Command({ goto, update });
      },
      { ends },
    );
  }
  const [first] = names;
  if (first === undefined) throw new Error('A skill needs at least one step');
  if (start === undefined) return graph.addEdge(START, first).compile();
  const firstOf = ({ inputParams }: typeof State.State): string => start(inputParams);
  return graph.addConditionalEdges(START, firstOf, names).compile();
}

/** The failure of a skill that loops. */
export function tooManySteps(id: string, maxIterations: number): AppError {
  return new AppError(
    'SKILL_ITERATION_LIMIT',
    `The skill ${id} reached its limit of ${maxIterations} steps before it was done.`,
  );
}

/** A graph whose node names are known only at run time; LangGraph's own type wants literals. */
interface AnyGraph<State> {
  addNode(
    name: string,
    work: (state: State) => Promise<unknown>,
    options: { readonly ends: readonly string[] },
  ): void;
  addConditionalEdges(
    from: string,
    nextOf: (state: State) => string,
    names: string[],
  ): AnyGraph<State>;
  addEdge(from: string, to: string): AnyGraph<State>;
  compile(): ReturnType<Skill['createGraph']>;
}
