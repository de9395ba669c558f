import { SEARCH_PROVIDER_LABELS } from '#contract/search.ts';
import type { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import type { ResearchPhase } from './store/research-view.ts';

/** People know a service by its name, not by the app's id for it. */
const FINDERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SEARCH_PROVIDER_LABELS).map(
    ([id, label]) => [id, `found by ${label}`] as const,
  ),
  ['search', 'found by a search'],
  ['task', 'given with the task'],
]);

/** Words of research: its progress, the sources, the report, and what is chosen before it. */
export const researchStrings = {
  title: 'Research',
  ends: { done: 'Research is done', stopped: 'Research ended before its report' },
  phases: {
    init_config: 'Getting ready',
    search_loop: 'Searching and reading',
    analyze: 'Weighing',
    synthesize: 'Bringing together',
    write_report: 'Writing the report',
  } satisfies Record<ResearchPhase, string>,
  phaseStates: { running: 'now', completed: 'done', failed: 'failed', pending: 'to come' },
  phaseList: 'Phases',
  coverage: (percent: number) => `${percent} % of the questions have an answer`,
  coverageLabel: 'Questions with an answer',
  subQuestions: 'Questions',
  open: 'still open',
  queries: (count: number) => `${count} ${count === 1 ? 'search' : 'searches'}`,
  sources: (found: number, read: number) =>
    `${found} ${found === 1 ? 'source' : 'sources'} found, ${read} used`,
  sourceCount: (count: number) => `${count} ${count === 1 ? 'source' : 'sources'}`,
  showSources: 'Show the sources',
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
    depth: 'How far it goes',
    depthHints: {
      fast: 'one round of searches, few pages',
      standard: 'some rounds, the usual choice',
      deep: 'many rounds and pages; takes long',
    } satisfies Record<ResearchDepth, string>,
    scenario: 'What kind of sources',
    fromSettings: (depth: string) => `As the settings say (${depth})`,
    fromQuestion: 'As the question suggests',
    anyScenario: 'by the question',
  },
  tab: 'Sources',
  noSources: 'Sources that the agent finds and reads appear here.',
  runLabel: 'Sources of',
  foundBy: (who: string) => FINDERS.get(who) ?? `found by ${who}`,
  library: 'Your library',
  workspace: 'File of this task',
  excerpts: (count: number) => `${count} ${count === 1 ? 'excerpt' : 'excerpts'}`,
  moreExcerpts: (count: number) => `${count} more`,
  noExcerpts: 'No words of it were kept.',
  report: {
    tab: 'Report',
    none: 'Reports appear here.',
    chooser: 'Report',
    open: 'Read the report',
    contents: 'Contents',
    citation: (index: number) => `Source ${index}`,
    doubtfulCitation: (index: number) => `Source ${index}, doubtful`,
    supported: 'These words stand in the source.',
    doubtful: 'Doubtful: the excerpt does not hold what the report says here.',
    noExcerpt: 'No words of this source were kept.',
    unknownSource: 'This number belongs to no source.',
    says: 'The report says',
    toSource: 'Show in Sources',
    count: (all: number, doubtful: number) =>
      doubtful === 0
        ? `${all} ${all === 1 ? 'citation' : 'citations'}`
        : `${doubtful} of ${all} citations ${doubtful === 1 ? 'is' : 'are'} doubtful`,
    agreements: 'Where sources agree',
    contradictions: 'Where sources contradict each other',
    gaps: 'What is not known',
    export: 'Save the report',
    formats: { md: 'Markdown', html: 'HTML', pdf: 'PDF' },
    exporting: 'Making the file',
    contradictionCount: (count: number) =>
      `${count} ${count === 1 ? 'contradiction' : 'contradictions'}`,
    gapCount: (count: number) => `${count} open ${count === 1 ? 'point' : 'points'}`,
  },
} as const;
