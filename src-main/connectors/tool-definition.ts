import { z } from 'zod';
import type { ConnectorTool, ToolDescription } from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import { roughTokens } from '#contract/rough-tokens.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { hasHidden } from '#contract/visible-text.ts';
import { canonicalJson, sha256 } from '../base/canonical-json.ts';
import { scanResult } from '../guardrails/injection-scan.ts';
import type { JsonSchema, ToolSchema } from '../models/types.ts';
import type { StoredTool } from '../storage/connector-store.ts';
import { boundedSchema, schemaForModel } from './bounded-schema.ts';
import { hasValidHeaders } from './header-annotations.ts';

/** What a server says about a tool, as it is hashed and approved: all that can change what a model makes of it. */
export interface ToolDefinitionText {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  /** How it is to be called, such as as a task. */
  readonly execution?: unknown;
  /** Why it cannot be used, found by the app. */
  readonly problem?: string | undefined;
}

/** Models know tools by names of these characters. */
const NAME = /^[A-Za-z0-9_.-]{1,60}$/;
const MOST_NAME_CHARS = 64;
const MOST_DEFINITION_CHARS = 64_000;
const TOO_LONG = `Its description and schema are longer than ${MOST_DEFINITION_CHARS} characters.`;
/** Of a description, what a model reads. */
const DESCRIPTION_CHARS = 1_024;

/** The text by which two definitions of a tool are the same. */
export function definitionText(tool: ToolDefinitionText): string {
  const { name, title, description, inputSchema, outputSchema } = tool;
  const { annotations, execution, problem } = tool;
  return canonicalJson({
    ...{ name, title, description, inputSchema, outputSchema, annotations, execution, problem },
  });
}

/** A tool as a server lists it: what has no name is left out, other faults make it unusable. */
const ListedTool = z.object({
  name: z.string(),
  title: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
  execution: z.unknown().optional(),
});

/**
 * The tools in a list of a server. Of two with one name none can be used: a call could reach either. Nor can two whose
 * names are one for models: what is allowed for one would hold for the other.
 */
export function definitionsIn(listed: readonly unknown[]): ToolDefinitionText[] {
  const found = new Map<string, ToolDefinitionText>();
  const counts = new Map<string, number>();
  for (const one of listed) {
    const parsed = safeParse(ListedTool, one);
    if (!parsed.success) continue;
    const { title, description, ...rest } = parsed.data;
    const known = modelName(rest.name);
    counts.set(known, (counts.get(known) ?? 0) + 1);
    const words = { title: title ?? undefined, description: description ?? undefined };
    const definition = defined({ ...rest, ...words }) as ToolDefinitionText;
    // What is too long is not even kept.
    const isTooLong = JSON.stringify(definition).length > MOST_DEFINITION_CHARS;
    const stub = { name: rest.name.slice(0, 200), inputSchema: null, problem: TOO_LONG };
    found.set(rest.name, isTooLong ? stub : definition);
  }
  return [...found.values()].map((definition) =>
    (counts.get(modelName(definition.name)) ?? 0) > 1
      ? { ...definition, problem: 'Its server has two tools of this name.' }
      : definition,
  );
}

export function parseDefinition(text: string): ToolDefinitionText {
  return JSON.parse(text) as ToolDefinitionText;
}

/** Model servers take no dots in names. */
function modelName(tool: string): string {
  return tool.replaceAll('.', '_');
}

/** The name by which models and rules know a tool of a connector. */
export function fullNameOf(connector: string, tool: string): string {
  return `${connector}__${modelName(tool)}`;
}

/** Why a tool cannot be offered to a model; null where it can. */
export function whyUnusable(connector: string, text: string): string | null {
  const { name, inputSchema, problem } = parseDefinition(text);
  if (problem !== undefined) return problem;
  if (!NAME.test(name) || name.includes('__')) {
    return 'Its name has other characters than letters, digits, "_" (not twice), "-" and ".".';
  }
  if (fullNameOf(connector, name).length > MOST_NAME_CHARS) {
    return `With the name of its connector, its name is longer than ${MOST_NAME_CHARS} characters.`;
  }
  if (text.length > MOST_DEFINITION_CHARS) return TOO_LONG;
  if (boundedSchema(inputSchema) === null) return 'Its schema does not describe an object.';
  if (!hasValidHeaders(inputSchema)) {
    return 'It wants arguments sent as headers in a way that the protocol does not allow.';
  }
  if (namesIn(inputSchema).some(hasHidden)) {
    return 'The names of its arguments contain characters that cannot be seen.';
  }
  return null;
}

/** What models are sent for a tool. Its words are those of its server: the description says whose. */
export function toolSchemaOf(
  connector: string,
  { name, description = '', title = '', inputSchema }: ToolDefinitionText,
): ToolSchema {
  const words = (description.trim() === '' ? title : description).trim();
  const isCut = words.length > DESCRIPTION_CHARS;
  const cut = `${withoutHidden(words.slice(0, DESCRIPTION_CHARS))}${isCut ? '…' : ''}`;
  return {
    name: fullNameOf(connector, name),
    description: `[${connector}] ${cut}`.trim(),
    parameters: withoutHiddenIn(schemaForModel(boundedSchema(inputSchema) ?? {})) as JsonSchema,
  };
}

/** The tokens that a tool costs in each request. */
export function tokensOf(schema: ToolSchema): number {
  return Math.ceil(roughTokens(JSON.stringify(schema)));
}

/** What a reviewer should look at in a definition. */
export function warningsIn(text: string): string[] {
  const definition = parseDefinition(text);
  const words = textsIn(definition);
  const found = new Set<string>();
  if (words.some(hasHidden)) found.add('It contains characters that cannot be seen.');
  for (const piece of words) {
    for (const { message } of scanResult(piece)) found.add(message);
    if (ORDERS.test(piece)) found.add('It tells the model what to do besides calling it.');
  }
  return [...found];
}

/** Instructions to a model that no description of one tool needs. */
const ORDERS =
  /\b(?:before (?:using|calling|you use|any other)|always (?:call|use|send|include)|never (?:tell|mention|ask|show|reveal)|do not (?:tell|mention|inform|ask)|don't (?:tell|mention)|without (?:telling|asking|informing)|must (?:first|also|always)|instead of (?:the )?\w+ tool|other tools?|system prompt|previous instructions|id_rsa|api[_ ]?keys?|passwords?)\b|\bimportant\s*[:<!]|<\/?(?:important|system|instructions?|assistant|user)\b|(?:~|\$HOME|\/home\/\w+|\/root)\/\.\w|\.(?:ssh|aws|gnupg|kube)\b|(?:^|[\s/"'`])\.env\b/i;

/** The stored tool as windows show it. */
export function shownTool(connector: string, stored: StoredTool): ConnectorTool {
  const { name, now, approved, isGone, isEnabled, isRepeatable } = stored;
  const definition = parseDefinition(now);
  const problem = whyUnusable(connector, now);
  const state = stateOf(stored, problem);
  return {
    ...{ name, state, problem, isEnabled, isRepeatable },
    fullName: problem === null ? fullNameOf(connector, name) : '',
    now: describe(definition),
    approved: approved === null || approved === now ? null : describe(parseDefinition(approved)),
    sha256: sha256(now),
    warnings: isGone ? [] : warningsIn(now),
    tokens: problem === null ? tokensOf(toolSchemaOf(connector, definition)) : 0,
  };
}

export function stateOf(
  { now, approved, isGone }: Pick<StoredTool, 'now' | 'approved' | 'isGone'>,
  problem: string | null,
): ConnectorTool['state'] {
  if (isGone) return 'gone';
  if (problem !== null) return 'unusable';
  if (approved === null) return 'new';
  return approved === now ? 'approved' : 'changed';
}

function describe(definition: ToolDefinitionText): ToolDescription {
  const { title = '', description = '', inputSchema, annotations } = definition;
  const { outputSchema, execution } = definition;
  const more = defined({ outputSchema, execution });
  return {
    ...{ title, description },
    inputSchema: JSON.stringify(inputSchema ?? null, null, 2),
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
    annotations: annotations === undefined ? '' : JSON.stringify(annotations, null, 2),
  };
}

/** What a reader of the description does not see, a model does not read either. */
function withoutHidden(text: string): string {
  if (!hasHidden(text)) return text;
  return text.replace(SPACES, ' ').replace(INVISIBLE, '');
}

/** Spaces of other widths, and breaks of lines and paragraphs. */
const SPACES = /(?![ ])[\p{Zs}\p{Zl}\p{Zp}]/gu;
const INVISIBLE = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

function withoutHiddenIn(value: unknown): unknown {
  if (typeof value === 'string') return withoutHidden(value);
  if (Array.isArray(value)) return value.map(withoutHiddenIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutHiddenIn(one)]),
  );
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...namesIn(one)]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)]);
}
