import type { Message } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { RunStatus } from '#contract/vocabulary.ts';
import { FAKE_SHA } from './csv-run.ts';
import type { FakeBridge } from './fake-bridge.ts';
import { fakeRun } from './fake-state.ts';
import { fakeThread } from './fake-thread.ts';

type Interrupt = Extract<RunEventDraft, { type: 'interrupt' }>;

const approval = (
  id: string,
  toolName: string,
  args: Record<string, unknown>,
  more: Partial<Interrupt> = {},
): Interrupt => ({
  ...{ type: 'interrupt', interruptId: id, kind: 'approval', title: `Allow ${toolName}?` },
  ...{ message: 'It runs inside the sandbox of this task.', toolCallId: `call-${id}`, toolName },
  ...{ risk: 'high', reasons: [], options: [], attentionMs: 120_000 },
  argumentsText: JSON.stringify(args),
  argumentsSha256: FAKE_SHA,
  rulePattern: JSON.stringify(args),
  ...more,
});

/** Approvals of one answer: a removal with its change, and a plain command. */
const BATCH: readonly RunEventDraft[] = [
  approval(
    'b1',
    'sandbox_file',
    { operation: 'delete', path: 'notes/old.md' },
    {
      batchId: 'batch-1',
      why: 'You chose to be asked every time.',
      rulePatterns: [{ match: 'path', pattern: 'notes/old.md' }],
      change: { path: 'notes/old.md', before: '# Notes\nkeep\nlose\n', after: null, note: '' },
    },
  ),
  approval(
    'b2',
    'shell_command',
    { command: 'git status --short' },
    {
      batchId: 'batch-1',
      rulePatterns: [{ match: 'argv', pattern: '["git","status","--short"]' }],
      reasons: [
        'One of your rules would allow this, but the task holds what others wrote (a.csv).',
      ],
    },
  ),
];

const CHECKPOINT: readonly RunEventDraft[] = [
  {
    ...{ type: 'interrupt', interruptId: 'c1', kind: 'checkpoint', title: 'exam_params' },
    message: 'I will make an exam of 10 questions over arrays and trees. Does this look right?',
    ...{ toolCallId: 'call-c1', toolName: 'request_human_approval', reasons: [] },
    parameters: { question_count: 10, difficulty: 'adaptive', concepts: ['arrays', 'trees'] },
    options: [],
    attentionMs: 300_000,
  },
];

const CONFIRM: readonly RunEventDraft[] = [
  {
    ...{ type: 'interrupt', interruptId: 'y1', kind: 'confirm', title: 'A question' },
    message: 'Shall I write over the report of last week?',
    ...{ toolCallId: 'call-y1', toolName: 'ask_user', reasons: [], options: [] },
    attentionMs: 120_000,
  },
];

/** Tasks that wait for the person in every way there is. */
export function addQuestions(bridge: FakeBridge, now: number): void {
  const add = (
    threadId: string,
    title: string,
    status: RunStatus,
    drafts: readonly RunEventDraft[],
  ): void => {
    bridge.state.threads.unshift(fakeThread({ id: threadId, title, at: now, status }));
    const run = fakeRun(`run-${threadId}`, threadId, { prompt: title, createdAt: now, status });
    const message: Message = {
      ...{ id: `m-${threadId}`, threadId, runId: run.id, role: 'user', content: title },
      ...{ attachments: [], createdAt: now },
    };
    bridge.state.messages.push(message);
    bridge.addLog(run, drafts);
  };
  add('t-batch', 'Tidy up the notes', 'waiting', BATCH);
  add('t-plan', 'Prepare an exam', 'waiting', CHECKPOINT);
  add('t-confirm', 'Write the weekly report', 'waiting', CONFIRM);
  add('t-paused', 'Sort the archive', 'paused', [
    { type: 'token', messageId: 'm1', text: 'Half of the archive is sorted.' },
  ]);
}
