import type { Clause, Term } from './clause.ts';
import { oppositesOf } from './concepts.ts';
import { type Finding, open, wrong } from './finding.ts';
import type { SourceText } from './source-text.ts';

/** Share of neighbouring words in common from which a clause counts as copied with changes. */
const COPIED = 0.55;

/** A clause of a statement beside the part of the source that is most like it. */
export class Alignment {
  readonly claim: Clause;
  readonly unit: readonly Clause[];
  readonly source: SourceText;
  readonly terms: readonly Term[];
  readonly held: ReadonlySet<string>;

  constructor(claim: Clause, unit: readonly Clause[], source: SourceText) {
    this.claim = claim;
    this.unit = unit;
    this.source = source;
    this.terms = unit.flatMap(({ terms }) => terms);
    this.held = new Set([
      ...this.terms.map(({ concept }) => concept),
      ...unit.flatMap(({ subject }) => [...subject]),
    ]);
  }

  /** Against the source, where the claim is worded as it is; else rules may misread a paraphrase. */
  against(reason: string): Finding {
    return this.copied() >= COPIED ? wrong(reason) : open(reason);
  }

  inUnit(term: Term): boolean {
    const concept = this.source.find(term);
    return concept !== null && this.held.has(concept);
  }

  conceptOf(term: Term): string {
    return this.source.find(term) ?? term.concept;
  }

  /** What the source speaks of before: “the rainforest” is that of the Amazon. */
  isContext(term: Term): boolean {
    const concept = this.conceptOf(term);
    const [first] = this.unit;
    const until = first === undefined ? 0 : this.source.clauses.indexOf(first);
    return this.source.clauses
      .slice(Math.max(0, until - 3), until)
      .some(({ subject }) => subject.has(concept));
  }

  isNameThere(term: Term): boolean {
    const concept = this.conceptOf(term);
    return this.source.clauses.some(({ terms }) =>
      terms.some((one) => one.concept === concept && one.isName),
    );
  }

  isOpposite(term: Term): boolean {
    const opposites = oppositesOf(term.concept);
    return this.terms.some((one) => opposites.has(one.concept));
  }

  /** Share of the claim's neighbouring words that are neighbours in the source. */
  copied(): number {
    const pairs = pairsOf(this.claim.words);
    if (pairs.length === 0) return 0;
    const there = new Set(this.unit.flatMap(({ words }) => pairsOf(words)));
    return pairs.filter((pair) => there.has(pair)).length / pairs.length;
  }
}

function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}
