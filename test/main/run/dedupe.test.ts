import { describe, expect, test } from 'vitest';
import type { RunEventDraft, RunEventType } from '#contract/events/run-event.ts';
import { DEDUPE_KEYS, DedupeFilter, dedupeKey } from '#main/run/dedupe.ts';

/** One draft of every type, and the key that its policy gives. */
const EXAMPLES: {
  readonly [Type in RunEventType]: [Extract<RunEventDraft, { type: Type }>, unknown];
} = {
  stage: [
    { type: 'stage', name: 'load', status: 'running', description: 'Loading' },
    { subject: 'load', state: '["running","Loading",null]' },
  ],
  complete: [
    {
      type: 'complete',
      outcome: 'completed',
      answer: '',
      durationMs: 1,
      rounds: 1,
      toolCalls: 0,
    },
    null,
  ],
  error: [{ type: 'error', code: 'INTERNAL', message: '', details: {} }, null],
  usage: [{ type: 'usage', round: 1, model: 'm', durationMs: 1 }, null],
  token: [{ type: 'token', messageId: 'm', text: 'a' }, null],
  reasoning: [{ type: 'reasoning', messageId: 'm', text: 'a' }, null],
  image: [
    {
      type: 'image',
      index: 0,
      path: 'a.png',
      mimeType: 'image/png',
      bytes: 1,
      alt: '',
      toolCallId: 'c',
    },
    { subject: '["c",0,"a.png"]' },
  ],
  code_result: [
    {
      type: 'code_result',
      toolCallId: 'c',
      language: 'python',
      outcome: 'completed',
      exitCode: 0,
      stdout: '',
      stderr: '',
      durationMs: 1,
    },
    { subject: 'c' },
  ],
  tool_call: [
    {
      type: 'tool_call',
      toolCallId: 'c',
      name: 'n',
      arguments: {},
      risk: 'low',
      effect: 'read',
      agent: 'executor',
      round: 1,
    },
    { subject: 'c' },
  ],
  tool_result: [
    {
      type: 'tool_result',
      toolCallId: 'c',
      name: 'n',
      status: 'ok',
      content: '',
      durationMs: 1,
    },
    { subject: 'c' },
  ],
  source: [
    { type: 'source', index: 1, url: 'u', title: 't' },
    { subject: '1', state: '["u","t",null,null]' },
  ],
  routing: [
    { type: 'routing', route: 'simple', agent: 'executor', reason: 'r' },
    { subject: '["simple","executor","r"]' },
  ],
  handoff: [
    {
      type: 'handoff',
      handoffId: 'h',
      from: 'executor',
      to: 'research',
      task: '',
      artifacts: [],
    },
    { subject: 'h' },
  ],
  search_plan: [
    { type: 'search_plan', planId: 'p', queries: ['q'] },
    { subject: 'p', state: '["q"]' },
  ],
  knowledge_update: [
    { type: 'knowledge_update', updateId: 'k', summary: '', openQuestions: [] },
    { subject: 'k' },
  ],
  report: [
    {
      ...{ type: 'report', reportId: 'r', title: 'T', markdown: '', citations: [] },
      ...{ agreements: [], contradictions: [], gaps: [] },
    },
    { subject: 'r' },
  ],
  browser_stream: [
    { type: 'browser_stream', streamUrl: 'u' },
    { subject: '', state: '["u",null]' },
  ],
  browser_action: [
    { type: 'browser_action', actionId: 'a', action: 'click', status: 'running' },
    { subject: 'a', state: '["running",null,null]' },
  ],
  workspace_update: [
    { type: 'workspace_update', operation: 'modify', path: 'a.txt', size: 3, origin: 'c' },
    { subject: '["a.txt","c"]', state: '["modify",3]' },
  ],
  terminal_command: [
    { type: 'terminal_command', commandId: 'x', command: 'ls', language: 'bash', cwd: '/' },
    { subject: 'x' },
  ],
  terminal_output: [
    { type: 'terminal_output', commandId: 'x', offset: 7, text: 'a' },
    { subject: '["x",7]' },
  ],
  terminal_error: [
    { type: 'terminal_error', commandId: 'x', offset: 7, text: 'a' },
    { subject: '["x",7]' },
  ],
  terminal_complete: [
    {
      type: 'terminal_complete',
      commandId: 'x',
      outcome: 'completed',
      exitCode: 0,
      durationMs: 1,
    },
    { subject: 'x' },
  ],
  skill_walk: [
    {
      ...{ type: 'skill_walk', walkId: 'w' },
      walk: { skill: 's', sha256: '', status: 'active', steps: [], refusals: [] },
    },
    {
      subject: 'w',
      state: '[{"skill":"s","sha256":"","status":"active","steps":[],"refusals":[]}]',
    },
  ],
  skill_output: [
    { type: 'skill_output', skillId: 's', executionId: 'e', output: { a: 1 }, previewUrl: 'u' },
    { subject: '["e","u"]', state: '[{"a":1}]' },
  ],
  plan_step: [
    { type: 'plan_step', stepId: 's', title: 't', status: 'running' },
    { subject: 's', state: '["running","t",null]' },
  ],
  interrupt: [
    {
      type: 'interrupt',
      interruptId: 'i',
      kind: 'input',
      title: '',
      message: '',
      reasons: [],
      options: [],
      attentionMs: 1,
    },
    { subject: 'i' },
  ],
  interrupt_response: [
    { type: 'interrupt_response', interruptId: 'i', response: { action: 'skip' }, by: 'person' },
    { subject: 'i' },
  ],
  plan_overview: [{ type: 'plan_overview', revision: 2, steps: [] }, { subject: '2' }],
  plan_step_completed: [
    {
      type: 'plan_step_completed',
      revision: 2,
      stepId: 's',
      status: 'completed',
      summary: '',
      durationMs: 1,
    },
    { subject: '[2,"s"]', state: 'completed' },
  ],
  todo_update: [
    { type: 'todo_update', markdown: '- a' },
    { subject: '', state: '- a' },
  ],
  verification: [
    { type: 'verification', verificationId: 'v', verdict: 'verified', facts: [] },
    { subject: 'v' },
  ],
  parallel_start: [
    { type: 'parallel_start', groupId: 'g', title: '', taskIds: [] },
    { subject: 'g' },
  ],
  parallel_task: [
    { type: 'parallel_task', groupId: 'g', taskId: 't', title: '', status: 'running' },
    { subject: '["g","t"]', state: 'running' },
  ],
  parallel_complete: [
    { type: 'parallel_complete', groupId: 'g', completed: 1, failed: 0 },
    { subject: 'g' },
  ],
};

const drafts = Object.values(EXAMPLES).map(([draft]): RunEventDraft => draft);

describe('the dedupe policy', () => {
  test('is pinned for every event type', () => {
    const policy = Object.fromEntries(drafts.map((draft) => [draft.type, dedupeKey(draft)]));
    const pinned = Object.fromEntries(
      Object.entries(EXAMPLES).map(([type, [, key]]) => [type, key]),
    );
    expect(policy).toEqual(pinned);
    expect(Object.keys(DEDUPE_KEYS).sort()).toEqual(Object.keys(EXAMPLES).sort());
  });

  test('drops each event that comes twice in a row, except those without identity', () => {
    const filter = new DedupeFilter();
    const passing = [...drafts, ...drafts].filter((draft) => filter.accept(draft));
    const twice = drafts.filter((draft) => DEDUPE_KEYS[draft.type] === null);
    expect(passing).toEqual([...drafts, ...twice]);
  });
});

describe('what is not a duplicate', () => {
  function passing(...given: RunEventDraft[]): number[] {
    const filter = new DedupeFilter();
    return given.flatMap((draft, i) => (filter.accept(draft) ? [i] : []));
  }
  const stage = (status: 'running' | 'completed'): RunEventDraft => ({
    type: 'stage',
    name: 'load',
    status,
    description: '',
  });
  const change = (
    operation: 'create' | 'modify' | 'delete',
    origin: string,
    size = 1,
  ): RunEventDraft => ({ type: 'workspace_update', path: 'a', operation, origin, size });
  const output = (offset: number, text: string): RunEventDraft => ({
    type: 'terminal_output',
    commandId: 'x',
    offset,
    text,
  });

  test('a stage that runs again', () => {
    const again = [stage('running'), stage('completed'), stage('running'), stage('running')];
    expect(passing(...again)).toEqual([0, 1, 2]);
  });

  test('a file that is changed again, by another call or to another size, or created again', () => {
    expect(
      passing(
        change('create', 'c1'),
        change('modify', 'c1'),
        change('modify', 'c1'),
        change('modify', 'c2'),
        change('modify', 'c2', 9),
        change('delete', 'c2', 0),
        change('create', 'c2'),
        // Reported again by a call that is repeated after a crash.
        change('modify', 'c1'),
      ),
    ).toEqual([0, 1, 3, 4, 5, 6]);
  });

  test('the same text printed again at a later offset', () => {
    const same = 'x'.repeat(300);
    expect(passing(output(0, same), output(300, same), output(300, same))).toEqual([0, 1]);
  });

  test('images of two calls that count from 0', () => {
    const image = (toolCallId: string): RunEventDraft => ({
      type: 'image',
      index: 0,
      path: 'plot.png',
      mimeType: 'image/png',
      bytes: 1,
      alt: '',
      toolCallId,
    });
    expect(passing(image('c1'), image('c2'), image('c1'))).toEqual([0, 1]);
  });

  test('anything about another subject, however its parts are joined', () => {
    expect(
      passing(
        { ...output(1, 'a'), type: 'terminal_error', commandId: 'x,1' } as RunEventDraft,
        { ...output(1, 'a'), type: 'terminal_error', commandId: 'x' } as RunEventDraft,
      ),
    ).toEqual([0, 1]);
  });
});

test('memory is bounded, and the newest are remembered', () => {
  const filter = new DedupeFilter();
  const output = (offset: number): RunEventDraft => ({
    type: 'terminal_output',
    commandId: 'x',
    offset,
    text: 'a',
  });
  for (let offset = 0; offset < 10_001; offset += 1) filter.accept(output(offset));
  expect([
    filter.accept(output(10_000)),
    filter.accept(output(1)),
    filter.accept(output(0)),
  ]).toEqual([false, false, true]);
});
