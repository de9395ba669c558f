import type { RunEventOf } from '#contract/events/run-event.ts';

/** The research of a run, from its log. Every part is replaced when it changes. */
export interface ResearchView {
  readonly version: number;
  /** By number, as answers refer to them. */
  readonly sources: ReadonlyMap<number, Source>;
  /** Oldest first. */
  readonly reports: readonly RunEventOf<'report'>[];
  /** Null while the run does no research. */
  readonly progress: ResearchProgress | null;
}

export type Source = Pick<
  RunEventOf<'source'>,
  'index' | 'url' | 'title' | 'snippet' | 'foundBy' | 'excerpts' | 'toolCallId' | 'isRead'
>;

export type Citation = RunEventOf<'report'>['citations'][number];

/** Phases of research, in their order. The log names them in `stage` events. */
export const RESEARCH_PHASES = [
  'init_config',
  'search_loop',
  'analyze',
  'synthesize',
  'write_report',
] as const;
export type ResearchPhase = (typeof RESEARCH_PHASES)[number];

/**
 * The phase that a stage stands for, such as `research_analyze`, or `research_analyze handoff-2` of research that
 * a step handed over; null for any other stage.
 */
export function researchPhase(stage: string): ResearchPhase | null {
  const name = /^research_(\w+)(?: \S+)?$/.exec(stage)?.[1];
  return RESEARCH_PHASES.find((phase) => phase === name) ?? null;
}

export interface ResearchProgress {
  readonly depth: RunEventOf<'search_plan'>['depth'] | null;
  readonly scenario: RunEventOf<'search_plan'>['scenario'] | null;
  readonly phases: ReadonlyMap<ResearchPhase, RunEventOf<'stage'>['status']>;
  readonly subQuestions: readonly string[];
  readonly queries: readonly string[];
  /** Share of the sub-questions with an answer, 0 to 1; null before it was judged. */
  readonly coverage: number | null;
  readonly openQuestions: readonly string[];
  /** What is known so far, from the newest assessment. */
  readonly summary: string;
  readonly found: number;
  /** Sources with excerpts. */
  readonly read: number;
  readonly isOver: boolean;
}

export const NO_PROGRESS: ResearchProgress = {
  depth: null,
  scenario: null,
  phases: new Map(),
  subQuestions: [],
  queries: [],
  coverage: null,
  openQuestions: [],
  summary: '',
  found: 0,
  read: 0,
  isOver: false,
};

/** Each question once, and whether it is open: all are before the first assessment. */
export function questionsOf({
  subQuestions,
  openQuestions,
  coverage,
}: Pick<ResearchProgress, 'subQuestions' | 'openQuestions' | 'coverage'>): readonly {
  readonly text: string;
  readonly isOpen: boolean;
}[] {
  const open = new Set(openQuestions);
  return [...new Set([...subQuestions, ...openQuestions])].map((text) => ({
    text,
    isOpen: coverage === null || open.has(text),
  }));
}

/** How finished research ended: without a report it is `stopped`. */
export function researchEnd({ phases }: Pick<ResearchProgress, 'phases'>): 'done' | 'stopped' {
  return phases.size === 0 || phases.get('write_report') === 'completed' ? 'done' : 'stopped';
}

export function countSources(
  sources: ResearchView['sources'],
): Pick<ResearchProgress, 'found' | 'read'> {
  let found = 0;
  let read = 0;
  for (const { excerpts, toolCallId } of sources.values()) {
    // The executor's own are none of research.
    if (toolCallId !== undefined) continue;
    found += 1;
    if ((excerpts?.length ?? 0) > 0) read += 1;
  }
  return { found, read };
}

/** Sources in the order of their numbers. */
export function sourcesInOrder({ sources }: ResearchView): Source[] {
  return [...sources.values()].sort((a, b) => a.index - b.index);
}

/** The readable address of a source: a web host, or a file of the library or the task. */
export function placeOf(url: string):
  | { readonly kind: 'web'; readonly host: string }
  | { readonly kind: 'library' | 'workspace'; readonly path: string }
  /** Not a usable address. */
  | { readonly kind: 'other'; readonly text: string } {
  const file = /^(library|workspace):\/*(.+)$/is.exec(url);
  if (file !== null) {
    const [, kind = '', path = ''] = file;
    if (kind.toLowerCase() === 'workspace') return { kind: 'workspace', path: decode(path) };
    // The part before the name is the library's own key.
    return { kind: 'library', path: decode(path.split('/').at(-1) ?? path) };
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') {
    return { kind: 'web', host: parsed.host };
  }
  return { kind: 'other', text: url };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone percent sign: the name is meant literally.
    return path;
  }
}
