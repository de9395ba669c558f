import { describe, expect, it } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { styleFor } from '#main/cli/style.ts';
import { textPrinter } from '#main/cli/text-printer.ts';
import { PLANNED_UNVERIFIED } from '../../fakes/planned-run.ts';
import { RESEARCH_DONE } from '../../fakes/research-run.ts';

/** What a terminal without colours shows of a run. */
function printed(drafts: readonly RunEventDraft[]): string[] {
  let text = '';
  const printer = textPrinter(
    (more) => {
      text += more;
    },
    styleFor({ isTTY: false }, {}),
  );
  for (const [index, draft] of drafts.entries()) {
    printer.print({ runId: 'run', seq: index + 1, at: 0, ...draft } as RunEvent);
  }
  printer.finish();
  return text.trimEnd().split('\n');
}

describe('a planned run at the terminal', () => {
  const lines = printed(PLANNED_UNVERIFIED);

  it('begins with the route and the checklist, with ids and dependencies', () => {
    expect(lines.slice(0, 7)).toEqual([
      '· planned in steps (planner): Several steps that build on each other: "then", "both", "and write".',
      'Plan',
      '  [ ] s1  Look at the columns of both exports',
      '  [ ] s2  Total the orders by region (needs s1)',
      '  [ ] s3  Total the returns by region (needs s1)',
      '  [ ] s4  Draw both as one chart and write a summary (needs s2, s3)',
      '● s1  Look at the columns of both exports',
    ]);
  });

  it('labels calls with their step when several run in parallel', () => {
    const from = lines.indexOf('∥ 2 steps at the same time (s2, s3)');
    expect(lines.slice(from + 1, from + 6)).toEqual([
      '● s2  Total the orders by region',
      '● s3  Total the returns by region',
      '▸ [s2] execute_code {"language":"python","code":"orders.groupby(\\"region\\")[\\"revenue\\"].sum()"}',
      '▸ [s3] execute_code {"language":"python","code":"returns.groupby(\\"region\\")[\\"revenue\\"].sum()"}',
      '✓ [s2] execute_code (0.6 s, bubblewrap)',
    ]);
  });

  it('names the failed checks and prints the new plan', () => {
    const from = lines.indexOf('! s3: check failed, 0 of 2 checks passed');
    expect(lines.slice(from, from + 7)).toEqual([
      '! s3: check failed, 0 of 2 checks passed',
      '    ✗ returns-by-region.csv exists and opens (There is no such file.)',
      '    ✗ python total.py ends without an error (It ended with exit code 1.)',
      '✗ s3  Total the returns by region (4.2 s): returns.csv has no column "region".',
      '· The same call failed three times in a row; the model was told to try another way.',
      'Plan, revision 1: Step s3 failed: returns.csv has no column "region".',
      '  [x] s1  Look at the columns of both exports',
    ]);
  });

  it('ends with the claims that have no evidence, unless the answer names them', () => {
    expect(lines.slice(-3)).toEqual([
      'The summary is written and the chart is drawn.',
      'Not verified. Claims without evidence:',
      '    ✗ The chart shows both (No picture was written.)',
    ]);
    const open = PLANNED_UNVERIFIED.slice(0, -2);
    const answer = 'Written.\n\nNo check could confirm this:\n\n- The chart shows both';
    const end: RunEventDraft = {
      ...{ type: 'complete', outcome: 'unverified', durationMs: 1, rounds: 1, toolCalls: 1 },
      answer,
    };
    expect(printed([...open, end]).slice(-2)).toEqual(['- The chart shows both', 'Not verified.']);
  });

  it('says where the wording left the route open, and what the model made of it', () => {
    expect(
      printed([
        { type: 'routing', route: 'uncertain', agent: 'executor', reason: 'Hard to say.' },
        { type: 'routing', route: 'complex', agent: 'executor', reason: 'It made a plan.' },
      ]),
    ).toEqual([
      '· started directly, may be planned or researched (executor): Hard to say.',
      '· planned in steps (executor): It made a plan.',
    ]);
  });

  it('lets no title, fact or excerpt control the terminal', () => {
    const evil = 'a\u001b[2Jb\u202ec';
    const text = printed([
      { type: 'routing', route: 'simple', agent: 'executor', reason: evil },
      {
        ...{ type: 'plan_overview', revision: 0, reason: evil },
        steps: [
          {
            ...{ id: 's1', title: evil, goal: '', toolsHint: [], expectedEvidence: [] },
            dependsOn: [],
          },
        ],
      },
      { type: 'plan_step', stepId: 's1', title: evil, status: 'running' },
      {
        ...{ type: 'verification', verificationId: 'v', stepId: 's1', verdict: 'failed' },
        facts: [{ claim: evil, holds: false, evidence: evil }],
      },
      {
        ...{ type: 'plan_step_completed', revision: 0, stepId: 's1', status: 'failed' },
        ...{ summary: evil, durationMs: 1 },
      },
      {
        ...{ type: 'handoff', handoffId: 'h', from: 'planner', to: 'research', task: evil },
        artifacts: [evil],
      },
      {
        ...{ type: 'source', index: 1, url: evil, title: evil, foundBy: evil },
        excerpts: [{ number: 1, text: evil }],
      },
      { type: 'search_plan', planId: 'p', queries: [evil], subQuestions: [evil] },
      { type: 'knowledge_update', updateId: 'k', summary: evil, openQuestions: [evil] },
      {
        ...{ type: 'report', reportId: 'r', title: evil, markdown: evil, path: evil },
        citations: [{ claim: evil, sourceIndex: 1, excerptNumber: 1, supported: false }],
        ...{ agreements: [evil], contradictions: [evil], gaps: [evil] },
      },
      {
        ...{ type: 'complete', outcome: 'unverified', answer: '', durationMs: 1 },
        ...{ rounds: 1, toolCalls: 0 },
      },
    ]).join('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text.split('⟨U+202E⟩').length).toBeGreaterThan(20);
  });
});

describe('research at the terminal', () => {
  const lines = printed(RESEARCH_DONE);

  it('prints questions, searches and progress, and the report with its doubtful citations', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        '· questions (standard, technical):',
        '    ? What does it cost to run?',
        '· 67 % answered: Measured installations reach a factor of about 3; what it costs is still open.',
        '    still open: What does it cost to run?',
        '▣ Heat pumps in old houses (reports/heat-pumps.md)',
        '    3 citations, 1 of them doubtful; 1 contradiction, 1 open point',
        '    doubtful [1]: A flow of 55 degrees was exceeded in half of the houses.',
        '    contradiction: A blog [2] says that it never pays; the field trial [1] measured otherwise.',
      ]),
    );
  });

  it('does not repeat what the answer says', () => {
    const [end] = RESEARCH_DONE.slice(-1);
    const answer =
      'Report.\n\n> The 77 air\\-source installations reached a mean seasonal performance factor of 3.1.\n\n> Each degree less of flow saves about 2.5 percent.';
    const output = printed([...RESEARCH_DONE.slice(0, -1), { ...end, answer } as RunEventDraft]);
    expect(output.slice(output.indexOf('Sources')).slice(1)).toEqual([
      '[1] Field trial of heat pumps in existing buildings https://example.org/field-trial (searxng)',
      '    “A flow temperature of 55 degrees was exceeded in nine of them.”',
      '    “Buildings were between 15 and 170 years old.”',
    ]);
  });

  it('names each source once, and ends with the excerpts of those that were used', () => {
    const first = lines.filter((line) => line.startsWith('[1] '));
    expect(first).toHaveLength(2);
    expect(lines.slice(lines.indexOf('Sources'))).toEqual([
      'Sources',
      '[1] Field trial of heat pumps in existing buildings https://example.org/field-trial (searxng)',
      '    “The 77 air-source installations reached a mean seasonal performance factor of 3.1.”',
      '    “A flow temperature of 55 degrees was exceeded in nine of them.”',
      '    “Buildings were between 15 and 170 years old.”',
      '[3] radiators and flow.md library:3f9a/radiators%20and%20flow.md (library)',
      '    “Each degree less of flow saves about 2.5 percent.”',
    ]);
  });
});

it('prints background programs after the run', () => {
  expect(
    printed([
      { type: 'stage', name: 'sandbox_start', status: 'completed', description: 'is up' },
      {
        ...{ type: 'stage', name: 'background', status: 'completed' },
        description:
          'In the background until the app ends: 1 program: npm run dev\u001b[2J (pid 7)',
      },
    ]),
  ).toEqual(['· In the background until the app ends: 1 program: npm run dev⟨U+001B⟩[2J (pid 7)']);
});
