import { describe, expect, it } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { emptyRunView, type RunView, type ToolItem } from '#renderer/store/run-view.ts';
import { shownStages, stageDepth } from '#renderer/store/skill-view.ts';
import {
  ANALYSIS_OUTPUT,
  examSession,
  SKILL_RUN,
  skillCall,
  skillResult,
  skillStage,
} from '../fakes/skill-run.ts';
import { log } from './events.ts';

function fold(events: readonly RunEvent[]): RunView {
  return foldEvents(emptyRunView('run'), events);
}

function cards({ transcript }: RunView): readonly ToolItem[] {
  return transcript.items.filter((item) => item.kind === 'tool');
}

function stagesOf(item: ToolItem | undefined): unknown {
  const work = item?.skill;
  if (work == null) return null;
  return shownStages(work).map((stage) => [
    stageDepth(work, stage),
    stage.description,
    stage.status,
    stage.endedAt === null ? null : stage.endedAt - stage.startedAt,
  ]);
}

describe('a skill in the conversation', () => {
  it('is one card: its stages with those of nested skills, its calls and its result', () => {
    const [card, ...others] = cards(fold(log(SKILL_RUN)));
    expect(others).toEqual([]);
    expect({
      status: card?.status,
      skill: card?.skill?.skillId,
      stages: stagesOf(card),
      calls: card?.skill?.calls.map(({ name, status, content }) => [name, status, content]),
      output: card?.skill?.output,
    }).toEqual({
      status: 'ok',
      skill: 'data_analysis',
      stages: [
        [0, 'Plan the analysis', 'completed', 100],
        [0, 'Calculate', 'completed', 700],
        [1, 'Skill Charts', 'completed', 300],
        [1, 'Draw a chart', 'completed', 100],
      ],
      calls: [['execute_code', 'ok', '3385.0']],
      output: ANALYSIS_OUTPUT,
    });
  });

  it('shows the running stage with its newest description', () => {
    const more = skillStage('data_analysis', 'code', 'running', { description: 'Round 2 of 5' });
    const [card] = cards(fold(log([...SKILL_RUN.slice(0, 5), more])));
    expect([card?.status, stagesOf(card)]).toEqual([
      'running',
      [
        [0, 'Plan the analysis', 'completed', 100],
        [0, 'Round 2 of 5', 'running', null],
      ],
    ]);
  });

  it('keeps a question about a program of the skill in the card of the skill', () => {
    const asked: RunEventDraft = {
      ...{ type: 'interrupt', interruptId: 'q', kind: 'approval', title: 'Run it?', message: '' },
      ...{ toolCallId: 'call-skill.1', toolName: 'execute_code', reasons: [], options: [] },
      attentionMs: 1_000,
    };
    const view = fold(log([...SKILL_RUN.slice(0, 5), asked]));
    const [card, ...others] = cards(view);
    expect([
      others.length,
      card?.skill?.calls.map(({ toolCallId, status }) => [toolCallId, status]),
      [...view.questions.open.keys()],
    ]).toEqual([0, [['call-skill.1', 'waiting']], ['q']]);
  });

  it('leaves calls of a script alone: only what a skill calls is in its card', () => {
    const script = (toolCallId: string, name: string): RunEventDraft => ({
      ...{ type: 'tool_call', toolCallId, name, risk: 'low', effect: 'read' },
      ...{ agent: 'executor', round: 1, arguments: {} },
    });
    const view = fold(log([script('c', 'execute_script'), script('c.1', 'web_search')]));
    expect(cards(view).map(({ name }) => name)).toEqual(['execute_script', 'web_search']);
  });

  it('gives a run that is one skill a card without a call, and ends it with the skill', () => {
    const direct = SKILL_RUN.slice(1, -1);
    const [card, ...others] = cards(fold(log(direct)));
    expect([others.length, card?.status, card?.skill?.direct, card?.skill?.output]).toEqual([
      ...[0, 'ok', true],
      ANALYSIS_OUTPUT,
    ]);
    const failed = skillStage('data_analysis', null, 'failed', { description: 'No such file.' });
    const [broken] = cards(fold(log([...SKILL_RUN.slice(1, 4), failed])));
    expect([broken?.status, broken?.content]).toEqual(['error', 'No such file.']);
    const stop: RunEventDraft = {
      ...{ type: 'error', code: 'CANCELLED', message: 'You stopped this run.', details: {} },
    };
    const [stopped] = cards(fold(log([...SKILL_RUN.slice(1, 5), stop])));
    expect(stopped?.status).toBe('cancelled');
  });

  it('keeps the output of a skill within a skill out of the outer card', () => {
    const inner: RunEventDraft = {
      ...{ type: 'skill_output', skillId: 'inner', executionId: 'x', output: { a: 1 } },
      toolCallId: 'call-skill.4',
    };
    const [card, ...others] = cards(
      fold(log([...SKILL_RUN.slice(0, 5), skillCall('call-skill.4', 'inner'), inner])),
    );
    expect([others.length, card?.skill?.output]).toEqual([0, null]);
  });

  it('updates the progress of a Markdown skill in place, and makes a new card when it is loaded again', () => {
    const second: RunEventDraft = { ...examSession(), walkId: 'w2' } as RunEventDraft;
    const done = examSession({ status: 'completed', refusals: [] });
    const view = fold(log([examSession(), { type: 'todo_update', markdown: '' }, done, second]));
    const sessions = view.transcript.items.flatMap((item) =>
      item.kind === 'walk' ? [[item.key, item.walk.status, item.walk.refusals.length]] : [],
    );
    expect(sessions).toEqual([
      ['walk w1', 'completed', 0],
      ['walk w2', 'active', 1],
    ]);
  });

  it('shows the same after a reload at any event', () => {
    const events = log([...SKILL_RUN, examSession()]);
    const whole = fold(events);
    for (let cut = 0; cut <= events.length; cut += 1) {
      expect(foldEvents(fold(events.slice(0, cut)), events.slice(cut))).toEqual(whole);
    }
  });

  it('makes a new card object for each event, so that the row is rendered again', () => {
    const events = log(SKILL_RUN);
    const before = fold(events.slice(0, 3));
    const [old] = cards(before);
    const [fresh] = cards(foldEvents(before, events.slice(3, 4)));
    expect([fresh === old, fresh?.skill === old?.skill]).toEqual([false, false]);
  });
});

describe('a long run of skills', () => {
  /** Events of one skill with `count` stages and calls. */
  const long = (count: number): RunEvent[] => {
    const drafts: RunEventDraft[] = [skillCall('c', 'data_analysis')];
    const place = { executionId: 'e', toolCallId: 'c' };
    for (let n = 0; n < count; n += 1) {
      const call = `c.${n}.1`;
      drafts.push(skillStage('data_analysis', `s${n}`, 'running', place));
      drafts.push({ ...skillCall(call, 'x'), name: 'web_search' } as RunEventDraft);
      drafts.push(skillResult(call, 'found', { name: 'web_search' }));
      drafts.push(skillStage('data_analysis', `s${n}`, 'completed', place));
    }
    return log(drafts);
  };
  /** Milliseconds that this thread computes: other programs on the machine do not count. */
  const time = (events: readonly RunEvent[]): number => {
    const before = process.threadCpuUsage();
    fold(events);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };

  it('costs as much for each event as a short one', () => {
    const [short, whole] = [long(1_250), long(12_500)];
    time(short);
    const least = (events: readonly RunEvent[]): number =>
      Math.min(...[1, 2, 3, 4, 5].map(() => time(events)));
    const [few, many] = [least(short), least(whole)];
    console.log(
      `fold of skills: ${short.length} events ${few.toFixed(1)} ms, ${whole.length} events ${many.toFixed(1)} ms`,
    );
    const [card] = cards(fold(whole));
    expect([card?.skill?.stages.length, card?.skill?.calls.length]).toEqual([12_500, 12_500]);
    // Ten times the events: a quadratic fold would take a hundred times as long.
    expect(many).toBeLessThan(Math.max(few, 2) * 40);
  });
});
