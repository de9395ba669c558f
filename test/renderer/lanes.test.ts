import { expect, it } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { foldEvents } from '../../src-renderer/store/fold-events.ts';
import { emptyRunView } from '../../src-renderer/store/run-view.ts';
import { PLAN_STEPS } from '../fakes/planned-run.ts';

const say = (place: string, text: string): RunEventDraft => ({
  ...{ type: 'token', messageId: `run_1-m${place}`, text },
});
const call = (id: string, stepId: string): RunEventDraft => ({
  ...{ type: 'tool_call', toolCallId: id, name: 'execute_code', risk: 'high', effect: 'opaque' },
  ...{ arguments: {}, agent: 'executor', round: 1, stepId },
});

/** The lane of each item: the step, with a star where its title is shown. */
function lanesOf(drafts: readonly RunEventDraft[]): (string | null)[] {
  const events = drafts.map(
    (draft, i) => ({ runId: 'run_1', seq: i + 1, at: i, ...draft }) as RunEvent,
  );
  const { transcript } = foldEvents(emptyRunView('run_1'), events);
  return transcript.items
    .filter(({ kind }) => kind === 'text' || kind === 'tool')
    .map(({ key }) => {
      const lane = transcript.lanes.get(key);
      return lane === undefined ? null : `${lane.stepId}${lane.isStart ? '*' : ''}`;
    });
}

const plan: RunEventDraft = {
  ...{ type: 'plan_overview', revision: 0, steps: [...PLAN_STEPS] },
};
const start: RunEventDraft = {
  ...{ type: 'parallel_start', groupId: 'g', title: 'Both', taskIds: ['s2', 's3'] },
};

it('names the step of each row where steps run side by side, once for rows in a row', () => {
  const lanes = lanesOf([
    plan,
    call('a', 's1'),
    start,
    say('step-s2/1', 'Two.'),
    call('b', 's2'),
    say('step-s3/1', 'Three.'),
    call('c', 's2'),
    say('step-s3/2', 'Three again.'),
    say('final/1', 'Done.'),
  ]);
  expect(lanes).toEqual([null, 's2*', 's2', 's3*', 's2*', 's3*', null]);
});

it('names no step of a run whose steps follow each other', () => {
  expect(lanesOf([plan, say('step-s1/1', 'One.'), call('a', 's1')])).toEqual([null, null]);
});

it('names the step of a call that was asked about first', () => {
  const asked: RunEventDraft = {
    ...{ type: 'interrupt', interruptId: 'q', kind: 'approval', title: '', message: '' },
    ...{ toolCallId: 'b', toolName: 'execute_code', reasons: [], options: [], attentionMs: 1 },
  };
  expect(lanesOf([plan, start, asked, call('b', 's3')])).toEqual(['s3*']);
});

it('reads the codes of ids that a path cannot hold', () => {
  const step = { ...PLAN_STEPS[0], id: 'a_b' } as (typeof PLAN_STEPS)[number];
  const lanes = lanesOf([
    { ...{ type: 'plan_overview', revision: 0, steps: [step] } },
    { ...{ type: 'parallel_start', groupId: 'g', title: 'One', taskIds: ['a_b'] } },
    say('step-a~005fb/1', 'One.'),
  ]);
  expect(lanes).toEqual(['a_b*']);
});
