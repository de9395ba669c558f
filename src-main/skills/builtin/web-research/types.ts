import { z } from 'zod';

/** The topic of a research. */
export interface Topic {
  readonly topic: string;
  readonly focus: string | null;
  /** Language of the summary; null for that of the topic. */
  readonly language: string | null;
  readonly mostSources: number;
}

/** A statement of a source, and the passage that says it, verbatim. */
export interface Statement {
  readonly text: string;
  readonly quote: string;
}

/** A source that says something about the topic. */
export interface UsedSource {
  /** From 1; the `[n]` that the model sees. In the output, sources are numbered as in the run. */
  readonly index: number;
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly publishedAt: string | null;
  readonly statements: readonly Statement[];
}

/** The result of searching and reading; JSON. */
export interface FoundMaterial {
  readonly queries: readonly string[];
  readonly sources: readonly UsedSource[];
  readonly gaps: readonly string[];
  /** Pages and documents that could be read, useful or not. */
  readonly pagesRead: number;
  /** Searches that failed, and pages that were not read because that was denied, in words. */
  readonly problems: readonly string[];
}

export const WebResearchOutput = z.object({
  /** Markdown; `[n]` names a source. */
  summary: z.string(),
  key_findings: z.array(z.object({ statement: z.string(), sources: z.array(z.int()).min(1) })),
  sources: z.array(
    z.object({
      index: z.int(),
      title: z.string(),
      url: z.string(),
      snippet: z.string(),
      published_at: z.string().nullable(),
      /** Verbatim from the source: the basis of its citations. */
      quotes: z.array(z.string()),
    }),
  ),
  queries: z.array(z.string()),
  gaps: z.array(z.string()),
});
export type WebResearchOutput = z.infer<typeof WebResearchOutput>;
