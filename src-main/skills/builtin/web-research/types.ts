import { z } from 'zod';

/** What a research is about. */
export interface Topic {
  readonly topic: string;
  readonly focus: string | null;
  /** Of the summary; null for that of the topic. */
  readonly language: string | null;
  readonly mostSources: number;
}

/** What a source says, and the words that say it, as they stand there. */
export interface Statement {
  readonly text: string;
  readonly quote: string;
}

/** A source that says something on the topic. */
export interface UsedSource {
  /** From 1; what `[n]` names for the model. Outside, a source has its number among those of the run. */
  readonly index: number;
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly publishedAt: string | null;
  readonly statements: readonly Statement[];
}

/** What the search came to; JSON. */
export interface FoundMaterial {
  readonly queries: readonly string[];
  readonly sources: readonly UsedSource[];
  readonly gaps: readonly string[];
  /** Pages and documents that could be read, whether they said something or not. */
  readonly pagesRead: number;
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
      /** Letter for letter from the source: what its citations rest on. */
      quotes: z.array(z.string()),
    }),
  ),
  queries: z.array(z.string()),
  gaps: z.array(z.string()),
});
export type WebResearchOutput = z.infer<typeof WebResearchOutput>;
