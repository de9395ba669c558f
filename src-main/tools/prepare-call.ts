import type { z } from 'zod';
import { RULE_PATTERN_CHARS } from '#contract/entities.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { toolFacts } from '#contract/tools.ts';
import type { RiskLevel, ToolEffect } from '#contract/vocabulary.ts';
import { canonicalJson, sha256 } from '../base/canonical-json.ts';
import type { StepPath } from '../base/step-path.ts';
import type { CallSubjects } from '../hitl/approval-rules.ts';
import { exactPattern } from '../hitl/rule-pattern.ts';
import type { InvalidToolCall, ToolCall, ToolSchema } from '../models/types.ts';
import { coerceArguments } from './coerce-arguments.ts';
import { CONNECTOR_MARK } from './connector-tool.ts';
import type { CallInRun, ToolDefinition } from './types.ts';

/** A call that fits its tool: `input` is what is shown, hashed and run. */
export interface PreparedCall {
  readonly kind: 'prepared';
  readonly id: string;
  readonly tool: ToolDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly argumentsText: string;
  readonly argumentsSha256: string;
  /** Hash of the original arguments, where a known secret was removed from them. */
  readonly givenSha256?: string;
  /** What "always" covers: exactly these arguments; null where they are too long for a rule. */
  readonly rulePattern: string | null;
  /** A wider pattern that a rule could use, where the tool offers one. */
  readonly widerPattern: string | null;
  readonly subjects: CallSubjects;
  /** What the tool found about it in its run. */
  readonly inRun?: CallInRun;
  readonly risk: RiskLevel;
  readonly effect: ToolEffect;
  readonly step: StepPath;
}

/** A call that never runs; the model gets its problem. */
export interface RefusedCall {
  readonly kind: 'refused';
  readonly id: string;
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly code: Extract<ErrorCode, 'TOOL_UNKNOWN' | 'TOOL_ARGUMENTS_INVALID'>;
  readonly problem: string;
  readonly step: StepPath;
}

export interface KnownTool {
  readonly definition: ToolDefinition;
  readonly schema: ToolSchema;
}

/** Other names that models use for a tool; they are accepted but not listed. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['handoff_to_research', 'delegate_to_research'],
]);

/** Hand-overs to agents of earlier versions, whose work a skill does now, and its parameter for the task. */
const HANDOFFS: ReadonlyMap<string, { readonly skill: string; readonly parameter: string }> =
  new Map([
    ['handoff_to_data', { skill: 'data_analysis', parameter: 'request' }],
    ['handoff_to_writing', { skill: 'simple_writing', parameter: 'request' }],
    ['handoff_to_code', { skill: 'code_generation', parameter: 'task' }],
  ]);

/** A call by another name as the call that is meant. */
function withoutAlias<Call extends ToolCall | InvalidToolCall>(call: Call): Call {
  const handoff = HANDOFFS.get(call.name);
  if (handoff === undefined) return { ...call, name: ALIASES.get(call.name) ?? call.name };
  const name = 'invoke_skill';
  if (!('arguments' in call)) return { ...call, name };
  const { task, artifacts, ...others } = call.arguments;
  const files = artifacts === undefined ? {} : { files: artifacts };
  const params = { ...others, ...files, [handoff.parameter]: task };
  return { ...call, name, arguments: { skill_id: handoff.skill, params } };
}

/** The call of a connector's tool that `call_tool` stands for; null for any other call, and for what it may not call. */
function connectorCall<Call extends ToolCall | InvalidToolCall>(
  call: Call,
  tools: ReadonlyMap<string, KnownTool>,
): Call | null {
  if (call.name !== 'call_tool' || !('arguments' in call)) return null;
  const { definition, schema } = tools.get('call_tool') ?? {};
  if (definition === undefined || schema === undefined) return null;
  const parsed = safeParse(definition.input, coerceArguments(call.arguments, schema.parameters));
  if (!parsed.success) return null;
  const { name, arguments: own } = parsed.data as Pick<ToolCall, 'name' | 'arguments'>;
  const isConnectors = tools.get(name)?.definition.category === 'connector';
  return isConnectors && name.includes(CONNECTOR_MARK) ? { ...call, name, arguments: own } : null;
}

/** Checks what a model wrote against its tools. */
export function prepareCall(
  given: ToolCall | InvalidToolCall,
  tools: ReadonlyMap<string, KnownTool>,
  step: StepPath,
): PreparedCall | RefusedCall {
  const named = tools.has(given.name) ? given : withoutAlias(given);
  const call = connectorCall(named, tools) ?? named;
  const known = tools.get(call.name);
  if (known === undefined) {
    return refuse({ ...call, step }, 'TOOL_UNKNOWN', unknownTool(call.name, tools));
  }
  if ('problem' in call) {
    const problem = `The arguments of ${call.name} cannot be read: ${call.problem}. Call it again with one JSON object.`;
    return refuse({ ...call, step }, 'TOOL_ARGUMENTS_INVALID', problem);
  }
  const { definition, schema } = known;
  const result = safeParse(definition.input, coerceArguments(call.arguments, schema.parameters));
  if (!result.success) {
    const problem = describeIssues(call.name, result.error);
    return refuse({ ...call, step }, 'TOOL_ARGUMENTS_INVALID', problem);
  }
  const input = result.data as Readonly<Record<string, unknown>>;
  const argumentsText = canonicalJson(input);
  return {
    kind: 'prepared',
    id: call.id,
    tool: definition,
    input,
    argumentsText,
    argumentsSha256: sha256(argumentsText),
    rulePattern: rulePatternOf(argumentsText),
    widerPattern: definition.widerPattern?.(input) ?? null,
    subjects: definition.subjects?.(input) ?? {},
    risk: typeof definition.risk === 'function' ? definition.risk(input) : definition.risk,
    step,
    effect: typeof definition.effect === 'function' ? definition.effect(input) : definition.effect,
  };
}

function rulePatternOf(argumentsText: string): string | null {
  if (argumentsText.length > RULE_PATTERN_CHARS) return null;
  const pattern = exactPattern(argumentsText);
  return pattern.length > RULE_PATTERN_CHARS ? null : pattern;
}

function refuse(
  call: (ToolCall | InvalidToolCall) & { readonly step: StepPath },
  code: RefusedCall['code'],
  problem: string,
): RefusedCall {
  const given = 'arguments' in call ? call.arguments : {};
  const { id, name, step } = call;
  return { kind: 'refused', id, name, given, code, problem, step };
}

function unknownTool(name: string, tools: ReadonlyMap<string, KnownTool>): string {
  const family = toolFacts(name)?.family;
  if (family !== undefined && tools.has('load_tools')) {
    return `${name} is one of the ${family} tools. They are loaded now: call it again, with the arguments that it takes.`;
  }
  const names = [...tools.keys()];
  const near = nearestNames(name, names);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ')}.`;
  return `There is no tool called ${JSON.stringify(name.slice(0, 100))}. ${hint}`;
}

function describeIssues(name: string, error: z.ZodError): string {
  const lines = error.issues
    .slice(0, 5)
    .map(({ path, message }) => `- ${path.length > 0 ? path.join('.') : 'arguments'}: ${message}`);
  return [`The arguments of ${name} do not fit:`, ...lines, 'Fix these and call it again.'].join(
    '\n',
  );
}

/** Up to three of `names` that resemble `wanted`, the closest first. */
function nearestNames(wanted: string, names: readonly string[]): string[] {
  const lower = wanted.slice(0, 100).toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(3, name.length * 0.6))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
