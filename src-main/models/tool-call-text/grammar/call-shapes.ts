import { parseJson } from '../../json-text.ts';
import { isRecord } from '../tool-index.ts';

/** A call as a JSON value states it; `args` is undefined when it states none. */
export interface CallShape {
  readonly name: string;
  readonly args: unknown;
}

const NAME_KEYS = ['name', 'tool_name', 'function_name', 'tool', 'function', 'recipient_name'];
const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'kwargs',
  'tool_input',
];
const WRAPPER_KEYS = ['tool_calls', 'tool_call', 'function_calls', 'function_call', 'tool_uses'];
const OTHER_KEYS = ['id', 'type', 'index', 'call_id', 'tool_call_id'];

/** The keys that a bare object must begin with to be worth waiting for its end. */
export const FIRST_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...WRAPPER_KEYS,
  ...OTHER_KEYS,
]);

/** The calls that a JSON value states, or null when it is something else. */
export function callShapes(value: unknown): CallShape[] | null {
  if (Array.isArray(value)) return allShapes(value);
  if (!isRecord(value)) return null;
  const wrapper = WRAPPER_KEYS.find((key) => typeof value[key] === 'object');
  if (wrapper !== undefined) return callShapes(value[wrapper]);
  if (isRecord(value.function)) return callShapes(value.function);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string');
  if (nameKey === undefined) return null;
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key) && key !== nameKey);
  const args = argumentKey === undefined ? undefined : value[argumentKey];
  if (isDefinition(value, args)) return null;
  return [{ name: String(value[nameKey]), args }];
}

/**
 * Calls that need no mark to be known as such: nothing but a name and an object of arguments (or
 * the JSON text of one), and what goes with them. Anything else in the object makes it data.
 */
export function unmistakableShapes(value: unknown): CallShape[] | null {
  const objects = unwrap(value);
  if (objects.length === 0 || !objects.every(isPlainCall)) return null;
  const shapes = callShapes(objects);
  return shapes?.every(({ args }) => isRecord(args) || isObjectText(args)) ? shapes : null;
}

function unwrap(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(unwrap);
  if (!isRecord(value)) return [value];
  const [only, ...others] = Object.keys(value);
  return only !== undefined && others.length === 0 && WRAPPER_KEYS.includes(only)
    ? unwrap(value[only])
    : [value];
}

function isPlainCall(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const call = isRecord(value.function) ? { ...value, ...value.function } : value;
  return Object.keys(call).every((key) => FIRST_KEYS.has(key) && !WRAPPER_KEYS.includes(key));
}

function isObjectText(args: unknown): boolean {
  // Text that only begins like an object is text.
  return typeof args === 'string' && /^\s*\{/.test(args) && isRecord(parseJson(args));
}

function allShapes(values: readonly unknown[]): CallShape[] | null {
  const shapes = values.map(callShapes);
  return shapes.every((shape) => shape !== null) ? shapes.flat() : null;
}

/** The description of a tool looks much like a call of it. */
function isDefinition(value: Readonly<Record<string, unknown>>, args: unknown): boolean {
  if (typeof value.description === 'string' && !Object.hasOwn(value, 'arguments')) return true;
  return isRecord(args) && args.type === 'object' && isRecord(args.properties);
}
