import { describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { type ChatRow, chatRows } from '#renderer/store/chat-rows.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { createFoldOf } from '#renderer/store/fold-steps.ts';
import { emptyRunView } from '#renderer/store/run-view.ts';
import { fakeRun } from '../fakes/fake-state.ts';
import { stepDrafts, stepsEnd } from '../fakes/step-run.ts';
import { log } from './events.ts';

const RUN = fakeRun('run', 't', { status: 'completed' });
const nameOf = (row: ChatRow | null): string => {
  if (row?.kind === 'steps') return `${row.open ? 'open' : 'closed'} steps`;
  if (row?.kind !== 'item') return row?.kind ?? 'none';
  const { item } = row;
  if (item.kind === 'text') return `text ${item.source.trim()}`;
  return item.kind === 'tool' ? `${item.kind} ${item.status}` : item.kind;
};
const rowsOf = (drafts: readonly RunEventDraft[], open = false) => {
  const view = foldEvents(emptyRunView('run'), log(drafts));
  const turn = { run: RUN, prompt: null, answered: null, view };
  const rows = chatRows([turn, turn], { foldOf: createFoldOf(), isOpen: () => open });
  const all = Array.from({ length: rows.count }, (_, index) => index);
  const keys = all.slice(0, rows.count / 2).map((index) => rows.keyAt(index));
  return { names: all.map((index) => nameOf(rows.at(index))), keys, rows };
};
const half = <Value>(list: readonly Value[]): readonly Value[] => list.slice(0, list.length / 2);

describe('the steps of a finished run', () => {
  it('are one line, and the answer stays', () => {
    const { names, rows } = rowsOf([...stepDrafts(5, 5), ...stepsEnd('Done with **all**.')]);
    const turn = ['user', 'closed steps', 'text Done with **all**.', 'end'];
    expect(names).toEqual([...turn, ...turn]);
    const row = rows.at(1);
    expect(row?.kind === 'steps' && { ...row.fold, kept: undefined }).toEqual({
      ...{ steps: 5, undone: 1, files: 5, durationMs: 61_000, from: 0, kept: undefined },
    });
  });

  it.each(['error', 'denied', 'cancelled'] as const)('count %s as not done', (status) => {
    const drafts = stepDrafts(2, 2).map((draft) =>
      draft.type === 'tool_result' && draft.status === 'error' ? { ...draft, status } : draft,
    );
    const row = rowsOf([...drafts, ...stepsEnd('Done.')]).rows.at(1);
    expect(row?.kind === 'steps' && row.fold).toMatchObject({ steps: 2, undone: 1 });
  });

  it('come back in their places, below the line', () => {
    const drafts = [...stepDrafts(2), ...stepsEnd('Done.')];
    const step = (number: number) => ['reasoning', `text Now part ${number}.`, 'tool ok'];
    const { names, keys } = rowsOf(drafts, true);
    expect(half(names)).toEqual([
      ...['user', 'open steps', ...step(1), ...step(2), 'text Done.', 'end'],
    ]);
    expect(new Set(keys).size).toBe(keys.length);
    // A row keeps its key, and so its height and what is open in it.
    expect(keys).toEqual(expect.arrayContaining(rowsOf(drafts).keys));
  });

  it('leave in sight what the answer has from before, and what guardrails say', () => {
    const drafts: RunEventDraft[] = [
      { type: 'token', messageId: 'early', text: 'The first half.' },
      ...stepDrafts(2),
      {
        ...{ type: 'stage', name: 'guardrails', status: 'completed' },
        description: 'Something was redacted',
      },
      ...stepsEnd('The first half.\n\nThe second half.'),
    ];
    const names = half(rowsOf(drafts).names);
    expect(names).toEqual([
      ...['user', 'text The first half.', 'closed steps', 'note'],
      ...['text The first half.\n\nThe second half.', 'end'],
    ]);
  });

  it('leave failed ones in sight where the answer is not verified', () => {
    const drafts = [...stepDrafts(4, 4), ...stepsEnd('Perhaps.', 'unverified')];
    expect(half(rowsOf(drafts).names)).toEqual([
      ...['user', 'closed steps', 'tool error', 'text Perhaps.', 'end'],
    ]);
  });

  it.each([
    ['runs', []],
    ['failed', [{ type: 'error', code: 'INTERNAL', message: 'm', details: {} } as const]],
    ['was stopped', [{ type: 'error', code: 'CANCELLED', message: 'm', details: {} } as const]],
  ])('do not fold in a run that %s', (_name, end: readonly RunEventDraft[]) => {
    const { names } = rowsOf([...stepDrafts(3), ...end]);
    expect(names.filter((name) => name.endsWith('steps'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('tool'))).toHaveLength(6);
  });

  it('do not fold where there is one only', () => {
    const { names } = rowsOf([...stepDrafts(1), ...stepsEnd('Done.')]);
    expect(names).toContain('tool ok');
  });

  it('are read once for each view', () => {
    const view = foldEvents(emptyRunView('run'), log([...stepDrafts(3), ...stepsEnd('Done.')]));
    const foldOf = createFoldOf();
    expect(foldOf(view)).toBe(foldOf(view));
  });
});
