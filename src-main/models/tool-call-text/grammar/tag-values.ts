import type { JsonSchema } from '../../types.ts';
import type { Reader, Tape } from '../tape.ts';
import { isRecord, refused } from '../tool-index.ts';
import type { Item, Site } from '../types.ts';
import { jsonOrLiteral, propertySchema, typedValue } from './typed-value.ts';

const WRAPPERS = ['arguments', 'parameters', 'args', 'params', 'input', 'kwargs', 'properties'];

/** An argument as it stands between tags. */
export interface TaggedArgument {
  readonly key: string;
  readonly text: string;
  /** The model said that it is a string (true) or JSON (false). */
  readonly isString?: boolean | undefined;
}

/**
 * The text of a value up to `close`. A closing tag that was forgotten is noticed where one of
 * `instead` begins a line; `closed` is false when the answer ended first.
 */
export function* readValue(
  tape: Tape,
  close: string,
  instead: readonly string[],
): Reader<{ text: string; closed: boolean }> {
  const start = tape.position;
  const lineStarts = instead.map((mark) => `\n${mark}`);
  const stop = yield* tape.until([close, ...lineStarts]);
  const text = tape.slice(start);
  if (stop === null) return { text, closed: false };
  if (stop === close) {
    tape.position += close.length;
    return { text: withoutFrame(text), closed: true };
  }
  return { text: withoutFrame(`${text}\n`), closed: true };
}

/** Values set on lines of their own carry one line break before and one after that are not theirs. */
export function withoutFrame(text: string): string {
  const framed = /^\r?\n/.exec(text);
  return framed === null ? text : text.slice(framed[0].length).replace(/\r?\n$/, '');
}

/** The call that tagged arguments make, each typed by the tool's schema. */
export function taggedCall(site: Site, name: string, given: readonly TaggedArgument[]): Item {
  const { tools } = site;
  const resolved = tools.resolve(name);
  const schema = resolved === null ? undefined : tools.schema(resolved);
  const entries = given.map(({ key, text, isString }): [string, unknown] => [
    key,
    argumentValue(text, isString, propertyOf(schema, key), schema),
  ]);
  const args = Object.fromEntries(entries);
  if (Object.keys(args).length < given.length) {
    const raw = JSON.stringify(entries);
    return refused(name, raw, `The call of "${name}" gives an argument twice; give each once.`);
  }
  return tools.call(name, unwrapped(args, schema));
}

/** Whether a call whose own closing tag never came may count as whole at the end of the answer. */
export function mayEndOpen({ tape, tools }: Site, name: string, given: readonly TaggedArgument[]) {
  if (tape.cut) return false;
  if (!tools.known) return true;
  const required = tools.schema(tools.resolve(name) ?? '')?.required;
  return (
    Array.isArray(required) &&
    required.every((key) => given.some((argument) => argument.key === key))
  );
}

function argumentValue(
  text: string,
  isString: boolean | undefined,
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
): unknown {
  return isString === true && schema === undefined ? text : typedValue(text, schema, root);
}

function propertyOf(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  return schema === undefined ? undefined : propertySchema(schema, key, schema);
}

/** Some models put all their arguments, as JSON, into one that is called "arguments". */
function unwrapped(
  args: Readonly<Record<string, unknown>>,
  schema: JsonSchema | undefined,
): Readonly<Record<string, unknown>> {
  const [key, ...others] = Object.keys(args);
  if (key === undefined || others.length > 0 || !WRAPPERS.includes(key)) return args;
  if (propertyOf(schema, key) !== undefined) return args;
  const value = args[key];
  const inner = typeof value === 'string' ? jsonOrLiteral(value.trim()) : value;
  return isRecord(inner) ? inner : args;
}
