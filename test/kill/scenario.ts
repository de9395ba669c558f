import type { RunEvent, RunEventType } from '#contract/events/run-event.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import type { openData } from '../fakes/open-data.ts';

/** A run that is killed at any boundary, and must reach the same end. */
export interface KillScenario {
  readonly prompt: string;
  /** Null: the answer of the undisturbed run. */
  readonly answer: string | null;
  /** Lines that its programs write to `effects.log`, in order. */
  readonly marks: readonly string[];
  /** For a mark, the mark whose outcome it depends on; it may be missing if the run says that this is unknown. */
  readonly needs?: Readonly<
    Record<string, { readonly mark: string; isSaid(events: readonly RunEvent[]): boolean }>
  >;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Creates what exists before the run, in the data of every life or in `dir` beside it. */
  readonly prepare?: (stores: ReturnType<typeof openData>, dir: string) => void;
  /** Options of the run, besides its model and sandbox. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Attached files as base64, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Types of events that must be the same, in order; all if not given. */
  readonly compared?: readonly RunEventType[];
  /** Texts of this process in what a life stores, and what stands for them in a fixture. */
  readonly places?: Readonly<Record<string, string>>;
  serve(): Promise<KillServers>;
}

export interface KillServers extends AsyncDisposable {
  /** The model server. What it answers depends on the conversation alone. */
  readonly url: string;
  /** Variables of each life, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the marks are, if they are not in `effects.log`: lives run one after the other, and `forget` is between them. */
  readonly effectsUrl?: string;
  readonly forget?: () => void;
}

/** The mark that a call leaves: what it writes, or the only one that there is. */
export function markOf(
  argumentsText: string | undefined,
  marks: readonly string[],
): string | undefined {
  return /echo (\w+)/.exec(argumentsText ?? '')?.[1] ?? (marks.length === 1 ? marks[0] : undefined);
}

/**
 * A run of 31 calls: parallel reads, files written, moved and deleted, programs that write a line each, two
 * commands that the user approves, one question. The server's answers depend on the conversation alone, so
 * that a repeated request gets the same answer.
 */

type Call = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

const file = (operation: string, path: string, more: object = {}): Call => ({
  name: 'sandbox_file',
  arguments: { operation, path, ...more },
});
/** Appends one line each time it runs, so that running twice or never shows. */
const leave = (mark: string): Call => ({
  name: 'execute_code',
  arguments: { language: 'bash', code: `echo ${mark} >> effects.log` },
});
const command = (mark: string): Call => ({
  name: 'shell_command',
  arguments: { command: `echo ${mark} >> effects.log && wc -l < effects.log` },
});

const ROUNDS: readonly (readonly Call[])[] = [
  [leave('e1'), file('write', 'a.txt', { content: 'one\n' })],
  [file('read', 'a.txt'), file('list', '.'), file('read', 'effects.log')],
  [file('write', 'b.txt', { content: 'two\n' }), leave('e2'), file('read', 'b.txt')],
  [command('s1')],
  [leave('e3'), leave('e4'), leave('e5')],
  [file('move', 'b.txt', { destination: 'c.txt' }), file('read', 'c.txt')],
  [{ name: 'ask_user', arguments: { question: 'Go on?' } }],
  [file('write', 'd/e.txt', { content: 'deep\n' }), leave('e6'), file('list', 'd')],
  [command('s2'), file('read', 'effects.log')],
  [leave('e7'), file('write', 'a.txt', { content: 'one\nmore\n' }), file('read', 'a.txt')],
  [file('list', '.'), file('read', 'c.txt'), file('read', 'a.txt'), file('read', 'd/e.txt')],
  [leave('e8'), file('write', 'f.txt', { content: 'last\n' }), file('read', 'f.txt')],
];
const ANSWER = 'All of it is done, in twelve rounds.';
const MARKS = ['e1', 'e2', 's1', 'e3', 'e4', 'e5', 'e6', 's2', 'e7', 'e8'];

export const TURNS = [
  ...ROUNDS.map((calls, round) => ({
    when: { round },
    times: 'always' as const,
    steps: [
      { text: `Round ${round}. ` },
      ...calls.map(
        (call): WireStepInput => ({ call: { ...call, arguments: { ...call.arguments } } }),
      ),
    ],
  })),
  { when: { round: ROUNDS.length }, times: 'always' as const, steps: [{ text: ANSWER }] },
];

/** The plain agent. */
export const CALLS_SCENARIO: KillScenario = {
  prompt: 'Do all of it',
  answer: ANSWER,
  marks: MARKS,
  serve: () =>
    startModelServer({
      models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
      turns: TURNS,
    }),
};
