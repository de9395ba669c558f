/**
 * Scripts that answer in place of a model. The demonstration plays them inside the app; the scripted
 * servers of the tests play the same, with additional steps for faults on the wire.
 */

/** The steps that every player supports. Strings may contain `{{name}}`; see `fill`. */
export type ScriptStep =
  | { readonly thinking: string }
  | { readonly text: string }
  | {
      readonly call: {
        readonly name: string;
        readonly arguments: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly delay: number }
  | { readonly finish: 'stop' | 'length' };

/**
 * When a turn matches: every given condition must hold. `user` and `result` are patterns
 * (case-insensitive, `^` and `$` match at lines) whose named groups can be filled in.
 */
export interface ScriptCondition {
  /** Tested against the newest message of the user. */
  readonly user?: string;
  /** Tested against the newest tool result. */
  readonly result?: string;
  /** The tool of the newest result in this turn. */
  readonly tool?: string;
  /** Number of messages of the model since the user's newest message. */
  readonly round?: number;
  /** Number of messages of the user. */
  readonly turn?: number;
  readonly model?: string;
}

export interface ScriptTurn<Step> {
  readonly when?: ScriptCondition;
  /** How often it may be played; once by default. */
  readonly times?: number | 'always';
  readonly steps: readonly Step[];
}

/** The parts of a request that a script can see. */
export interface RequestView {
  readonly model: string;
  readonly user: string;
  readonly result: string;
  readonly tool: string;
  readonly round: number;
  readonly turn: number;
}

/** The fields of a message that scripts use; both protocols and our own messages have them. */
export interface ViewedMessage {
  readonly role: string;
  readonly content: string;
  readonly toolName?: string;
}

export function viewRequest(model: string, messages: readonly ViewedMessage[]): RequestView {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(lastUser + 1);
  const result = since.findLast((message) => message.role === 'tool');
  return {
    model,
    user: messages[lastUser]?.content ?? '',
    result: result?.content ?? '',
    tool: result?.toolName ?? '',
    round: since.filter((message) => message.role === 'assistant').length,
    turn: messages.filter((message) => message.role === 'user').length,
  };
}

/** Plays the first turn of a script that matches and is not used up. */
export class ScriptPlayer<Step> {
  readonly #turns: readonly ScriptTurn<Step>[];
  readonly #played = new Map<ScriptTurn<Step>, number>();

  constructor(turns: readonly ScriptTurn<Step>[]) {
    this.#turns = turns;
  }

  /** The steps that answer this request, filled in; null if no turn matches. */
  next(view: RequestView): readonly Step[] | null {
    for (const turn of this.#turns) {
      const played = this.#played.get(turn) ?? 0;
      if (turn.times !== 'always' && played >= (turn.times ?? 1)) continue;
      const groups = matchCondition(turn.when ?? {}, view);
      if (groups === null) continue;
      this.#played.set(turn, played + 1);
      const values = { user: view.user, result: view.result, ...groups };
      return turn.steps.map((step) => fillDeep(step, values));
    }
    return null;
  }
}

/** The named groups of the patterns if the condition holds, else null. */
function matchCondition(
  condition: ScriptCondition,
  view: RequestView,
): Record<string, string> | null {
  for (const key of ['tool', 'round', 'turn', 'model'] as const) {
    if (condition[key] !== undefined && condition[key] !== view[key]) return null;
  }
  const groups: Record<string, string> = {};
  for (const key of ['user', 'result'] as const) {
    const pattern = condition[key];
    if (pattern === undefined) continue;
    const match = new RegExp(pattern, 'imu').exec(view[key]);
    if (match === null) return null;
    Object.assign(groups, match.groups);
  }
  return groups;
}

/**
 * Replaces `{{name}}` by its value, and `{{name|json}}` by the value as a JSON string, which is also a
 * literal in Python and JavaScript. A name without a value becomes empty.
 */
export function fill(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\{\{(\w+)(\|json)?\}\}/g, (_whole, name: string, json?: string) => {
    const value = values[name] ?? '';
    return json === undefined ? value : JSON.stringify(value);
  });
}

function fillDeep<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return fill(inner, values);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, part]) => [key, walk(part)]));
  };
  // Strings become strings and nothing else changes, so the type stays the same.
  return walk(value) as Value;
}

/** Splits `text` as a model would send it: each word with the space after it. */
export function splitIntoTokens(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
