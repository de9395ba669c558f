import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { FakeBridge } from './fake-bridge.ts';
import { fakeRun } from './fake-state.ts';

/** A file of each kind, with names that are meant to deceive or to break a layout. */
const FILES: readonly (readonly [path: string, size: number])[] = [
  ['archive.zip', 1_204_000],
  ['src/server.ts', 4_210],
  ['invoices/totals by month.xlsx', 18_400],
  ['slides/quarter.pptx', 88_000],
  ['research/tea-prices.md', 9_120],
  ['handbook.docx', 41_000],
  ['charts/broken-chart.png', 400],
  ['draft.txt', 900],
  ['charts/revenue.png', 61_000],
  [`${'a-very-long-folder-name/'.repeat(20)}${'very-long-name-'.repeat(200)}.csv`, 77],
  ['report\u202egnp.exe', 12],
  ['two\nlines.txt', 34],
];

const change = (
  operation: 'create' | 'delete',
  [path, size]: readonly [string, number],
): RunEventDraft => ({
  ...{ type: 'workspace_update', operation, path, size, origin: 'call-files' },
});

const CALL = { toolCallId: 'call-files', name: 'shell_command' } as const;

/** A finished task that made these files, and `more` others before them. */
export function addArtifacts(bridge: FakeBridge, now: number, more: number): void {
  const others = Array.from({ length: more }, (_, i): readonly [string, number] => [
    `photos/album-${String(i).padStart(5, '0')}.jpg`,
    i,
  ]);
  const run = fakeRun('run-files', 't-old', { prompt: 'Make files', createdAt: now });
  bridge.state.messages.push({
    ...{ id: 'm-files', threadId: 't-old', runId: run.id, role: 'user', content: 'Make files' },
    ...{ attachments: [], createdAt: now },
  });
  bridge.addLog(run, [
    {
      ...{ type: 'tool_call', ...CALL, arguments: { command: 'make all' } },
      ...{ risk: 'low', effect: 'opaque', agent: 'executor', round: 1 },
    },
    ...[...others, ...FILES].map((file) => change('create', file)),
    change('delete', ['draft.txt', 0]),
    { type: 'tool_result', ...CALL, status: 'ok', content: 'made', durationMs: 40 },
    {
      ...{ type: 'complete', outcome: 'completed', answer: 'Done.', durationMs: 900 },
      ...{ rounds: 1, toolCalls: 1 },
    },
  ]);
  for (const [path] of FILES) {
    bridge.state.files.set(path, { mimeType: 'text/plain', encoding: 'utf8', data: `In ${path}` });
  }
}
