import { checkStatement } from '#main/research-text/statements/check-statement.ts';
import type { Verdict } from '#main/research-text/statements/finding.ts';
import type { CitationCase } from '../../test/fakes/citation-cases.ts';

/** A case that was judged wrongly: an altered statement supported, or a true one unsupported. */
export interface CitationMiss {
  readonly case: CitationCase;
  readonly got: Verdict;
  readonly reason: string;
}

export type Verdicts = Readonly<Record<Verdict, number>>;

/** How a set of statements was judged by rules alone, without a model. */
export interface CitationCount {
  readonly altered: Verdicts;
  readonly true: Verdicts;
  /** Pairs in two languages, which words cannot compare; counted apart. */
  readonly cross: { readonly altered: Verdicts; readonly true: Verdicts };
  /** By kind, without pairs in two languages. */
  readonly kinds: ReadonlyMap<string, Verdicts>;
  readonly misses: readonly CitationMiss[];
}

export function countCitations(cases: readonly CitationCase[]): CitationCount {
  const none = () => ({ supported: 0, open: 0, unsupported: 0 });
  const count = { altered: none(), true: none(), cross: { altered: none(), true: none() } };
  const kinds = new Map<string, Record<Verdict, number>>();
  const misses: CitationMiss[] = [];
  for (const one of cases) {
    const { verdict, reason } = checkStatement(one.statement, [one.source]);
    const group = one.cross === true ? count.cross : count;
    group[one.supported ? 'true' : 'altered'][verdict] += 1;
    if (one.cross !== true) {
      const kind = kinds.get(one.kind) ?? none();
      kind[verdict] += 1;
      kinds.set(one.kind, kind);
    }
    const isMiss = one.supported ? verdict === 'unsupported' : verdict === 'supported';
    if (isMiss) misses.push({ case: one, got: verdict, reason });
  }
  return { ...count, kinds, misses };
}

export function total({ supported, open, unsupported }: Verdicts): number {
  return supported + open + unsupported;
}

/** Share of altered statements that are not shown as supported, 0 to 1; 1 without any. */
export function caught({ altered }: CitationCount): number {
  return total(altered) === 0 ? 1 : 1 - altered.supported / total(altered);
}

/** Share of true statements that are marked as not supported, 0 to 1; 0 without any. */
export function marked({ true: kept }: CitationCount): number {
  return total(kept) === 0 ? 0 : kept.unsupported / total(kept);
}
