import { parseJson } from '../json-text.ts';
import type { JsonSchema, ToolSchema } from '../types.ts';
import type { Item } from './types.ts';

const LONGEST_NAME = 128;
/** Most calls that are read from one answer: twice what the app accepts (`MAX_CALLS` of `answer-limits.ts`). */
export const MOST_CALLS_READ = 1_000;

/** The tools on offer, as a reader of calls needs them: by name, and by parameter. */
export class ToolIndex {
  readonly #tools: ReadonlyMap<string, ToolSchema> | null;
  readonly #names: readonly string[];

  constructor(tools: readonly ToolSchema[] | undefined) {
    this.#tools = tools === undefined ? null : new Map(tools.map((tool) => [tool.name, tool]));
    this.#names = [...(this.#tools?.keys() ?? [])];
  }

  /** False when nobody said which tools there are. */
  get known(): boolean {
    return this.#tools !== null;
  }

  /** Whether some tool's name begins with `prefix`; true when the tools are not known. */
  hasPrefix(prefix: string): boolean {
    return this.#tools === null || this.#names.some((name) => name.startsWith(prefix));
  }

  /** The offered tool that the model means by `written`, or null. */
  resolve(written: string): string | null {
    const name = written.trim();
    if (name === '' || name.length > LONGEST_NAME || name.includes('\n')) return null;
    if (this.#tools === null) return name.replace(/^functions\.(?=.)/, '');
    return spellings(name).find((spelling) => this.#tools?.has(spelling)) ?? null;
  }

  /** The schema of the tool's arguments; undefined when the tool is not known. */
  schema(name: string): JsonSchema | undefined {
    return this.#tools?.get(name)?.parameters;
  }

  /** The only tool whose parameters are a superset of `args`, for calls that name none. */
  byArguments(args: Readonly<Record<string, unknown>>): string | null {
    const keys = Object.keys(args);
    const fitting = [...(this.#tools?.values() ?? [])].filter((tool) => {
      const properties = tool.parameters.properties ?? {};
      return keys.every((key) => Object.hasOwn(properties, key));
    });
    return fitting.length === 1 ? (fitting[0]?.name ?? null) : null;
  }

  /** A call of `written` with `args`, refused when the tool is not offered or `args` is no object. */
  call(written: string, args: unknown): Item {
    const raw = () => JSON.stringify(args) ?? '';
    if (written.trim() === '') return refused('', raw(), 'The call names no tool.');
    const name = this.resolve(written);
    if (name === null) {
      return refused(written.trim(), raw(), `There is no tool named "${written.trim()}".`);
    }
    const object = typeof args === 'string' ? parseJson(args.trim() === '' ? '{}' : args) : args;
    if (!isRecord(object)) {
      return refused(name, raw(), `The arguments of "${name}" must be a JSON object.`);
    }
    return { ok: true, name, args: object };
  }

  /** A call that ended, or broke off, before its arguments were whole. */
  incomplete(written: string, raw: string): Item {
    const name = this.resolve(written) ?? written.trim();
    const problem = `The call of "${name}" is incomplete or malformed, so it was not run. Write it again in full.`;
    return { ok: false, name, raw, problem, isBroken: true };
  }
}

export function refused(name: string, raw: string, problem: string): Item {
  return { ok: false, name, raw, problem };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Models prefix `functions.`, and address a tool through its own namespace (`read.read`). */
function spellings(name: string): string[] {
  const bare = name.replace(/^functions\./, '');
  const dot = bare.indexOf('.');
  const [head, tail] = [bare.slice(0, dot), bare.slice(dot + 1)];
  const ownNamespace = dot > 0 && (tail === head || tail.startsWith(`${head}.`));
  return ownNamespace ? [name, bare, tail] : [name, bare];
}
