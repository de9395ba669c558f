import type { RunEventDraft } from '#contract/events/run-event.ts';

/** Research as the research agent logs it: a web page, a page that contradicts it, a file of the library. */

const QUESTIONS = [
  'What seasonal efficiency do measured installations reach?',
  'What does the flow temperature change?',
  'What does it cost to run?',
];

const PHASES: Readonly<Record<string, string>> = {
  search_loop: 'Searching and reading',
  write_report: 'Writing the report',
};
const phase = (name: string, status: 'running' | 'completed'): RunEventDraft => ({
  ...{ type: 'stage', name: `research_${name}`, status, agent: 'research' },
  description: PHASES[name] ?? 'Working on it',
});

const FOUND: readonly RunEventDraft[] = [
  {
    ...{ type: 'source', index: 1, url: 'https://example.org/field-trial', foundBy: 'searxng' },
    title: 'Field trial of heat pumps in existing buildings',
    snippet: 'Measured seasonal performance of 77 installations.',
  },
  {
    ...{ type: 'source', index: 2, url: 'https://blog.example.net/never?x=1', foundBy: 'searxng' },
    title: 'Why a heat pump never pays in an old house',
  },
  {
    ...{ type: 'source', index: 3, url: 'library:3f9a/radiators%20and%20flow.md' },
    ...{ title: 'radiators and flow.md', foundBy: 'library' },
  },
  {
    ...{ type: 'source', index: 4, url: 'workspace:/bills.csv', title: 'bills.csv' },
    foundBy: 'task',
  },
];

const READ: readonly RunEventDraft[] = [
  {
    ...{ type: 'source', index: 1, url: 'https://example.org/field-trial', foundBy: 'searxng' },
    title: 'Field trial of heat pumps in existing buildings',
    excerpts: [
      {
        number: 1,
        text: 'The 77 air-source installations reached a mean seasonal performance factor of 3.1.',
      },
      { number: 2, text: 'A flow temperature of 55 degrees was exceeded in nine of them.' },
      { number: 3, text: 'Buildings were between 15 and 170 years old.' },
    ],
  },
  {
    ...{ type: 'source', index: 3, url: 'library:3f9a/radiators%20and%20flow.md' },
    ...{ title: 'radiators and flow.md', foundBy: 'library' },
    excerpts: [{ number: 1, text: 'Each degree less of flow saves about 2.5 percent.' }],
  },
];

export const RESEARCH_LIVE: readonly RunEventDraft[] = [
  {
    ...{ type: 'routing', route: 'research', agent: 'research' },
    reason: 'Research mode was chosen.',
  },
  {
    ...{ type: 'handoff', handoffId: 'h1', from: 'orchestrator', to: 'research' },
    ...{ task: 'How good are heat pumps in old houses?', artifacts: ['bills.csv'] },
  },
  phase('init_config', 'running'),
  phase('init_config', 'completed'),
  phase('search_loop', 'running'),
  {
    ...{ type: 'search_plan', planId: 'sp1', depth: 'standard', scenario: 'technical' },
    queries: ['heat pump field trial seasonal performance', 'heat pump flow temperature old house'],
    subQuestions: QUESTIONS,
  },
  ...FOUND,
  ...READ,
  {
    ...{ type: 'knowledge_update', updateId: 'k1', coverage: 2 / 3 },
    summary: 'Measured installations reach a factor of about 3; what it costs is still open.',
    openQuestions: [QUESTIONS[2] ?? ''],
  },
  { type: 'search_plan', planId: 'sp2', queries: ['heat pump running cost per year'] },
];

export const REPORT_MARKDOWN = `# Heat pumps in old houses

## What is measured

The 77 installations reached a mean seasonal performance factor of 3.1. [1] Some sources deny
that it ever pays. [2]

## What the flow temperature changes

Each degree less of flow saves about 2.5 percent. [3] A flow of 55 degrees was exceeded in half of the
houses. [1] Both together decide. [1, 3]

### In numbers

| Flow | Factor |
|---|---:|
| 55 °C | 2.8 [1] |
| 45 °C | 3.4 |

Code keeps its brackets: \`list[1]\`.
`;

export const RESEARCH_DONE: readonly RunEventDraft[] = [
  ...RESEARCH_LIVE,
  { type: 'knowledge_update', updateId: 'k2', coverage: 1, summary: 'Enough.', openQuestions: [] },
  phase('search_loop', 'completed'),
  ...['analyze', 'synthesize', 'write_report'].flatMap((name) => [
    phase(name, 'running'),
    phase(name, 'completed'),
  ]),
  {
    ...{ type: 'report', reportId: 'r1', title: 'Heat pumps in old houses' },
    ...{ markdown: REPORT_MARKDOWN, path: 'reports/heat-pumps.md' },
    citations: [
      {
        claim: 'The 77 installations reached a mean seasonal performance factor of 3.1.',
        ...{ sourceIndex: 1, excerptNumber: 1, supported: true },
      },
      {
        claim: 'A flow of 55 degrees was exceeded in half of the houses.',
        ...{ sourceIndex: 1, excerptNumber: 2, supported: false },
      },
      {
        claim: 'Each degree less of flow saves about 2.5 percent.',
        ...{ sourceIndex: 3, excerptNumber: 1, supported: true },
      },
    ],
    agreements: ['All sources that measured find factors between 2.5 and 3.5.'],
    contradictions: ['A blog [2] says that it never pays; the field trial [1] measured otherwise.'],
    gaps: ['No source says what it costs to run in this town.'],
  },
  { type: 'token', messageId: 'm1', text: 'The report is written: a factor of about 3 is usual.' },
  {
    ...{ type: 'complete', outcome: 'completed', durationMs: 192_000, rounds: 14, toolCalls: 11 },
    answer: 'The report is written: a factor of about 3 is usual.',
  },
];
