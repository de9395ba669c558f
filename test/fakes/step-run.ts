import type { Run } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { CSV_RUN } from './csv-run.ts';
import type { FakeBridge } from './fake-bridge.ts';

/** Events of calls with thinking before each; every `failing`th fails, and every one writes a file. */
export function stepDrafts(count: number, failing = Number.POSITIVE_INFINITY): RunEventDraft[] {
  return Array.from({ length: count }, (_, index): RunEventDraft[] => {
    const number = index + 1;
    const toolCallId = `step-${number}`;
    const path = `part-${number}.txt`;
    const call = { toolCallId, name: 'sandbox_file' } as const;
    const status = number % failing === 0 ? 'error' : 'ok';
    return [
      { type: 'reasoning', messageId: `s${number}`, text: `Thought number ${number}.` },
      { type: 'token', messageId: `s${number}`, text: `Now part ${number}.` },
      {
        ...{ type: 'tool_call', ...call, arguments: { operation: 'write', path, content: 'x' } },
        ...{ risk: 'low', effect: 'idempotent', agent: 'executor', round: number },
      },
      { type: 'workspace_update', operation: 'create', path, size: 1, origin: toolCallId },
      {
        ...{ type: 'tool_result', ...call, status, content: 'written' },
        ...{ omittedChars: 0, findings: [], durationMs: 40 },
      },
    ];
  }).flat();
}

/** The end of a run that made such calls. */
export function stepsEnd(
  answer: string,
  outcome: 'completed' | 'unverified' = 'completed',
): RunEventDraft[] {
  return [
    { type: 'token', messageId: 'answer', text: answer },
    { type: 'complete', outcome, answer, durationMs: 61_000, rounds: 4, toolCalls: 12 },
  ];
}

/** Adds a finished task of twelve calls, `t-steps`; runs that are started play three calls before their question. */
export function addSteps(fake: FakeBridge, now: number): void {
  const [first] = fake.state.runs;
  if (first === undefined) throw new Error('There is no run to copy');
  const threadId = 't-steps';
  const run: Run = { ...first, id: 'run-t-steps', threadId, prompt: 'Write twelve parts' };
  const dates = { createdAt: now, updatedAt: now, pinnedAt: null, archivedAt: null };
  fake.state.threads.push({ id: threadId, title: 'Twelve parts', ...dates, status: 'completed' });
  fake.addLog(run, [...stepDrafts(12, 5), ...stepsEnd('All twelve parts are written.')]);
  fake.script = { before: [...stepDrafts(3), ...CSV_RUN.before], after: CSV_RUN.after };
}
