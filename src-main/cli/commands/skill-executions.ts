import { AppError } from '#contract/errors.ts';
import type { SkillExecution } from '#contract/skills.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { plainTerminalText, showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

const DEFAULT_LIMIT = 20;

const open = ({ dataDir }: ReadFlags, environment: CliEnvironment) =>
  openApp(environment, { dataDir, attended: false, readOnly: true });

/** `hyperagent skills executions` */
export async function listExecutions(
  skillId: string | undefined,
  { limit = DEFAULT_LIMIT, ...flags }: ReadFlags & { readonly limit?: number },
  environment: CliEnvironment,
): Promise<number> {
  await using app: App = await open(flags, environment);
  // An alias, or no skill at all: the registry knows.
  const of = skillId === undefined ? {} : { skillId: await idOf(app, skillId) };
  const { executions } = app.api['skills.executions']({ ...of, limit });
  if (flags.json) print(jsonLine(executions));
  else if (executions.length === 0) print('No executions yet.\n');
  else for (const execution of executions) print(`${showControls(lineOf(execution))}\n`);
  return EXIT.complete;
}

/** `hyperagent skills execution` */
export async function showExecution(
  id: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app: App = await open(flags, environment);
  const [execution] = app.api['skills.executions']({ executionId: id }).executions;
  if (execution === undefined) {
    throw new AppError(
      'NOT_FOUND',
      `There is no execution ${id}. List them with: hyperagent skills executions`,
    );
  }
  if (flags.json) print(jsonLine(execution));
  else print(plainTerminalText(textOf(execution)));
  return EXIT.complete;
}

async function idOf(app: App, skillId: string): Promise<string> {
  try {
    return (await app.api['skills.get']({ skillId })).skill.summary.id;
  } catch (error) {
    // A skill that was removed still has its executions.
    if (error instanceof AppError && error.code === 'SKILL_UNKNOWN') return skillId;
    throw error;
  }
}

function lineOf({ id, skillId, status, depth, error, ...times }: SkillExecution): string {
  const below = depth === 1 ? '' : `, depth ${depth}`;
  const why = error === null ? '' : `: ${error.code}, ${error.message.replace(/\s+/g, ' ')}`;
  return `${id}  ${skillId}  ${whenOf(times)}  ${status}${below}${why}`;
}

function whenOf({ startedAt, endedAt }: Pick<SkillExecution, 'startedAt' | 'endedAt'>): string {
  const began = new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ');
  return endedAt === null ? began : `${began}, ${((endedAt - startedAt) / 1000).toFixed(1)} s`;
}

function textOf(execution: SkillExecution): string {
  const { runId, parentId, input, output, events } = execution;
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const steps = events.map(
    ({ at, name, status, description }) =>
      `  ${new Date(at).toISOString().slice(11, 19)} ${name} ${status}: ${description.replace(/\s+/g, ' ')}`,
  );
  return `${[
    lineOf(execution),
    `run       ${runId}`,
    ...(parentId === null ? [] : [`called by ${parentId}`]),
    `Input:\n${json(input)}`,
    ...(output === null ? [] : [`Output:\n${json(output)}`]),
    ...(steps.length === 0 ? [] : ['Events:', ...steps]),
  ].join('\n')}\n`;
}
