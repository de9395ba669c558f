import { readFileSync } from 'node:fs';
import type { Run, RunOptions } from '#contract/entities.ts';
import type { SkillExecution } from '#contract/skills.ts';
import type { App } from '#main/compose/app.ts';
import { checkOutput } from '#main/skills/skill-input.ts';
import type { JsonObject } from '#main/skills/types.ts';
import { type AppBench, openAppBench, type PlayedRun } from './app-bench.ts';
import type { DirectedReply, DirectedRequest } from './directed-model.ts';

/** An invocation of a skill in a run of the app, from the call of the agent to its end. */
export interface PlayedSkill extends PlayedRun {
  /** What `invoke_skill` answered the agent. */
  readonly toolAnswer: {
    readonly success: boolean;
    readonly output?: JsonObject;
    readonly error?: string;
    readonly error_code?: string;
  };
  /** The output, which fits its schema; throws where there is none. */
  readonly output: JsonObject;
  /** The outermost execution, as it is stored. */
  readonly execution: SkillExecution | undefined;
  /** Stages of the skill that were completed, in order. */
  readonly stages: readonly string[];
}

export interface SkillBench extends Pick<AppBench, 'app' | 'file'> {
  /** Requests of skills to the model, without those of the agent. */
  readonly requests: readonly DirectedRequest[];
  /** Lets a run invoke a skill, and gives what came of it. */
  invoke(skillId: string, params: JsonObject, options?: InvokeOptions): Promise<PlayedSkill>;
  /** Starts an invocation, and gives the run and a way to wait for its end. */
  begin(
    skillId: string,
    params: JsonObject,
    options?: InvokeOptions,
  ): Promise<{ readonly run: Run; ended(): Promise<PlayedSkill> }>;
  /** What came of a run that was begun, when it rests. */
  end(runId: string): Promise<PlayedSkill>;
  /** A file of a task's workspace. Throws where there is none. */
  bytes(threadId: string, path: string): Promise<Uint8Array>;
}

export interface InvokeOptions {
  /** Put into the workspace before: contents by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly run?: Partial<RunOptions>;
}

interface Job {
  readonly arguments: { readonly skill_id: string; readonly params: JsonObject };
  /** Settles when its files are there. */
  readonly ready: Promise<void>;
}

/** How the agent's own requests are known. */
const AGENT = 'You are HyperAgent';
const ASKED = /^Job (\d+)\./m;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Skills in the real app: an agent that does nothing but invoke them, over real HTTP, with the real
 * database, pipeline and sandbox. `answer` plays the model for the skills; the output of each is held
 * against its schema.
 */
export async function openSkillBench(
  answer: (request: DirectedRequest) => DirectedReply | Promise<DirectedReply>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<SkillBench> {
  const jobs: Job[] = [];
  const requests: DirectedRequest[] = [];
  const bench = await openAppBench(async (request) => {
    const job = request.system.startsWith(AGENT) ? ASKED.exec(request.turn) : null;
    if (job === null) {
      requests.push(request);
      return await answer(request);
    }
    if (request.results.length > 0) return { content: 'The job is over.' };
    const { arguments: given, ready } = jobs[Number(job[1])] as Job;
    await ready;
    return { calls: [{ name: 'invoke_skill', arguments: given }] };
  }, settings);
  const { api } = bench.app;
  const begin: SkillBench['begin'] = async (skillId, params, { files = {}, run: options } = {}) => {
    const ready = Promise.withResolvers<void>();
    const number = jobs.length;
    jobs.push({ arguments: { skill_id: skillId, params }, ready: ready.promise });
    const run = await bench.start(`Job ${number}.`, options);
    for (const [path, content] of Object.entries(files)) {
      await bench.workspace(run.threadId).write(path, Buffer.from(content));
    }
    ready.resolve();
    return { run, ended: () => end(run.id) };
  };
  const end: SkillBench['end'] = async (runId) => await played(await bench.settled(runId), api);
  return {
    ...{ app: bench.app, file: bench.file, requests, begin, end },
    invoke: async (...given) => (await begin(...given)).ended(),
    bytes: async (threadId, path) => (await bench.workspace(threadId).read(path, MOST_BYTES)).data,
  };
}

async function played(run: PlayedRun, api: App['api']): Promise<PlayedSkill> {
  const result = run.of('tool_result').find(({ name }) => name === 'invoke_skill');
  const execution = api['skills.executions']({ limit: 200 }).executions.find(
    ({ runId, depth }) => runId === run.run.id && depth === 1,
  );
  const metadata =
    execution === undefined
      ? null
      : (await api['skills.get']({ skillId: execution.skillId })).skill.metadata;
  return {
    ...{ ...run, execution, toolAnswer: toolAnswerOf(result?.content ?? '') },
    get output(): JsonObject {
      if (execution === undefined || execution.output === null) {
        throw new Error(`There is no output: ${result?.content ?? JSON.stringify(run.run.error)}`);
      }
      const problem = metadata === null ? 'no metadata' : checkOutput(metadata, execution.output);
      if (problem !== null) throw new Error(`The output is not by its schema: ${problem}`);
      return execution.output;
    },
    stages: run
      .of('stage')
      .filter(({ skill, name }) => skill?.executionId === execution?.id && name.includes('.'))
      .filter(({ status }) => status === 'completed')
      .map(({ name }) => name.slice(name.indexOf('.') + 1)),
  };
}

/** What the agent got; of a long answer, which is shortened, only whether it succeeded. */
function toolAnswerOf(content: string): PlayedSkill['toolAnswer'] {
  try {
    return JSON.parse(content) as PlayedSkill['toolAnswer'];
  } catch {
    return { success: /"success": true/.test(content), error: content };
  }
}

/** A skill's example, as it stands in `example.json` in its folder. */
export interface SkillExample {
  /** What is asked, and what must come of it. */
  readonly description: string;
  readonly params: JsonObject;
  readonly files?: Readonly<Record<string, string>>;
  /** What the model says, in order; objects as JSON, those with `calls` as calls of tools. */
  readonly answers: readonly unknown[];
  /** What the output holds at least. */
  readonly expected: JsonObject;
}

/** Invokes a skill with the example in its folder below `src-main/skills/builtin`. */
export async function playExample(
  skillId: string,
): Promise<{ readonly example: SkillExample; readonly played: PlayedSkill; bench: SkillBench }> {
  const folder = `src-main/skills/builtin/${skillId.replaceAll('_', '-')}`;
  const example = JSON.parse(readFileSync(`${folder}/example.json`, 'utf8')) as SkillExample;
  const bench = await openSkillBench(inOrder(example.answers));
  const { params, files = {} } = example;
  return { example, bench, played: await bench.invoke(skillId, params, { files }) };
}

/** A model that says these in order, objects as JSON unless they are calls, and the last one for ever after. */
export function inOrder(answers: readonly unknown[]): () => DirectedReply {
  let next = 0;
  return () => {
    const said = answers[Math.min(next, answers.length - 1)];
    next += 1;
    if (typeof said === 'object' && said !== null && 'calls' in said) return said as DirectedReply;
    return { content: typeof said === 'string' ? said : JSON.stringify(said) };
  };
}
