import { expect, onTestFinished } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { TaskHit } from '#contract/task-search.ts';
import { openTaskSearch, type TaskSearchStore } from '#main/storage/task-search-store.ts';
import { TaskIndexer } from '#main/task-search/task-indexer.ts';
import { searchTasks, type TaskSearchAnswer } from '#main/task-search/task-search.ts';
import { storesOf } from '../run/support.ts';
import { open, recordingLogger, someOptions, temporaryDir } from '../storage/support.ts';

const DAY = 86_400_000;

export interface SearchBench {
  readonly database: ReturnType<typeof open>;
  readonly stores: ReturnType<typeof storesOf>;
  readonly store: TaskSearchStore;
  readonly indexer: TaskIndexer;
  /** A line that a test leaves here fails it. */
  readonly logger: ReturnType<typeof recordingLogger>;
  /** Stores a task with one run; of several, later ones are newer. Returns its ids. */
  readonly add: (task: Task) => { readonly threadId: string; readonly runId: string };
  /** Not read-only, it brings the index up to date first. */
  readonly search: (query: string, isReadOnly?: boolean) => TaskSearchAnswer;
  /** `title: excerpt` with matches in brackets, of the best hit of each task. */
  readonly found: (query: string) => string[];
}

interface Task {
  readonly title?: string;
  readonly prompt?: string;
  readonly events?: readonly RunEventDraft[];
  readonly isRunning?: boolean;
}

/** An index over a real database; it works only when a test asks for it. */
export function searchBench(dataDir = temporaryDir()): SearchBench {
  const database = open(dataDir);
  const stores = storesOf(database);
  const store = openTaskSearch(database.connection);
  const logger = recordingLogger();
  onTestFinished(() => expect(logger.lines).toEqual([]));
  const indexer = new TaskIndexer({
    ...{ store, logger, pauseMs: 0, turnMs: 1 },
  });
  onTestFinished(() => indexer[Symbol.dispose]());
  let count = stores.runs.list().length;
  const add: SearchBench['add'] = ({ title, prompt = 'Do it', events = [], isRunning = false }) => {
    count += 1;
    const [threadId, runId, at] = [`thr_${count}`, `run_${count}`, count * DAY];
    stores.transaction(() => {
      stores.threads.insert({ id: threadId, title: title ?? `Task ${count}`, createdAt: at });
      stores.runs.insert({
        ...{ id: runId, threadId, status: 'running', prompt, options: someOptions },
        ...{ createdAt: at, startedAt: at, endedAt: null, error: null, origin: null },
      });
      stores.messages.insert({
        ...{ id: `msg_${count}`, threadId, runId, role: 'user', content: prompt },
        ...{ attachments: [], createdAt: at },
      });
      stores.events.append(
        events.map((event, i) => ({ ...event, runId, seq: i + 1, at: at + i }) as never),
      );
      if (!isRunning) stores.runs.end(runId, { status: 'completed', endedAt: at, error: null });
    });
    return { threadId, runId };
  };
  const search: SearchBench['search'] = (query, isReadOnly = true) =>
    searchTasks({ store, threads: stores.threads, indexer, isReadOnly }, { query, limit: 20 });
  return {
    ...{ database, stores, store, indexer, logger, add, search },
    found: (query) =>
      search(query).results.map(({ thread, hits }) => `${thread.title}: ${bracketed(hits[0])}`),
  };
}

function bracketed(hit: TaskHit | undefined): string {
  if (hit === undefined) return '-';
  let text = '';
  let end = 0;
  for (const [from, to] of hit.marks) {
    text += `${hit.excerpt.slice(end, from)}[${hit.excerpt.slice(from, to)}]`;
    end = to;
  }
  return text + hit.excerpt.slice(end);
}

export const token = (text: string, messageId = 'm1'): RunEventDraft => ({
  ...{ type: 'token', messageId, text },
});

export const call = (toolCallId: string, args: Record<string, unknown>): RunEventDraft => ({
  ...{ type: 'tool_call', toolCallId, name: 'shell_command', arguments: args, risk: 'low' },
  ...{ effect: 'opaque', agent: 'executor', round: 1 },
});

export const result = (toolCallId: string, content: string): RunEventDraft => ({
  ...{ type: 'tool_result', toolCallId, name: 'shell_command', status: 'ok', content },
  durationMs: 1,
});

export const complete = (answer: string): RunEventDraft => ({
  ...{ type: 'complete', outcome: 'completed', answer, durationMs: 1, rounds: 1, toolCalls: 1 },
});
