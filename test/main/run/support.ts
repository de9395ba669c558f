import { onTestFinished } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { type Logger, silentLogger } from '#main/base/logger.ts';
import type { RunStores } from '#main/run/run-record.ts';
import { type RunNotice, RunService, type RunServiceParts } from '#main/run/run-service.ts';
import type { RunConclusion, RunContext } from '#main/run/types.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { writeMessages } from '#main/storage/message-store.ts';
import type { OpenDatabase } from '#main/storage/open-database.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { HandClock, open, someOptions, temporaryDir } from '../storage/support.ts';

export function storesOf({ connection }: OpenDatabase): RunStores {
  return {
    transaction: (work) => connection.transaction(work),
    threads: writeThreads(connection),
    runs: writeRuns(connection),
    events: writeEvents(connection),
    messages: writeMessages(connection),
  };
}

export interface TestBench {
  readonly database: OpenDatabase;
  readonly stores: RunStores;
  readonly service: RunService;
  readonly notices: RunNotice[];
  readonly removed: string[];
  readonly clock: HandClock;
}

export interface BenchOptions extends Partial<RunServiceParts> {
  readonly dataDir?: string;
  readonly logger?: Logger;
  /** Puts something between the service and the stores, such as a fault. */
  readonly throughStores?: (stores: RunStores) => RunStores;
}

/** A run service on a real database; both end with the test. */
export function bench(
  program: (context: RunContext) => Promise<RunConclusion>,
  { dataDir = temporaryDir(), throughStores = (same) => same, ...changes }: BenchOptions = {},
): TestBench {
  const clock = new HandClock();
  const database = open(dataDir, { clock });
  const stores = storesOf(database);
  const removed: string[] = [];
  const service = new RunService({
    stores: throughStores(stores),
    program,
    importAttachments: async (_threadId, files) =>
      files.map(({ name }) => ({ name, path: name, size: 3 })),
    removeWorkspace: async (threadId) => {
      removed.push(threadId);
    },
    releaseReserve: () => undefined,
    hasOpenQuestions: () => false,
    clock,
    logger: silentLogger,
    ...changes,
  });
  onTestFinished(() => service.dispose());
  const notices: RunNotice[] = [];
  service.onNotice((notice) => notices.push(notice));
  return { database, stores, service, notices, removed, clock };
}

export const turn = { prompt: 'Do it', attachments: [], options: someOptions } as const;

export const answered: RunConclusion = {
  outcome: 'completed',
  answer: 'Done.',
  rounds: 1,
  toolCalls: 0,
};

export function token(text: string, messageId = 'm'): RunEventDraft {
  return { type: 'token', messageId, text };
}

export const question: RunEventDraft = {
  type: 'interrupt',
  interruptId: 'int_1',
  kind: 'approval',
  title: 'May I?',
  message: 'It is risky',
  reasons: [],
  options: [],
  attentionMs: 1000,
};

export const reply: RunEventDraft = {
  type: 'interrupt_response',
  interruptId: 'int_1',
  response: { action: 'deny', reason: 'no' },
  by: 'person',
};

/** Never comes to an end by itself. */
export function untilAborted({ signal }: RunContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Events without what differs from run to run. */
export function plain(events: readonly RunEvent[]): unknown[] {
  return events.map(({ runId: _runId, at: _at, ...rest }) => rest);
}

export const nextFrame = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40));
