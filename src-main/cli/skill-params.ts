import type { RunSkill, SkillMetadata, SkillParameter } from '#contract/skills.ts';
import { UsageError } from './exit-codes.ts';
import { describeParameter } from './skill-text.ts';

type Params = RunSkill['params'];

export interface ParamFlags {
  readonly param?: readonly string[];
  readonly paramsJson?: string;
}

/** Parameters from the command line. A value is parsed as JSON if its parameter is not a string. */
export function readParams(
  { param = [], paramsJson }: ParamFlags,
  parameters: readonly SkillParameter[],
): Params {
  const params = new Map(Object.entries(paramsJson === undefined ? {} : parseObject(paramsJson)));
  const seen = new Set<string>();
  for (const text of param) {
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(equals, 0)).trim();
    if (name === '') throw new UsageError(`--param ${text} is not of the form NAME=VALUE.`);
    if (seen.has(name)) throw new UsageError(`--param ${name} is given twice.`);
    seen.add(name);
    const type = parameters.find((parameter) => parameter.name === name)?.type ?? 'string';
    params.set(name, readValue(text.slice(equals + 1), type));
  }
  return Object.fromEntries(params);
}

function parseObject(text: string): Params {
  const value = readValue(text, 'object');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Params;
  throw new UsageError('--params-json must be a JSON object, such as {"topic": "bees"}.');
}

function readValue(text: string, type: SkillParameter['type']): Params[string] {
  if (type === 'string') return text;
  try {
    return JSON.parse(text) as Params[string];
  } catch {
    // Not JSON: the skill decides whether it accepts text.
    return text;
  }
}

/** The parameters of a skill, for an error message. */
export function expectedParams({ id, parameters }: Pick<SkillMetadata, 'id' | 'parameters'>) {
  if (parameters.length === 0) return `${id} takes no parameters.`;
  return `${id} takes ${parameters.map(describeParameter).join('; ')}.`;
}

/** Longest value shown in the prompt of a run; the run keeps the full value. */
const SHOWN_CHARS = 1_000;

/** A run of a skill as a prompt, for lists of runs and the conversation. */
export function skillPrompt(name: string, params: Params): string {
  const lines = Object.entries(params).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}: ${text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}`;
  });
  const [first, ...rest] = lines;
  return [first === undefined ? name : `${name}, ${first}`, ...rest].join('\n');
}
