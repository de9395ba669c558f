import { branchStep, numberedStep, RUN_STEP, type StepPath } from '../../base/step-path.ts';
import type { Connection } from '../connection.ts';
import type { NewEntry } from '../types.ts';

/** What an open run tells about the places of its messages. Those of its steps are taken in their order. */
export interface OpenRun {
  /** How many of its messages a fork began with; 0 for other runs. */
  readonly copied: number;
  /** How many answers are among them. */
  readonly answersBefore: number;
  /** The step of its answer that is no round's: that of a plan or a research; null if it has none. */
  readonly report: StepPath | null;
  /** The final answers of the conversation by their text, and the empty ones under ''. */
  readonly texts: ReadonlyMap<string, readonly StepPath[]>;
  readonly stepOfCall: (callId: string) => StepPath | null;
}

export const SECOND_ATTEMPT = branchStep(RUN_STEP, 'attempt-2');

interface Row {
  readonly position: number;
  readonly thread_id: string;
  readonly run_id: string;
  readonly message: string;
  /** Null if the run is gone. */
  readonly created_at: number | null;
}

const PAGE = 500;

/**
 * Moves the messages of all runs, in their order: of open runs to the steps at which they would be added
 * again, of ended runs one by one. A message whose run is gone goes to the run before it in its task.
 */
export function moveConversations(
  connection: Connection,
  open: ReadonlyMap<string, OpenRun>,
): void {
  const page = connection.sql<Row>(
    `SELECT t.position, t.thread_id, t.run_id, t.message, r.created_at FROM transcript t
     LEFT JOIN runs r ON r.id = t.run_id WHERE t.position > ? ORDER BY t.position LIMIT ${PAGE}`,
  );
  const firstRun = connection.sql<{ id: string; created_at: number }>(
    'SELECT id, created_at FROM runs WHERE thread_id = ? ORDER BY created_at, id LIMIT 1',
  );
  const insert = connection.sql(
    'INSERT INTO run_journal (run_id, step, kind, hash, payload, at) VALUES (?, ?, ?, ?, ?, ?)',
    { exact: true },
  );
  const places = new Map([...open].map(([id, run]) => [id, new Places(run)]));
  /** The run of the last message of a task. */
  const last = new Map<string, { readonly id: string; readonly created_at: number }>();
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.position ?? 0)) {
    for (const { position, thread_id, run_id, message, created_at } of rows) {
      const isGone = created_at === null;
      const run = isGone
        ? (last.get(thread_id) ?? firstRun.get(thread_id))
        : { id: run_id, created_at };
      if (run === undefined) continue;
      last.set(thread_id, run);
      const known = isGone ? undefined : places.get(run_id);
      const old = { step: branchStep(RUN_STEP, 'old', String(position)), kind: 'message' } as const;
      const place = known === undefined ? old : known.of(message, old);
      if (place === null) continue;
      const payload = place.kind === 'round' ? '{}' : message;
      insert.run(run.id, place.step, place.kind, '', payload, run.created_at);
    }
  }
}

type Place = Pick<NewEntry, 'step' | 'kind'>;

interface OldMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly { readonly id: string }[];
  readonly toolCallId?: string;
}

/** How messages of the app itself began in version 9. */
const EMPTY_ANSWER = 'Your answer was empty.';
const REPEATED = 'You have made the same call several times';
const NOT_TRUE = 'Your answer makes claims that are not true:';

/** Places of the messages of one open run, asked for in their order. */
class Places {
  readonly #run: OpenRun;
  /** Of each text, how many steps were given away. */
  readonly #taken = new Map<string, number>();
  #count = 0;
  #lastRound: StepPath | null = null;

  constructor(run: OpenRun) {
    this.#run = run;
  }

  /** `old`: a place that only this message has. Null for results: their rounds have them. */
  of(text: string, old: Place): Place | null {
    const message = readMessage(text);
    const isFirst = this.#count === 0;
    this.#count += 1;
    if (message === null) return old;
    const { role, content } = message;
    const isCopied = this.#count <= this.#run.copied;
    if (role === 'assistant' && !isCopied) return this.#ofAnswer(message) ?? old;
    if (role === 'tool' && !isCopied) {
      return this.#run.stepOfCall(message.toolCallId ?? '') === null ? old : null;
    }
    if (role !== 'user') return old;
    const isOfApp = [EMPTY_ANSWER, REPEATED, NOT_TRUE].some((start) => content.startsWith(start));
    if (isFirst && !isOfApp) return { step: RUN_STEP, kind: 'turn' };
    const step = isCopied ? null : this.#ofUser(content);
    return step === null ? old : { step, kind: 'message' };
  }

  #ofAnswer({ content, toolCalls = [] }: OldMessage): Place | null {
    const [call] = toolCalls;
    if (call === undefined) {
      const text = this.#next(content);
      const { report } = this.#run;
      if (text !== null) this.#lastRound = text;
      else if (report === null) return null;
      else return { step: report, kind: 'message' };
    } else {
      const step = this.#run.stepOfCall(call.id);
      if (step === null) return null;
      this.#lastRound = step.replace(/\/?call-\d+$/, '') as StepPath;
    }
    return { step: this.#lastRound, kind: 'round' };
  }

  #ofUser(content: string): StepPath | null {
    if (content.startsWith(EMPTY_ANSWER)) return this.#next('');
    if (content.startsWith(REPEATED)) return this.#lastRound;
    if (!content.startsWith(NOT_TRUE)) return null;
    const { answersBefore } = this.#run;
    return answersBefore === 0 ? SECOND_ATTEMPT : numberedStep(SECOND_ATTEMPT, answersBefore);
  }

  #next(text: string): StepPath | null {
    const taken = this.#taken.get(text) ?? 0;
    this.#taken.set(text, taken + 1);
    return this.#run.texts.get(text)?.[taken] ?? null;
  }
}

/** Null for a damaged one, which is kept as it is. */
export function readMessage(text: string): OldMessage | null {
  try {
    const { role, content, toolCalls, toolCallId } = JSON.parse(text) as OldMessage;
    if (typeof role !== 'string' || typeof content !== 'string') return null;
    return {
      ...{ role, content },
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
  } catch {
    // Not JSON.
    return null;
  }
}
