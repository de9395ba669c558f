import { describe, expect, it } from 'vitest';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { emptyRunView, type RunView } from '#renderer/store/run-view.ts';
import { FAKE_SHA } from '../fakes/csv-run.ts';
import { CSV_LOG, EVERY_TYPE, log } from './events.ts';

function fold(events: readonly RunEvent[]): RunView {
  return foldEvents(emptyRunView('run'), events);
}

describe('the fold of a run', () => {
  it('shows the CSV task as it went', () => {
    const view = fold(CSV_LOG);
    const rows = view.transcript.items.map((item) => {
      switch (item.kind) {
        case 'tool':
          return [item.kind, item.status, item.sandboxLevel, item.durationMs, item.answer?.by];
        case 'text':
          return [item.kind, item.finished, item.firstOfMessage, item.source.slice(0, 12)];
        case 'reasoning':
          return [item.kind, item.endedAt !== null];
        case 'end':
          return [item.kind, item.end.kind];
        default:
          return [item.kind];
      }
    });
    expect(rows).toEqual([
      ['reasoning', true],
      ['text', true, true, 'I will total'],
      ['tool', 'ok', 'bubblewrap', 1840, 'person'],
      ['text', true, true, 'West and Nor'],
      ['text', true, false, '| Region | R'],
      ['text', true, false, '![Revenue by'],
      ['text', true, false, 'What I did:\n'],
      ['text', true, false, '1. Read `sal'],
      ['text', true, false, 'To draw it a'],
      ['text', true, false, '```python\nto'],
      ['text', true, false, 'The [pandas '],
      ['end', 'complete'],
    ]);
  });

  it('keeps guardrail findings: in the answer as a note, in a call with the call', () => {
    const view = fold(
      log([
        {
          ...{ type: 'stage', name: 'guardrails', status: 'completed' },
          description: 'Guardrails: A credit card was removed from the answer.',
        },
        {
          ...{ type: 'tool_result', toolCallId: 'c', name: 'read_page', status: 'ok' },
          ...{ content: 'x', durationMs: 1 },
          findings: [{ rule: 'override', message: 'Tells the model to ignore its instructions.' }],
        },
      ]),
    );
    expect(view.transcript.items).toMatchObject([
      { kind: 'note', topic: 'guardrails', title: expect.stringContaining('credit card') },
      { kind: 'tool', findings: ['Tells the model to ignore its instructions.'] },
    ]);
  });

  it('keeps background programs as a note', () => {
    const view = fold(
      log([
        {
          ...{ type: 'stage', name: 'background', status: 'completed' },
          description: 'In the background until the app ends: 1 program: npm run dev (pid 7)',
        },
      ]),
    );
    expect(view.transcript.items).toMatchObject([
      { kind: 'note', topic: 'background', title: expect.stringContaining('npm run dev') },
    ]);
  });

  it('keeps what was printed, in the order in which it was printed', () => {
    const { terminal } = fold(CSV_LOG);
    const printed = terminal.entries.map((entry) =>
      entry.kind === 'output' ? `${entry.stream} ${entry.text}` : entry.kind,
    );
    expect(printed).toEqual([
      'command',
      'out region\nWest     3385.00\nNorth    3353.50\nEast     2186.00\nSouth    1767.00\n',
      'err UserWarning: Matplotlib is building the font cache\n',
      'out saved sales-by-region.svg\n',
      'end',
    ]);
  });

  it('has the question only while it is open', () => {
    const asked = CSV_LOG.findIndex((event) => event.type === 'interrupt');
    const open = fold(CSV_LOG.slice(0, asked + 1));
    const answered = fold(CSV_LOG.slice(0, asked + 2));
    const tool = open.transcript.items.find((item) => item.kind === 'tool');
    expect({
      open: [...open.questions.open.keys()],
      activity: open.activity.kind,
      tool: [tool?.status, tool?.arguments.language],
      answered: [...answered.questions.open.keys()],
    }).toEqual({ open: ['q1'], activity: 'waiting', tool: ['waiting', 'python'], answered: [] });
  });

  it('remembers the last change of each file, and which side it belongs to', () => {
    const { workspace } = fold(CSV_LOG);
    expect([...workspace.byPath.keys(), workspace.suggested]).toEqual([
      'sales.csv',
      'sales-by-region.svg',
      'files',
    ]);
  });

  it('handles every type of event', () => {
    const view = fold(EVERY_TYPE);
    const said = view.transcript.items.map((item) =>
      item.kind === 'note'
        ? `${item.topic}: ${item.title} (${item.detail}) ${item.state}`
        : item.kind,
    );
    expect(said).toEqual([
      'routing',
      'plan',
      'plan: Look () ok',
      'research',
      'parallel: Two at once (1 / 2) failed',
      'parallel: One () ok',
      'handoff',
      'skill: data () ok',
      'walk',
      'verification',
      'question',
      'image',
      'end',
    ]);
  });

  it('skips known events, and stops at a gap', () => {
    const once = fold(CSV_LOG.slice(0, 20));
    const again = foldEvents(once, CSV_LOG.slice(10, 20));
    const gap = foldEvents(again, CSV_LOG.slice(25));
    expect([again.lastSeq, gap.lastSeq]).toEqual([20, 20]);
  });

  it('shows an answer without token events', () => {
    const view = fold(
      log([
        {
          ...{ type: 'complete', outcome: 'completed', answer: 'Done.', durationMs: 1 },
          ...{ rounds: 1, toolCalls: 0 },
        },
      ]),
    );
    expect(view.transcript.items.map((item) => item.kind)).toEqual(['text', 'end']);
  });

  it('counts the seconds of a stage from when it began, however often it is repeated', () => {
    const stage = (description: string) =>
      ({ type: 'stage', name: 'model_loading', status: 'running', description }) as const;
    const view = fold(log([stage('Loading, 1 s'), stage('Loading, 2 s'), stage('Loading, 3 s')]));
    expect(view.activity).toEqual({
      kind: 'starting',
      stage: 'Loading, 3 s',
      stageName: 'model_loading',
      since: 1000,
    });
  });

  it('makes a card for a call that was refused before it was logged', () => {
    const view = fold(
      log([
        {
          ...{ type: 'tool_result', toolCallId: 'c1', name: 'nonsense', status: 'error' },
          ...{ content: 'There is no such tool.', durationMs: 0 },
        },
      ]),
    );
    expect(view.transcript.items).toMatchObject([
      { kind: 'tool', name: 'nonsense', status: 'error' },
    ]);
  });

  const asked = (n: number): RunEventDraft => ({
    ...{
      type: 'interrupt',
      interruptId: `q${n}`,
      kind: 'approval',
      message: 'Run it?',
      title: 'Run a command',
    },
    ...{
      toolCallId: `c${n}`,
      toolName: 'shell_command',
      options: [],
      argumentsText: '{}',
      reasons: [],
      attentionMs: 60_000,
    },
  });
  const answered = (n: number, response: InterruptResponse): RunEventDraft => ({
    ...{ type: 'interrupt_response', interruptId: `q${n}`, by: 'person', response },
  });
  const approve: InterruptResponse = {
    action: 'approve',
    always: false,
    argumentsSha256: FAKE_SHA,
  };
  const statuses = (view: RunView) =>
    view.transcript.items.flatMap((item) => (item.kind === 'tool' ? [item.status] : []));

  it('says of a call that it is approved until it begins, while its neighbours are asked about', () => {
    const drafts = [
      ...[asked(1), asked(2), answered(1, approve), answered(2, { action: 'deny', reason: 'No' })],
      {
        ...{
          type: 'tool_call',
          toolCallId: 'c1',
          name: 'shell_command',
          arguments: {},
          risk: 'high',
        },
        agent: 'executor',
        effect: 'opaque',
        round: 1,
      } satisfies RunEventDraft,
    ];
    expect(statuses(fold(log(drafts.slice(0, 3))))).toEqual(['approved', 'waiting']);
    const begun = fold(log(drafts));
    expect(statuses(begun)).toEqual(['running', 'denied']);
    // Its time is counted from here, not from the question.
    expect(begun.transcript.items[0]).toMatchObject({ startedAt: 1_400 });
  });

  it('says of calls that were not over when the run was stopped that they are stopped', () => {
    const stopped = { type: 'error', code: 'CANCELLED', message: 'Stopped.', details: {} } as const;
    const view = fold(log([asked(1), asked(2), answered(1, approve), stopped]));
    expect(statuses(view)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('a reload in the middle', () => {
  // The log is the source of truth, whatever the batches.
  it.each([
    ['the CSV task', CSV_LOG],
    ['a run with every type', EVERY_TYPE],
  ])('shows what the live window shows, at every event of %s', (_name, events) => {
    const whole = fold(events);
    for (let cut = 0; cut <= events.length; cut++) {
      const reloaded = foldEvents(fold(events.slice(0, cut)), events.slice(cut));
      expect(reloaded).toEqual(whole);
    }
  });

  it('shows the same for any size of batch', () => {
    const whole = fold(CSV_LOG);
    for (const size of [1, 2, 3, 7, 50]) {
      let view = emptyRunView('run');
      for (let from = 0; from < CSV_LOG.length; from += size) {
        view = foldEvents(view, CSV_LOG.slice(from, from + size));
      }
      expect(view).toEqual(whole);
    }
  });

  it('hands out a new object for each part that changed, and the same for others', () => {
    const before = fold(CSV_LOG.slice(0, -1));
    const { terminal, workspace, transcript } = before;
    const after = foldEvents(before, CSV_LOG.slice(-1));
    expect({
      terminal: after.terminal === terminal,
      workspace: after.workspace === workspace,
      transcript: after.transcript === transcript,
    }).toEqual({ terminal: true, workspace: true, transcript: false });
  });
});
