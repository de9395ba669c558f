import { isDeepStrictEqual } from 'node:util';
import type { InvalidToolCall, ToolCall } from '../../src-main/models/types.ts';

interface CaseTool {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

interface ExpectedCall {
  readonly name?: string;
  /** An object, or the JSON text of one. `{"__raw__": …}` is text that could not be parsed. */
  readonly arguments?: unknown;
  /** Arguments that must be among the others. */
  readonly some?: Readonly<Record<string, unknown>>;
}

/** A line of the corpus. */
export interface Case {
  readonly source: string;
  readonly file: string;
  readonly test: string;
  readonly format: string;
  readonly text: string;
  /** Every name and every argument is stated. */
  readonly strict: boolean;
  /** The text breaks off: the source parser shows the unfinished call. */
  readonly partial?: boolean;
  readonly generation_prompt?: string;
  readonly tools?: readonly (CaseTool & { readonly function?: CaseTool })[];
  readonly expect: { readonly count: number; readonly calls: readonly ExpectedCall[] };
}

export interface Outcome {
  readonly calls: readonly ToolCall[];
  readonly refused: readonly InvalidToolCall[];
}

export interface Verdict {
  readonly entry: Case;
  readonly outcome: Outcome;
  readonly met: boolean;
  /** Met, but an expected call cannot run and is reported as refused instead of made. */
  readonly asRefused: boolean;
  readonly reason: string;
}

/**
 * Expects exactly the expected calls, in order. Source parsers also return calls that cannot run (cut,
 * nameless, unparsable); such a call is met by a refused call with the same name.
 */
export function judge(entry: Case, outcome: Outcome): Verdict {
  const { count, calls: expected } = entry.expect;
  const verdict = (reason: string, asRefused = false): Verdict => ({
    entry,
    outcome,
    met: reason === '',
    asRefused,
    reason,
  });
  const halves = expected.filter((call) => isHalf(call, entry, outcome));
  const whole = expected.filter((call) => !halves.includes(call));
  const wanted = count - halves.length;
  if (outcome.calls.length !== wanted) {
    return verdict(`${wanted} calls expected, ${outcome.calls.length} made`);
  }
  const wrong = whole.findIndex((call, index) => !matches(call, outcome.calls[index]));
  if (wrong >= 0) return verdict(`call ${wrong + 1} differs`);
  const names = outcome.refused.map(({ name }) => name);
  const missing = halves.find(({ name }) => name !== undefined && !names.includes(name));
  if (missing !== undefined) return verdict(`no call of "${missing.name}" was noticed`);
  return verdict('', halves.length > 0);
}

function isHalf(call: ExpectedCall, entry: Case, { calls, refused }: Outcome): boolean {
  if (entry.partial === true || call.name === '') return true;
  const args = call.arguments;
  if (args !== null && typeof args === 'object' && '__raw__' in args) return true;
  // Only the name is stated: the source parser may return it unparsed.
  const stated = args !== undefined || call.some !== undefined || call.name === undefined;
  const named = (some: readonly { readonly name: string }[]) =>
    some.some(({ name }) => name === call.name);
  return !stated && !named(calls) && named(refused);
}

function matches(expected: ExpectedCall, made: ToolCall | undefined): boolean {
  if (made === undefined) return false;
  if (expected.name !== undefined && expected.name !== made.name) return false;
  const { arguments: args, some = {} } = expected;
  if (args !== undefined) {
    const stated = typeof args === 'string' ? JSON.parse(args) : args;
    if (!isDeepStrictEqual(plain(made.arguments), plain(stated))) return false;
  }
  return Object.entries(some).every(([key, value]) =>
    isDeepStrictEqual(plain(made.arguments[key]), plain(value)),
  );
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
