import { callStep, lastNumberIn, parentOf, type StepPath } from '../base/step-path.ts';
import { parseStoredMessage } from '../models/stored-message.ts';
import type { ChatMessage } from '../models/types.ts';
import type { JournalEntry, RunJournal } from '../storage/types.ts';
import { DEFAULT_RESULT_CHARS, shortenResult } from '../tools/shorten-result.ts';
import { isMadeAgain, StoredResult } from '../tools/stored-result.ts';
import type { CallResult } from '../tools/tool-pipeline.ts';
import { type Answer, parseStoredAnswer } from './stored-answer.ts';
import type { MadeCall } from './types.ts';

/** What is added to the conversation of a task: a round, whose parts the journal has, or a message. */
export interface ConversationPart {
  readonly kind: Extract<JournalEntry['kind'], 'turn' | 'message' | 'round'>;
  readonly step: StepPath;
  readonly messages: readonly ChatMessage[];
}

/** The answer of a round and the results of its calls, in their order. */
export interface StoredRound {
  readonly answer: Answer;
  readonly results: readonly CallResult[];
}

/** A message that is not a round's. */
export function messagePart(step: StepPath, message: ChatMessage): ConversationPart {
  return { kind: 'message', step, messages: [message] };
}

/** A round as the model sees it. */
export function roundPart(step: StepPath, { answer, results }: StoredRound): ConversationPart {
  const replies = results.map(
    ({ toolCallId, toolName, content, pictures }): ChatMessage => ({
      role: 'tool',
      toolCallId,
      toolName,
      content,
      ...(pictures !== undefined && { pictures }),
    }),
  );
  return { kind: 'round', step, messages: [assistantMessage(answer), ...replies] };
}

/** The message of an answer. */
export function assistantMessage(answer: Answer): Extract<ChatMessage, { role: 'assistant' }> {
  const { content, reasoning, toolCalls, invalidToolCalls } = answer;
  // An unreadable call is sent back without arguments: servers reject a history that is not JSON.
  const unreadable = invalidToolCalls.map(({ id, name }) => ({ id, name, arguments: {} }));
  const calls = [...toolCalls, ...unreadable];
  return {
    role: 'assistant',
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

/** The stored answer at this step; null if there is none. */
export function readAnswer(journal: RunJournal, runId: string, step: StepPath): Answer | null {
  const entry = journal.newest(runId, step, 'answer');
  return entry === null ? null : parseStoredAnswer(entry.payload);
}

/** A stored round. Throws if no answer is stored. A call without a result was cancelled. */
export function readRound(journal: RunJournal, runId: string, step: StepPath): StoredRound {
  const answer = readAnswer(journal, runId, step);
  if (answer === null) throw new Error(`The journal has no answer at ${step} of ${runId}`);
  const calls = [...answer.toolCalls, ...answer.invalidToolCalls];
  const results = calls.map(({ id, name }, index): CallResult => {
    const entry = journal.newest(runId, callStep(step, index), 'result');
    const hasResult = entry !== null && !isMadeAgain(entry.payload);
    const stored = hasResult ? StoredResult.parse(entry.payload) : CANCELLED;
    return { toolCallId: id, toolName: name, ...stored };
  });
  return { answer, results };
}

/**
 * The calls of a run's answers, oldest first, as evidence; without those of the branch `except`. Calls within
 * calls are in the results of these.
 */
export function readCalls(journal: RunJournal, runId: string, except: StepPath): MadeCall[] {
  return journal.list(runId, 'answer').flatMap(({ step }) => {
    if (parentOf(step) === except) return [];
    const { answer, results } = readRound(journal, runId, step);
    return evidenceOf(answer, results, DEFAULT_RESULT_CHARS);
  });
}

/** Calls with what they gave, shortened, for later claims. */
export function evidenceOf(
  { toolCalls }: Answer,
  results: readonly CallResult[],
  keptChars = EVIDENCE_CHARS,
): MadeCall[] {
  const argumentsById = new Map(toolCalls.map((call) => [call.id, call.arguments]));
  return results.map(({ toolCallId, toolName: name, status, content }) => ({
    name,
    arguments: argumentsById.get(toolCallId) ?? {},
    status,
    content: shortenResult(content, keptChars).content,
  }));
}

/** Characters of a result that are kept as evidence of what was done. */
const EVIDENCE_CHARS = 4_000;

const CANCELLED = {
  status: 'cancelled',
  content: 'The run ended before this call had a result.',
} as const;

/** The conversations of tasks, read from the journal. */
export class Transcript {
  readonly #journal: RunJournal;

  constructor(journal: RunJournal) {
    this.#journal = journal;
  }

  /** Oldest first; the next turn builds on it. */
  messages(threadId: string): ChatMessage[] {
    return this.#journal.conversation(threadId).flatMap((entry) => this.#read(entry).messages);
  }

  /** The messages before a run, and what the run itself has added so far. */
  split(threadId: string, runId: string): { before: ChatMessage[]; own: ConversationPart[] } {
    const entries = this.#journal.conversation(threadId);
    const start = entries.findIndex((entry) => entry.runId === runId);
    // While a run is parked, a later turn of its task may add messages: those are not its own.
    const own = entries.filter((entry) => entry.runId === runId);
    const before = start < 0 ? entries : entries.slice(0, start);
    return {
      before: before.flatMap((entry) => this.#read(entry).messages),
      own: own.map((entry) => this.#read(entry)),
    };
  }

  /** Adds a part, unless the run has it already. */
  add(runId: string, { kind, step, messages }: ConversationPart): void {
    if (this.#journal.newest(runId, step, kind) !== null) return;
    const payload = kind === 'round' ? {} : (messages[0] ?? {});
    this.#journal.append(runId, { step, kind, payload });
  }

  #read({ runId, step, kind, payload }: JournalEntry): ConversationPart {
    if (kind === 'round') return roundPart(step, readRound(this.#journal, runId, step));
    return {
      kind: kind === 'turn' ? 'turn' : 'message',
      step,
      messages: [parseStoredMessage(payload)],
    };
  }
}

/**
 * After which number a run that begins with these parts counts its rounds: at each later one, in any branch,
 * nothing of them stands.
 */
export function roundsIn(parts: readonly ConversationPart[]): number {
  const messages = parts.flatMap((part) => part.messages);
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  return Math.max(answers, ...parts.map(({ step }) => lastNumberIn(step)));
}
