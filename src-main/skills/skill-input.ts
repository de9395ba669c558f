import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { SkillMetadata, SkillParameter } from '#contract/skills.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import type { JsonObject } from './types.ts';

export type CheckedInput =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Validates the parameters of a skill: refuses unknown names, fills in defaults, and converts values that small
 * models and terminals write as text ("5", "true").
 */
export function validateInput(
  { id, parameters }: Pick<SkillMetadata, 'id' | 'parameters'>,
  given: JsonObject,
): CheckedInput {
  const problems: string[] = [];
  const known = new Set(parameters.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (!known.has(name)) problems.push(`${name}: ${id} has no such parameter`);
  }
  const params: Record<string, unknown> = {};
  for (const parameter of parameters) {
    // An inherited name such as `constructor` is not a parameter.
    const value = Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined;
    if (value === undefined || value === null) {
      if (parameter.default !== undefined) params[parameter.name] = parameter.default;
      else if (parameter.required) {
        problems.push(`${parameter.name}: is missing; it is ${aType(parameter)}`);
      }
      continue;
    }
    const read = readValue(parameter, value);
    if (read.ok) params[parameter.name] = read.value;
    else problems.push(`${parameter.name}: ${read.problem}`);
  }
  if (problems.length > 0) return { ok: false, problem: `${problems.join('; ')}.` };
  return { ok: true, params };
}

type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

function readValue(parameter: SkillParameter, given: unknown): Read {
  const value = coerce(parameter.type, given);
  if (typeOf(value) !== parameter.type) {
    return { ok: false, problem: `must be ${aType(parameter)}, not ${typeOf(given)}` };
  }
  if (parameter.type === 'string' && parameter.required && String(value).trim() === '') {
    return { ok: false, problem: 'is empty' };
  }
  const { options } = parameter;
  if (options !== undefined && !options.includes(String(value))) {
    return { ok: false, problem: `must be one of ${options.join(', ')}` };
  }
  return { ok: true, value };
}

function coerce(type: SkillParameter['type'], value: unknown): unknown {
  if (typeof value === 'number' && type === 'string') return String(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (type) {
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : value;
    case 'array':
    case 'object':
      return parsed(text) ?? value;
    case 'string':
      return value;
  }
}

function parsed(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // Not JSON: it is refused as text.
    return undefined;
  }
}

function typeOf(value: unknown): SkillParameter['type'] | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'boolean' ? type : type === 'number' ? type : 'object';
}

function aType({ type }: Pick<SkillParameter, 'type'>): string {
  return type === 'object' || type === 'array' ? `an ${type}` : `a ${type}`;
}

/** What does not fit the output schema of a skill, in words; null where everything fits. */
export function checkOutput(
  { outputSchema }: Pick<SkillMetadata, 'outputSchema'>,
  output: JsonObject,
): string | null {
  if (Object.keys(outputSchema).length === 0) return null;
  const parsedOutput = safeParse(z.fromJSONSchema(outputSchema as never), output);
  if (parsedOutput.success) return null;
  return parsedOutput.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'the output' : path.join('.')}: ${message}`)
    .join('; ');
}

/** The parameter for a request in words: the first required string, else the first string. */
export function promptParameter({
  parameters,
}: Pick<SkillMetadata, 'parameters'>): SkillParameter | null {
  return (
    parameters.find(({ type, required }) => type === 'string' && required) ??
    parameters.find(({ type }) => type === 'string') ??
    null
  );
}
