import { SEARCH_PROVIDERS } from '#contract/search.ts';
import type { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { inLanguage } from '../language.ts';

/** Users know a service by its name, not by the app's id for it. */
const FINDERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SEARCH_PROVIDERS).map(([id, { label }]) => [id, `found by ${label}`] as const),
  ['search', 'found by a search'],
  ['task', 'provided with the task'],
]);

/** Research: its progress, sources, report and options. */
export const researchStrings = inLanguage('researchStrings', {
  title: 'Research',
  ends: { done: 'Research complete', stopped: 'Research ended before the report' },
  phases: {
    init_config: 'Preparing',
    search_loop: 'Searching and reading',
    analyze: 'Analyzing',
    synthesize: 'Synthesizing',
    write_report: 'Writing the report',
  },
  phaseStates: { running: 'running', completed: 'done', failed: 'failed', pending: 'pending' },
  phaseList: 'Phases',
  coverage: (percent: number) => `${percent}% of questions answered`,
  coverageLabel: 'Questions answered',
  subQuestions: 'Questions',
  open: 'open',
  queries: (count: number) => `${count} ${count === 1 ? 'search' : 'searches'}`,
  sources: (found: number, read: number) =>
    `${found} ${found === 1 ? 'source' : 'sources'} found, ${read} used`,
  sourceCount: (count: number) => `${count} ${count === 1 ? 'source' : 'sources'}`,
  known: 'Known so far',
  depths: { fast: 'Fast', standard: 'Standard', deep: 'Deep' } satisfies Record<
    ResearchDepth,
    string
  >,
  scenarios: {
    academic: 'Academic',
    market: 'Market',
    technical: 'Technical',
    news: 'News',
  } satisfies Record<ResearchScenario, string>,
  picker: {
    label: (depth: string, scenario: string) => `Research: ${depth}, ${scenario}`,
    depth: 'Depth',
    depthHints: {
      fast: 'one round of searches, few pages',
      standard: 'a few rounds, the usual choice',
      deep: 'many rounds and pages, takes longest',
    } satisfies Record<ResearchDepth, string>,
    scenario: 'Kind of sources',
    fromSettings: (depth: string) => `Default (${depth})`,
    fromQuestion: 'Automatic',
    anyScenario: 'automatic',
  },
  tab: 'Sources',
  noSources: 'Sources that the agent finds and reads appear here.',
  runLabel: 'Sources of',
  foundBy: (who: string) => FINDERS.get(who) ?? `found by ${who}`,
  isRead: 'read',
  library: 'Your library',
  workspace: 'File of this task',
  excerpts: (count: number) => `${count} ${count === 1 ? 'excerpt' : 'excerpts'}`,
  moreExcerpts: (count: number) => `${count} more`,
  report: {
    tab: 'Report',
    none: 'Reports appear here.',
    chooser: 'Report',
    open: 'Read the report',
    contents: 'Contents',
    citation: (index: number) => `Source ${index}`,
    doubtfulCitation: (index: number) => `Source ${index}, doubtful`,
    supported: 'This excerpt is from the source.',
    doubtful: 'Doubtful: the excerpt does not support what the report says here.',
    unchecked: 'Not checked: neither rules nor a model could tell whether the excerpt says this.',
    noExcerpt: 'No excerpt of this source was saved.',
    unknownSource: 'No source has this number.',
    says: 'The report says',
    toSource: 'Show in Sources',
    count: (all: number, doubtful: number) =>
      doubtful === 0
        ? `${all} ${all === 1 ? 'citation' : 'citations'}`
        : `${doubtful} of ${all} citations ${doubtful === 1 ? 'is' : 'are'} doubtful`,
    agreements: 'Where sources agree',
    contradictions: 'Where sources disagree',
    gaps: 'Open questions',
    export: 'Export report',
    formats: { md: 'Markdown', html: 'HTML', pdf: 'PDF' },
    exporting: 'Exporting',
    contradictionCount: (count: number) =>
      `${count} ${count === 1 ? 'contradiction' : 'contradictions'}`,
    gapCount: (count: number) => `${count} open ${count === 1 ? 'question' : 'questions'}`,
  },
});
