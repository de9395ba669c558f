import { sha256 } from '../../base/canonical-json.ts';
import {
  branchStep,
  callStep,
  numberedStep,
  RUN_STEP,
  type StepPath,
} from '../../base/step-path.ts';
import type { Connection } from '../connection.ts';
import type { NewEntry } from '../types.ts';

/**
 * Moves what versions before 10 stored of their runs into the journal. Of runs that have ended: their
 * conversation, plan and sources. Of runs that go on: also answers, effects and progress of skills, so that
 * they are resumed where they were. LangGraph's own checkpoints are left behind: the journal tells what is
 * done.
 */
export function moveToJournal(connection: Connection): void {
  const insert = connection.sql(
    'INSERT INTO run_journal (run_id, step, kind, hash, payload, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const runs = connection.sql<RunRow>('SELECT id, options, created_at, ended_at FROM runs').all();
  const open = new Map<string, OpenRun>();
  for (const row of runs) {
    const run = new OldRun(connection, row);
    const append = ({ step, kind, hash = '', payload }: NewEntry): void => {
      insert.run(row.id, step, kind, hash, JSON.stringify(payload), row.created_at);
    };
    for (const entry of run.states()) append(entry);
    if (row.ended_at !== null) continue;
    for (const entry of run.progress()) append(entry);
    open.set(row.id, run.conversation());
    run.renameQuestions();
  }
  moveConversations(connection, open);
  moveSkillSessions(connection, runs);
}

interface RunRow {
  readonly id: string;
  readonly options: string;
  readonly created_at: number;
  readonly ended_at: number | null;
}

interface OldAnswer {
  readonly content: string;
  readonly toolCalls: readonly { readonly id: string }[];
  readonly invalidToolCalls: readonly { readonly id: string }[];
}

/** A round as LangGraph kept it. */
interface OldRound {
  readonly number: number;
  readonly answer: OldAnswer;
  readonly results: readonly { status: string; content: string; data?: unknown }[];
}

interface OldPlan {
  readonly lanes: Readonly<Record<string, number>>;
}

interface OldResearch {
  readonly sources: readonly { readonly index: number }[];
  readonly rounds: readonly { readonly searchRound: number; readonly pageRound: number | null }[];
  readonly report: { readonly messageRound: number } | null;
}

interface OldHandoff {
  readonly toolCallId: string;
  readonly lane: number;
}

/** Where the calls and final answers of a run are, to find them again in its conversation. */
interface OpenRun {
  readonly stepOfCall: (callId: string) => StepPath | null;
  readonly stepOfText: (content: string) => StepPath | null;
}

/** Numbers of versions before 10: a lane had ten thousand rounds, a call a billion of nested calls. */
const ROUNDS_PER_LANE = 10_000;
const FIRST_HANDOFF_LANE = 900;
const FIRST_SKILL_LANE = 10_000;
const PIECES = 10_000;
const NESTED_CALLS = PIECES ** 3;

/** What one run had stored, by its old numbers. */
class OldRun {
  readonly #connection: Connection;
  readonly #row: RunRow;
  readonly #states: ReadonlyMap<string, unknown>;
  readonly #steps = new Map<string, StepPath>();
  readonly #answers = new Map<StepPath, OldAnswer>();

  constructor(connection: Connection, row: RunRow) {
    this.#connection = connection;
    this.#row = row;
    const states = connection
      .sql<{ part: string; state: string }>('SELECT part, state FROM run_states WHERE run_id = ?')
      .all(row.id);
    this.#states = new Map(states.map(({ part, state }) => [part, JSON.parse(state) as unknown]));
    if (row.ended_at !== null) return;
    for (const [step, answer] of this.#storedAnswers()) this.#addAnswer(step, answer);
    for (const { number, lane, answer } of this.#rounds()) {
      this.#addAnswer(numberedStep(this.#branch(lane), number), answer);
    }
  }

  /** Plan, research, hand-overs and opinions, which are looked at after the run as well. */
  *states(): Generator<NewEntry> {
    for (const [part, state] of this.#states) {
      const page = /^research (\d+) page (.*)$/s.exec(part);
      const research = /^research (\d+)$/.exec(part)?.[1];
      if (part === 'plan') {
        yield { step: RUN_STEP, kind: 'plan', payload: withoutLanes(state as OldPlan) };
      } else if (part === 'second-opinions') {
        yield { step: RUN_STEP, kind: 'opinions', payload: state };
      } else if (page !== null) {
        const [, lane, key = ''] = page;
        const step = this.#branch(Number(lane));
        yield { step, kind: 'page', hash: sha256(key), payload: { key, page: state } };
      } else if (research !== undefined) {
        yield* this.#research(Number(research), state as OldResearch);
      }
    }
    for (const { toolCallId, lane, ...rest } of (this.#states.get('handoffs') ??
      []) as OldHandoff[]) {
      const payload = { toolCallId, ...rest };
      yield { step: this.#branch(lane), kind: 'branch', hash: toolCallId, payload };
    }
  }

  /** Answers, effects, results, and the work of skills. */
  *progress(): Generator<NewEntry> {
    for (const [step, payload] of this.#answers) yield { step, kind: 'answer', payload };
    for (const { number, lane, results } of this.#rounds()) {
      for (const [index, { status, content, data }] of results.entries()) {
        const step = callStep(numberedStep(this.#branch(lane), number), index);
        const payload = { status, content, ...(data === undefined ? {} : { data }) };
        yield { step, kind: 'result', payload };
      }
    }
    yield* this.#effects();
    yield* this.#skillWork();
  }

  conversation(): OpenRun {
    const texts = new Map<string, StepPath>();
    for (const [step, { content, toolCalls, invalidToolCalls }] of this.#answers) {
      if (toolCalls.length + invalidToolCalls.length === 0) texts.set(content, step);
    }
    return {
      stepOfCall: (id) => this.#steps.get(id) ?? null,
      stepOfText: (content) => texts.get(content) ?? null,
    };
  }

  /** Open questions are found by their subject, which names a lane or a nested call. */
  renameQuestions(): void {
    const rows = this.#connection
      .sql<{ id: string; subject: string }>('SELECT id, subject FROM interrupts WHERE run_id = ?')
      .all(this.#row.id);
    const rename = this.#connection.sql('UPDATE interrupts SET subject = ? WHERE id = ?');
    for (const { id, subject } of rows) {
      const named = subject
        .replace(
          /^research (\d+) pages$/,
          (_, lane) => `research ${this.#branch(Number(lane)) || 'run'} pages`,
        )
        .replace(/\b([0-9a-z]{9})\.(\d{5,})\b/g, (_, call, place) =>
          [call, ...piecesOf(Number(place))].join('.'),
        );
      if (named !== subject) rename.run(named, id);
    }
  }

  #addAnswer(step: StepPath, answer: OldAnswer): void {
    this.#answers.set(step, answer);
    for (const [index, { id }] of [...answer.toolCalls, ...answer.invalidToolCalls].entries()) {
      this.#steps.set(id, callStep(step, index));
    }
  }

  *#storedAnswers(): Generator<[StepPath, OldAnswer]> {
    const rows = this.#connection
      .sql<{ round: number; answer: string }>(
        'SELECT round, answer FROM round_answers WHERE run_id = ? ORDER BY round',
      )
      .all(this.#row.id);
    for (const { round, answer } of rows) yield [this.answerStep(round), JSON.parse(answer)];
  }

  *#rounds(): Generator<OldRound & { readonly lane: number }> {
    const { id } = this.#row;
    const rows = this.#connection
      .sql<{ thread_id: string; value: Uint8Array }>(
        `SELECT thread_id, value FROM checkpoint_writes
         WHERE channel = '__return__' AND type = 'json'
           AND (thread_id = ? OR (thread_id > ? || '/' AND thread_id < ? || '0'))`,
      )
      .all(id, id, id);
    for (const { thread_id, value } of rows) {
      const round = JSON.parse(Buffer.from(value).toString('utf8')) as OldRound;
      // The end of a graph is stored like a round.
      if (round?.answer?.toolCalls === undefined) continue;
      const lane = Number(thread_id.slice(id.length + 1) || '0');
      yield { ...round, lane };
    }
  }

  *#effects(): Generator<NewEntry> {
    const rows = this.#connection
      .sql<{
        round: number;
        call_index: number;
        arguments_sha256: string;
        tool_name: string;
        effect: string;
        attempts: number;
        before: string | null;
        output: string | null;
      }>('SELECT * FROM tool_ledger WHERE run_id = ? ORDER BY intended_at')
      .all(this.#row.id);
    for (const row of rows) {
      const step = this.#effectStep(row.round, row.call_index);
      const hash = row.arguments_sha256;
      const before: unknown = row.before === null ? null : JSON.parse(row.before);
      const payload = { toolName: row.tool_name, effect: row.effect, before };
      for (let i = 0; i < row.attempts; i++) yield { step, kind: 'intent', hash, payload };
      if (row.output === null) continue;
      const output = JSON.parse(row.output) as Readonly<Record<string, unknown>>;
      yield { step, kind: 'again' in output ? 'result' : 'output', hash, payload: output };
    }
  }

  *#skillWork(): Generator<NewEntry> {
    for (const { execution_id, key, number, result } of this.#pieces()) {
      const step = this.#executionStep(execution_id);
      if (step === null) continue;
      const value = result === null ? {} : (JSON.parse(result) as { readonly value: unknown });
      yield { step, kind: 'work', hash: key, payload: { number, ...value } };
    }
  }

  #pieces(): readonly {
    readonly execution_id: string;
    readonly key: string;
    readonly number: number;
    readonly result: string | null;
  }[] {
    return this.#connection
      .sql<{ execution_id: string; key: string; number: number; result: string | null }>(
        `SELECT j.execution_id, j.key, j.number, j.result FROM skill_journal j
         JOIN skill_executions e ON e.id = j.execution_id WHERE e.run_id = ?`,
      )
      .all(this.#row.id);
  }

  *#research(lane: number, state: OldResearch): Generator<NewEntry> {
    const step = this.#branch(lane);
    const own = (number: number): number => number - lane * ROUNDS_PER_LANE;
    const rounds = state.rounds.map((round) => ({
      ...round,
      searchRound: own(round.searchRound),
      pageRound: round.pageRound === null ? null : own(round.pageRound),
    }));
    const report =
      state.report === null
        ? null
        : { ...state.report, messageRound: own(state.report.messageRound) };
    yield { step, kind: 'research', payload: { ...state, rounds, report } };
    const [first] = state.sources;
    if (first !== undefined) yield { step, kind: 'sources', payload: { first: first.index } };
  }

  answerStep(round: number): StepPath {
    const lane = Math.floor(round / ROUNDS_PER_LANE);
    return numberedStep(this.#branch(lane), round % ROUNDS_PER_LANE);
  }

  #effectStep(round: number, index: number): StepPath {
    const answer = this.answerStep(round);
    if (index < NESTED_CALLS) return callStep(answer, index);
    const call = callStep(answer, Math.floor(index / NESTED_CALLS) - 1);
    return piecesOf(index % NESTED_CALLS).reduce(numberedStep, call);
  }

  #branch(lane: number): StepPath {
    if (lane === 0) return RUN_STEP;
    if (lane === 1) return branchStep(RUN_STEP, 'attempt-2');
    if (lane >= FIRST_SKILL_LANE) return this.#skillBranch(lane);
    if (lane >= FIRST_HANDOFF_LANE) {
      return branchStep(RUN_STEP, 'handoff', String(lane - FIRST_HANDOFF_LANE + 1));
    }
    const plan = this.#states.get('plan') as OldPlan | undefined;
    const id = Object.entries(plan?.lanes ?? {}).find(([, number]) => number === lane)?.[0];
    if (id === 'final') return branchStep(RUN_STEP, 'final');
    return branchStep(RUN_STEP, 'step', id ?? String(lane));
  }

  #skillBranch(lane: number): StepPath {
    const keys = (this.#states.get('skill_lanes') ?? []) as readonly string[];
    const key = keys[lane - FIRST_SKILL_LANE] ?? '';
    const [executionId = '', piece = ''] = key.split('#');
    const execution = this.#executionStep(executionId);
    if (execution === null) return branchStep(RUN_STEP, 'skill', String(lane));
    if (piece === 'sources') return branchStep(execution, 'sources');
    const isResearch = this.#pieces().some(
      (one) =>
        one.execution_id === executionId &&
        one.number === Number(piece) &&
        one.key.startsWith('research '),
    );
    const step = numberedStep(execution, Number(piece));
    return branchStep(step, isResearch ? 'research' : 'loop');
  }

  /** Ids of executions are "RUN~CALL", with ".N" for each piece of work of a parent. */
  #executionStep(executionId: string): StepPath | null {
    const [call = '', ...pieces] = executionId.slice(executionId.lastIndexOf('~') + 1).split('.');
    const [id = '', ...nested] = decodeURIComponent(call).split('.');
    const step = this.#steps.get(id);
    if (step === undefined) return null;
    const numbers = [...nested.flatMap((place) => piecesOf(Number(place))), ...pieces.map(Number)];
    return numbers.reduce(numberedStep, step);
  }
}

/** The numbers of nested pieces of work, which were the digits of one number. */
function piecesOf(place: number): number[] {
  const outer = Math.floor(place / PIECES);
  return [...(outer === 0 ? [] : piecesOf(outer)), place % PIECES];
}

function withoutLanes({ lanes, ...plan }: OldPlan): unknown {
  return { ...plan, begun: Object.keys(lanes).filter((id) => id !== 'final') };
}

interface OldMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly { readonly id: string }[];
  readonly toolCallId?: string;
}

/** Messages of all runs, in their order; of open runs by the steps at which they would be added again. */
function moveConversations(connection: Connection, open: ReadonlyMap<string, OpenRun>): void {
  const positions = connection
    .sql<{ position: number; run_id: string; created_at: number }>(
      `SELECT t.position, t.run_id, r.created_at FROM transcript t
       JOIN runs r ON r.id = t.run_id ORDER BY t.position`,
    )
    .all();
  const messageAt = connection.sql<{ message: string }>(
    'SELECT message FROM transcript WHERE position = ?',
  );
  const insert = connection.sql(
    'INSERT INTO run_journal (run_id, step, kind, hash, payload, at) VALUES (?, ?, ?, ?, ?, ?)',
    { exact: true },
  );
  const last = new Map<string, StepPath>();
  for (const { position, run_id, created_at } of positions) {
    const message = messageAt.get(position)?.message ?? '{}';
    const add = (step: StepPath, kind: NewEntry['kind'], payload: string): void => {
      insert.run(run_id, step, kind, '', payload, created_at);
    };
    const run = open.get(run_id);
    if (run === undefined) {
      add(branchStep(RUN_STEP, 'old', String(position)), 'message', message);
      continue;
    }
    const read = JSON.parse(message) as OldMessage;
    const before = last.get(run_id);
    const [call] = read.toolCalls ?? [];
    const step = call === undefined ? run.stepOfText(read.content) : run.stepOfCall(call.id);
    if (read.role === 'tool' && run.stepOfCall(read.toolCallId ?? '') !== null) continue;
    if (read.role === 'assistant' && step !== null) {
      const answer = call === undefined ? step : (step.replace(/\/?call-\d+$/, '') as StepPath);
      add(answer, 'round', '{}');
      last.set(run_id, answer);
    } else if (before === undefined && read.role === 'user') {
      add(RUN_STEP, 'turn', message);
      last.set(run_id, RUN_STEP);
    } else {
      add(before ?? branchStep(RUN_STEP, 'old', String(position)), 'message', message);
    }
  }
}

/** Sessions of Markdown skills named the answers that moved them by number. */
function moveSkillSessions(connection: Connection, runs: readonly RunRow[]): void {
  const rows = connection
    .sql<{ thread_id: string; skill: string; state: string }>(
      'SELECT thread_id, skill, state FROM skill_walks',
    )
    .all();
  const update = connection.sql(
    'UPDATE skill_walks SET state = ? WHERE thread_id = ? AND skill = ?',
  );
  const known = new Map(runs.map((run) => [run.id, run]));
  for (const { thread_id, skill, state } of rows) {
    const session = JSON.parse(state) as Record<'movedIn' | 'askedIn', unknown>;
    for (const name of ['movedIn', 'askedIn'] as const) {
      const place = session[name] as { readonly runId: string; readonly round: number } | null;
      const run = place == null ? undefined : known.get(place.runId);
      if (place == null || run === undefined) continue;
      const answer = answerStep(connection, run, place.round);
      session[name] = { runId: place.runId, answer };
    }
    update.run(JSON.stringify(session), thread_id, skill);
  }
}

function answerStep(connection: Connection, run: RunRow, round: number): StepPath {
  return new OldRun(connection, run).answerStep(round);
}
