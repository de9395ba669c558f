import { z } from 'zod';
import { Citation } from '#contract/events/research.ts';
import { SearchProviderName } from '#contract/search.ts';
import { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { sha256 } from '../../base/canonical-json.ts';
import type { StepPath } from '../../base/step-path.ts';
import type { RunJournal } from '../../storage/types.ts';

/** The phases, in order; `done`: none left. */
export const PHASES = [
  'init_config',
  'search_loop',
  'analyze',
  'synthesize',
  'write_report',
  'done',
] as const;
export type Phase = (typeof PHASES)[number];

const count = z.int().nonnegative();

/** One result of a search. */
export const Found = z.strictObject({
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  foundBy: z.string(),
});
export type Found = z.infer<typeof Found>;

const StoredExcerpt = z.strictObject({
  /** Unique in the research; models cite this number. */
  id: z.int().positive(),
  /** Position within its source; readers see this number. */
  number: z.int().positive(),
  /** Exactly as in the stored text of the source. */
  text: z.string(),
  /** Positions of the sub-questions that it concerns. */
  about: z.array(count),
});
export type StoredExcerpt = z.infer<typeof StoredExcerpt>;

const StoredSource = z.strictObject({
  ...Found.shape,
  index: z.int().positive(),
  /** What was read: the page, the snippet of the search result, or an attached file. */
  read: z.enum(['page', 'snippet', 'file']),
  sketch: z.array(z.int()),
  excerpts: z.array(StoredExcerpt),
  summary: z.string(),
  isNoted: z.boolean(),
});
export type StoredSource = z.infer<typeof StoredSource>;

const Round = z.strictObject({
  queries: z.array(z.string()),
  /** The results of each query; null until it ran. */
  found: z.array(z.array(Found).nullable()),
  /** The round numbers of its searches and pages in the run. */
  searchRound: z.int().positive(),
  pageRound: z.int().positive().nullable(),
  /** Pages to read, in the order of their numbers; null until they are picked. */
  picked: z.array(Found).nullable(),
  /** How many of them to read; the others replace pages that cannot be read. */
  wanted: count,
  /** Whether the pages became sources, and whether coverage was judged. */
  isTakenIn: z.boolean(),
  isJudged: z.boolean(),
});
export type Round = z.infer<typeof Round>;

/** A sentence with the ids of the excerpts that support it. */
export const Statement = z.strictObject({ text: z.string(), excerpts: z.array(z.int()) });
export type Statement = z.infer<typeof Statement>;

export const Synthesis = z.strictObject({
  agreements: z.array(Statement),
  /** Two statements from different sources that cannot both be right. */
  contradictions: z.array(
    z.strictObject({ topic: z.string(), sides: z.tuple([Statement, Statement]) }),
  ),
  gaps: z.array(z.string()),
});
export type Synthesis = z.infer<typeof Synthesis>;

const StoredReport = z.strictObject({
  reportId: z.string(),
  title: z.string(),
  markdown: z.string(),
  citations: z.array(Citation),
  agreements: z.array(z.string()),
  contradictions: z.array(z.string()),
  gaps: z.array(z.string()),
  /** What the report could not show, in the language of the question. */
  unverified: z.array(z.string()).default([]),
  /** Null if the workspace could not store it. */
  path: z.string().nullable(),
  /** The round number of its message in the run. */
  messageRound: z.int().positive(),
});
export type StoredReport = z.infer<typeof StoredReport>;

/** Everything a research knows so far, stored after each piece of work that cost something. */
export const ResearchState = z.strictObject({
  phase: z.enum(PHASES),
  question: z.string(),
  depth: ResearchDepth,
  scenario: ResearchScenario,
  language: z.enum(['en', 'zh']),
  /** Whether found pages may be read; null until the answer was needed. */
  access: z.enum(['granted', 'refused']).nullable(),
  subQuestions: z.array(z.string()),
  answered: z.array(count),
  nextQueries: z.array(z.string()),
  rounds: z.array(Round),
  sources: z.array(StoredSource),
  /** Pages that did not become sources, and why. */
  skipped: z.array(z.strictObject({ url: z.string(), reason: z.string() })),
  openQuestions: z.array(z.string()),
  summary: z.string(),
  findings: z.array(z.array(Statement)),
  synthesis: Synthesis.nullable(),
  report: StoredReport.nullable(),
  /** Queries that no search could answer, because it failed. */
  failedSearches: z.array(z.string()).default([]),
  /** Phases in which code replaced the model because it gave no usable answer. */
  reduced: z.array(z.string()),
  requests: count,
  toolCalls: count,
  /** The last number used for a request, a round of calls or a message. */
  lastRound: count,
  /** False: carried over from another run, and not yet published in the log of this one. */
  isTold: z.boolean().default(true),
});
export type ResearchState = z.infer<typeof ResearchState>;

/** The result of reading one page. Stored separately, because texts are long and never change. */
export const StoredPage = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('ok'),
    text: z.string(),
    /** The page itself was not read: this is what the search said of it. */
    isSnippet: z.boolean().optional(),
  }),
  z.strictObject({ status: z.literal('failed'), reason: z.string() }),
]);
export type StoredPage = z.infer<typeof StoredPage>;

/** A research, by its run and its branch of it. */
export interface ResearchPlace {
  readonly runId: string;
  readonly branch: StepPath;
}

/** The branches of a run that have research. */
export function researchBranches(journal: RunJournal, runId: string): StepPath[] {
  return journal.list(runId, 'research').map(({ step }) => step);
}

/** Every page that a research read or tried to read. */
export function storedPages(
  journal: RunJournal,
  { runId, branch }: ResearchPlace,
): { readonly key: string; readonly page: StoredPage }[] {
  return journal.list(runId, 'page').flatMap(({ step, payload }) => {
    if (step !== branch) return [];
    const { key, page } = KeyedPage.parse(payload);
    return [{ key, page }];
  });
}

/** The stored state of a research; null if it has not started. */
export function readResearch(
  journal: RunJournal,
  { runId, branch }: ResearchPlace,
): ResearchState | null {
  const entry = journal.newest(runId, branch, 'research');
  return entry === null ? null : ResearchState.parse(entry.payload);
}

export function writeResearch(
  journal: RunJournal,
  { runId, branch }: ResearchPlace,
  state: ResearchState,
): void {
  journal.put(runId, { step: branch, kind: 'research', payload: state });
}

/** The stored text of a page or file; null if it was not read. `key` is from `keyOf`. */
export function readStoredPage(
  journal: RunJournal,
  { runId, branch }: ResearchPlace,
  key: string,
): StoredPage | null {
  const entry = journal.at(runId, branch, sha256(key)).findLast(({ kind }) => kind === 'page');
  return entry === undefined ? null : KeyedPage.parse(entry.payload).page;
}

export function writeStoredPage(
  journal: RunJournal,
  { runId, branch, key }: ResearchPlace & { readonly key: string },
  page: StoredPage,
): void {
  journal.put(runId, { step: branch, kind: 'page', hash: sha256(key), payload: { key, page } });
}

const KeyedPage = z.strictObject({ key: z.string(), page: StoredPage });

export const SearchFound = z.array(
  z.object({
    url: z.string().min(1),
    title: z.string().nullish(),
    snippet: z.string().nullish(),
    provider: SearchProviderName.nullish().catch(null),
  }),
);
