import { expect, it } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { SkillProgress } from '#contract/skills.ts';
import { styleFor } from '#main/cli/style.ts';
import { textPrinter } from '#main/cli/text-printer.ts';

/** What a terminal without colours shows; each event comes a second after the one before. */
function printed(...drafts: readonly RunEventDraft[]): string[] {
  let text = '';
  const printer = textPrinter(
    (more) => {
      text += more;
    },
    styleFor({ isTTY: false }, {}),
  );
  for (const [index, draft] of drafts.entries()) {
    printer.print({ runId: 'run', seq: index + 1, at: index * 1_000, ...draft } as RunEvent);
  }
  printer.finish();
  return text.trimEnd().split('\n');
}

const stage = (
  id: string,
  [status, description, inner = '']: readonly ['running' | 'completed' | 'failed', string, string?],
): RunEventDraft => ({
  ...{ type: 'stage', name: `skill_${id}${inner}`, status, description },
  skill: { id, executionId: `exe_${id}`, toolCallId: 'call_1' },
});
const output = (given: Record<string, unknown>, more: object = {}): RunEventDraft => ({
  ...{ type: 'skill_output', skillId: 'web_research', executionId: 'exe_1', output: given },
  ...more,
});

it('shows a skill from start to end, with its stages and those of a nested skill', () => {
  expect(
    printed(
      stage('web_research', ['running', 'Skill Web Research']),
      stage('web_research', ['running', 'Searching', '.search']),
      stage('web_research', ['running', '3 of 5 pages\u001b[2J\nread', '.search']),
      stage('summarise', ['running', 'Skill Summarise']),
      stage('summarise', ['failed', 'No text.\u202e']),
      stage('web_research', ['failed', 'Searching', '.search']),
      stage('web_research', ['running', 'progress without a stage']),
      stage('web_research', ['completed', 'Searching', '.search']),
      stage('web_research', ['completed', 'Skill Web Research']),
    ),
  ).toEqual([
    '◆ web_research Skill Web Research',
    '· web_research Searching',
    '· web_research 3 of 5 pages read',
    '◆ summarise Skill Summarise',
    '✗ summarise (1.0 s): No text.⟨U+202E⟩',
    '· web_research Searching (failed)',
    '· web_research progress without a stage',
    '◆ web_research done (8.0 s)',
  ]);
});

it('prints outputs by name and size, with their addresses', () => {
  expect(
    printed(
      output({ summary: 'x'.repeat(41), kind: 'news', sources: [1, 2], more: { a: 1 }, ok: true }),
      output({}, { previewUrl: 'http://127.0.0.1:1/\u202e', downloadUrl: 'file.zip' }),
      output({ 'a\nb': 1 }),
    ),
  ).toEqual([
    '▣ web_research returned summary (41 characters), kind, sources (2), more, ok',
    '▣ web_research returned nothing',
    '    http://127.0.0.1:1/⟨U+202E⟩',
    '    file.zip',
    '▣ web_research returned a b',
  ]);
});

it('shows the progress of a Markdown skill: steps, files, answers, refusals, the end', () => {
  const step = (number: number, more: Partial<SkillProgress['steps'][number]> = {}) => ({
    ...{ number, title: `Step ${number}`, subskills: ['q.md'], checkpoints: ['ok?'] },
    ...{ status: 'pending' as const, read: [], answered: [] },
    ...more,
  });
  const walk = (more: Partial<SkillProgress>): RunEventDraft => ({
    type: 'skill_walk',
    walkId: 'walk_1',
    walk: {
      ...{ skill: 'exam-tutor', sha256: '0'.repeat(64), status: 'active', refusals: [] },
      steps: [step(1), step(2)],
      ...more,
    },
  });
  const refusals = [{ what: 'step 2', why: 'step 1 asks for q.md' }];
  const done = step(1, { status: 'done', read: ['q.md'], answered: ['ok?'] });
  expect(
    printed(
      walk({}),
      walk({ refusals }),
      walk({ refusals, steps: [step(1, { read: ['q.md'] }), step(2)] }),
      walk({ refusals, steps: [done, step(2)] }),
      walk({
        refusals: [...refusals, { what: 'load\nmore', why: 'no\u202e' }],
        ...{ status: 'cancelled', steps: [done, step(2)] },
      }),
    ),
  ).toEqual([
    '☰ exam-tutor: 2 steps',
    '  [ ] 1. Step 1',
    '  [ ] 2. Step 2',
    '! exam-tutor, refused: step 2: step 1 asks for q.md',
    '    exam-tutor, step 1: read q.md',
    '    exam-tutor, step 1: you answered: ok?',
    '  [x] 1. Step 1',
    '! exam-tutor, refused: load more: no⟨U+202E⟩',
    '☰ exam-tutor: cancelled',
  ]);
});

it('keeps the progress of two skills apart', () => {
  const walk = (walkId: string, skill: string): RunEventDraft => ({
    ...{ type: 'skill_walk', walkId },
    walk: { skill, sha256: '0'.repeat(64), status: 'completed', steps: [], refusals: [] },
  });
  expect(printed(walk('w1', 'one'), walk('w2', 'two'), walk('w1', 'one'))).toEqual([
    ...['☰ one: 0 steps', '☰ one: done', '☰ two: 0 steps', '☰ two: done'],
  ]);
});
