import { sha256 } from '../../base/canonical-json.ts';
import {
  branchStep,
  callStep,
  compareSteps,
  numberedStep,
  parentOf,
  RUN_STEP,
  type StepPath,
} from '../../base/step-path.ts';
import type { Connection } from '../connection.ts';
import type { NewEntry } from '../types.ts';
import { Damaged, readOld } from './damaged.ts';
import { type OpenRun, readMessage, SECOND_ATTEMPT } from './move-conversations.ts';

export interface RunRow {
  readonly id: string;
  readonly thread_id: string;
  readonly origin: string | null;
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

interface Piece {
  readonly execution_id: string;
  readonly key: string;
  readonly number: number;
  readonly result: string | null;
}

interface OldHandoff {
  readonly toolCallId: string;
  readonly lane: number;
}

/** Numbers of versions before 10: a lane had ten thousand rounds, a call a trillion of nested calls. */
const ROUNDS_PER_LANE = 10_000;
const SECOND_LANE = 1;
const FIRST_HANDOFF_LANE = 900;
const FIRST_SKILL_LANE = 10_000;
const PIECES = 10_000;
const NESTED_CALLS = PIECES ** 3;

/** What one run had stored, by its old numbers. */
export class OldRun {
  readonly #connection: Connection;
  readonly #row: RunRow;
  /** Texts of its states by name. */
  readonly #states: ReadonlyMap<string, string>;
  readonly #lanes: OldPlan['lanes'];
  readonly #skillLanes: readonly string[];
  readonly #steps = new Map<string, StepPath>();
  readonly #answers = new Map<StepPath, OldAnswer>();
  readonly #damaged = new Map<StepPath, Damaged>();
  /** What a fork began with: how many messages, and answers among them. */
  readonly #before: { readonly copied: number; readonly answersBefore: number };
  #pieces: readonly Piece[] | null = null;

  constructor(connection: Connection, row: RunRow) {
    this.#connection = connection;
    this.#row = row;
    const states = connection
      .sql<{ part: string; state: string }>('SELECT part, state FROM run_states WHERE run_id = ?')
      .all(row.id);
    this.#states = new Map(states.map(({ part, state }) => [part, state]));
    this.#lanes = this.#state('plan', (json) => (json as OldPlan).lanes) ?? {};
    this.#skillLanes = this.#state('skill_lanes', (json) => [...(json as string[])]) ?? [];
    this.#before = row.ended_at === null ? this.#forkedFrom() : { copied: 0, answersBefore: 0 };
    if (row.ended_at !== null) return;
    for (const [step, answer] of this.#storedAnswers()) this.#addAnswer(step, answer);
    for (const { number, lane, answer } of this.#rounds()) {
      this.#addAnswer(this.#answer(lane, number), answer);
    }
  }

  /** Plan, research, hand-overs and opinions, which are looked at after the run as well. */
  *states(): Generator<NewEntry> {
    for (const [part, state] of this.#states) {
      const page = /^research (\d+) page (.*)$/s.exec(part);
      const research = /^research (\d+)$/.exec(part)?.[1];
      if (part === 'plan') {
        const payload = readOld(state, (json) => withoutLanes(json as OldPlan));
        yield { step: RUN_STEP, kind: 'plan', payload };
      } else if (part === 'second-opinions') {
        yield { step: RUN_STEP, kind: 'opinions', payload: readOld(state, (json) => json) };
      } else if (page !== null) {
        const [, lane, key = ''] = page;
        const payload = readOld(state, (json) => ({ key, page: json }));
        yield { step: this.#branch(Number(lane)), kind: 'page', hash: sha256(key), payload };
      } else if (research !== undefined) {
        yield* this.#research(Number(research), state);
      } else if (part === 'handoffs') {
        yield* this.#handoffs(state);
      }
    }
    yield* this.#sourcesOfSkills();
  }

  /** Skills numbered their sources by their lane, and stored no number. */
  *#sourcesOfSkills(): Generator<NewEntry> {
    const options = readOld(this.#row.options, (json) => json as { readonly skill?: unknown });
    const isSkill = !(options instanceof Damaged) && options?.skill !== undefined;
    for (const [i, key] of this.#skillLanes.entries()) {
      if (!key.endsWith('#sources')) continue;
      const lane = FIRST_SKILL_LANE + i;
      // A run that was a skill had nothing else; in others, seven came between hand-overs and steps.
      const before = isSkill ? i * 100 : i < 7 ? 300 + i * 100 : lane * 100;
      yield { step: this.#branch(lane), kind: 'sources', payload: { first: before + 1 } };
    }
  }

  /** Answers, effects, results, and the work of skills. */
  *progress(): Generator<NewEntry> {
    for (const [step, payload] of this.#damaged) yield { step, kind: 'answer', payload };
    for (const [step, payload] of this.#answers) yield { step, kind: 'answer', payload };
    for (const { number, lane, results } of this.#rounds()) {
      for (const [index, { status, content, data }] of results.entries()) {
        const step = callStep(this.#answer(lane, number), index);
        const payload = { status, content, ...(data === undefined ? {} : { data }) };
        yield { step, kind: 'result', payload };
      }
    }
    yield* this.#effects();
    yield* this.#skillWork();
  }

  conversation(): OpenRun {
    const texts = new Map<string, StepPath[]>();
    for (const [step, { content, toolCalls, invalidToolCalls }] of this.#answers) {
      // Other branches are not part of the conversation.
      const isPart = [RUN_STEP, SECOND_ATTEMPT].includes(parentOf(step));
      if (!isPart || toolCalls.length + invalidToolCalls.length > 0) continue;
      const text = content.trim() === '' ? '' : content;
      texts.set(text, [...(texts.get(text) ?? []), step].sort(compareSteps));
    }
    return {
      ...this.#before,
      ...{ report: this.#report(), texts },
      stepOfCall: (id) => this.#steps.get(id) ?? null,
    };
  }

  #report(): StepPath | null {
    if (this.#states.has('plan')) return branchStep(branchStep(RUN_STEP, 'final'), 'answer');
    return this.#states.has('research 0') ? branchStep(RUN_STEP, 'report') : null;
  }

  #forkedFrom(): { readonly copied: number; readonly answersBefore: number } {
    const { id, thread_id, origin } = this.#row;
    const { kind, messages } = JSON.parse(origin ?? '{}') as { kind?: string; messages?: number };
    if (kind !== 'fork' || messages === undefined) return { copied: 0, answersBefore: 0 };
    const copied = this.#connection
      .sql<{ message: string }>(
        'SELECT message FROM transcript WHERE thread_id = ? AND run_id = ? ORDER BY position LIMIT ?',
      )
      .all(thread_id, id, messages);
    const answers = copied.filter(({ message }) => readMessage(message)?.role === 'assistant');
    return { copied: messages, answersBefore: answers.length };
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
    for (const { round, answer } of rows) {
      const read = readOld(answer, asAnswer);
      if (read instanceof Damaged) this.#damaged.set(this.answerStep(round), read);
      else yield [this.answerStep(round), read];
    }
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
      // Without it, its answer and the results of its calls stand in their own tables.
      const round = readOld(Buffer.from(value).toString('utf8'), (json) => json as OldRound);
      // The end of a graph is stored like a round.
      if (round instanceof Damaged || round?.answer?.toolCalls === undefined) continue;
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
      const { tool_name: toolName, effect } = row;
      const before = readOld(row.before ?? 'null', (json) => ({ toolName, effect, before: json }));
      for (let i = 0; i < row.attempts; i++) yield { step, kind: 'intent', hash, payload: before };
      if (row.output === null) continue;
      const payload = readOld(row.output, (json) => json as object);
      yield { step, kind: 'again' in payload ? 'result' : 'output', hash, payload };
    }
  }

  *#skillWork(): Generator<NewEntry> {
    for (const { execution_id, key, number, result } of this.#allPieces()) {
      const step = this.#executionStep(execution_id);
      if (step === null) continue;
      const payload = readOld(result ?? '{}', (json) => ({ number, ...(json as object) }));
      yield { step, kind: 'work', hash: key, payload };
    }
  }

  #allPieces(): readonly Piece[] {
    this.#pieces ??= this.#connection
      .sql<Piece>(
        `SELECT j.execution_id, j.key, j.number, j.result FROM skill_journal j
         JOIN skill_executions e ON e.id = j.execution_id WHERE e.run_id = ?`,
      )
      .all(this.#row.id);
    return this.#pieces;
  }

  *#handoffs(state: string): Generator<NewEntry> {
    const read = readOld(state, (json) => [...(json as OldHandoff[])]);
    if (read instanceof Damaged) {
      yield { step: RUN_STEP, kind: 'branch', payload: read };
      return;
    }
    for (const { toolCallId, lane, ...rest } of read) {
      const payload = { toolCallId, ...rest };
      yield { step: this.#branch(lane), kind: 'branch', hash: toolCallId, payload };
    }
  }

  *#research(lane: number, text: string): Generator<NewEntry> {
    const step = this.#branch(lane);
    const own = (number: number): number => number - lane * ROUNDS_PER_LANE;
    const state = readOld(text, (json) => {
      const { rounds, report, sources, ...rest } = json as OldResearch;
      return {
        ...{ ...rest, sources: [...sources] },
        rounds: rounds.map((round) => ({
          ...round,
          searchRound: own(round.searchRound),
          pageRound: round.pageRound === null ? null : own(round.pageRound),
        })),
        report: report === null ? null : { ...report, messageRound: own(report.messageRound) },
      };
    });
    yield { step, kind: 'research', payload: state };
    if (state instanceof Damaged) return;
    const [first] = state.sources;
    if (first !== undefined) yield { step, kind: 'sources', payload: { first: first.index } };
  }

  answerStep(round: number): StepPath {
    const lane = Math.floor(round / ROUNDS_PER_LANE);
    return this.#answer(lane, round % ROUNDS_PER_LANE);
  }

  /** A second attempt counted from 1, and counts on from what its run began with now. */
  #answer(lane: number, number: number): StepPath {
    const before = lane === SECOND_LANE ? this.#before.answersBefore : 0;
    return numberedStep(this.#branch(lane), before + number);
  }

  #state<Value>(part: string, read: (json: unknown) => Value): Value | null {
    const value = readOld(this.#states.get(part) ?? 'null', read);
    return value instanceof Damaged ? null : value;
  }

  #effectStep(round: number, index: number): StepPath {
    const answer = this.answerStep(round);
    if (index < NESTED_CALLS) return callStep(answer, index);
    const call = callStep(answer, Math.floor(index / NESTED_CALLS) - 1);
    return piecesOf(index % NESTED_CALLS).reduce(numberedStep, call);
  }

  #branch(lane: number): StepPath {
    if (lane === 0) return RUN_STEP;
    if (lane === SECOND_LANE) return SECOND_ATTEMPT;
    if (lane >= FIRST_SKILL_LANE) return this.#skillBranch(lane);
    if (lane >= FIRST_HANDOFF_LANE) {
      return branchStep(RUN_STEP, 'handoff', String(lane - FIRST_HANDOFF_LANE + 1));
    }
    const id = Object.entries(this.#lanes).find(([, number]) => number === lane)?.[0];
    if (id === 'final') return branchStep(RUN_STEP, 'final');
    return branchStep(RUN_STEP, 'step', id ?? String(lane));
  }

  #skillBranch(lane: number): StepPath {
    const key = this.#skillLanes[lane - FIRST_SKILL_LANE] ?? '';
    const [executionId = '', piece = ''] = key.split('#');
    const execution = this.#executionStep(executionId);
    if (execution === null) return branchStep(RUN_STEP, 'skill', String(lane));
    if (piece === 'sources') return branchStep(execution, 'sources');
    const isResearch = this.#allPieces().some(
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

/** Throws on anything else. */
function asAnswer(json: unknown): OldAnswer {
  const answer = json as OldAnswer;
  return { ...answer, toolCalls: [...answer.toolCalls] };
}

function withoutLanes({ lanes, ...plan }: OldPlan): unknown {
  return { ...plan, begun: Object.keys(lanes).filter((id) => id !== 'final') };
}
