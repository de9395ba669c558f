import path from 'node:path';
import type { RunOptions } from '#contract/entities.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { type AppBench, openAppBench, type PlayedRun } from './app-bench.ts';
import { approveSkill, putFiles, TEA } from './markdown-skill.ts';
import { ask, complete, load, read, steppingModel, type Walk } from './stepping-model.ts';

export const TURN = 'Make tea';
export const ANSWER = 'The tea is there.';

/** What the person says to questions, by their titles; yes to all others. */
export type Answers = Readonly<Record<string, InterruptResponse>>;
type TurnOptions = Partial<RunOptions> & { readonly threadId?: string };

export interface TeaBench {
  readonly bench: AppBench;
  /** A turn in which the person answers what they are asked. */
  turn(prompt: string, options?: TurnOptions, answers?: Answers): Promise<PlayedRun>;
  /** The same for a run that is at work already. */
  rest(runId: string, answers?: Answers): Promise<PlayedRun>;
  readonly folder: string;
}

/** The whole app with the approved skill `tea-maker`, and a model that steps through a skill as it is told. */
export async function openTea(
  sessions: readonly Walk[],
  files: Readonly<Record<string, string | Buffer>> = TEA,
): Promise<TeaBench> {
  const bench = await openAppBench(steppingModel(sessions));
  const folder = putFiles(path.join(bench.dataDir, 'skills', 'tea-maker'), files);
  await approveSkill(bench.app, 'tea-maker');
  const { api } = bench.app;
  const rest: TeaBench['rest'] = async (id, answers = {}) => {
    let isOver = false;
    const person = (async () => {
      while (!isOver) {
        for (const { runId, interruptId, title } of api['runs.waiting']().questions) {
          await api['runs.respond']({
            runId,
            interruptId,
            response: answers[title] ?? { action: 'confirm' },
          });
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const played = await bench.settled(id);
    isOver = true;
    await person;
    return played;
  };
  return {
    ...{ bench, folder, rest },
    turn: async (prompt, { threadId, ...options } = {}, answers = {}) => {
      const { run } = await api['runs.start']({
        ...{ prompt, attachmentIds: [], options: { approve: 'all', ...options } },
        ...(threadId === undefined ? {} : { threadId }),
      });
      return await rest(run.id, answers);
    },
  };
}

/** The turn that makes tea, an answer of the model a round. */
export const walk = (...rounds: Walk['rounds'][number][]): Walk => ({
  when: TURN,
  rounds,
  answer: ANSWER,
});
export const results = ({ of }: PlayedRun) =>
  of('tool_result').map(({ name, status, errorCode }) => [name, errorCode ?? status]);
export const stepsOf = ({ of }: PlayedRun) =>
  of('skill_walk')
    .at(-1)
    ?.walk.steps.map(({ status }) => status);
export const refusals = ({ of }: PlayedRun) => of('skill_walk').at(-1)?.walk.refusals ?? [];
export const verdicts = ({ of }: PlayedRun) => of('verification').map(({ verdict }) => verdict);

/** A walk from the beginning of the skill to its end. */
export const WHOLE = [
  [load()],
  [ask('tea_params')],
  [complete(1)],
  [read('subskill/plan.md')],
  [complete(2)],
  [read('subskill/report.md')],
  [ask('what_next')],
  [complete(4)],
] as const;
