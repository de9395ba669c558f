import { Alignment } from './alignment.ts';
import type { Clause, PlacedFigure, Term } from './clause.ts';
import { clausesOf } from './clauses.ts';
import { compareFigures, isDerived, isSmallCount } from './compare-figures.ts';
import { areForms, oppositesOf } from './concepts.ts';
import { FigureChecks } from './figure-checks.ts';
import { type Finding, firstFinding, open, wrong } from './finding.ts';
import { SubjectChecks } from './subject-checks.ts';
import { WordingChecks } from './wording-checks.ts';

/** Share of a claim's words from which one clause of the source is compared with it. */
const CLAUSE = 0.45;

/** A text that statements are compared with. */
export class SourceText {
  readonly #clauses: readonly Clause[];
  readonly #concepts: Set<string>;
  readonly #byConcept = new Map<string, Term[]>();
  readonly #stems: readonly string[];
  readonly #text: string;
  readonly #isHan: boolean;

  constructor(text: string) {
    this.#text = text.normalize('NFKC').toLowerCase();
    this.#clauses = clausesOf(text);
    this.#isHan = this.#clauses.filter(isHan).length * 2 > this.#clauses.length;
    const terms = this.#clauses.flatMap((clause) => clause.terms);
    this.#concepts = new Set(terms.map(({ concept }) => concept));
    this.#stems = [...this.#concepts];
    for (const term of terms)
      this.#byConcept.set(term.concept, [...(this.#byConcept.get(term.concept) ?? []), term]);
  }

  check(claim: Clause): Finding {
    // Figures can be compared in any language, words cannot.
    if (claim.terms.length > 0 && isHan(claim) !== this.#isHan) {
      const figures = this.#clauses.flatMap((one) => one.figures);
      const isKnown = claim.figures.every((figure) =>
        figures.some((one) => compareFigures(figure, one) === 'same'),
      );
      return isKnown ? open('language') : wrong('figure');
    }
    const unit = this.#bestUnit(claim);
    if (unit === null) {
      const all = this.#clauses.flatMap(({ figures }) => figures);
      const isKnown = (figure: PlacedFigure): boolean =>
        isSmallCount(figure) ||
        isDerived(figure, all) ||
        all.some((one) => compareFigures(figure, one) === 'same');
      return claim.figures.every(isKnown) ? open('nothing alike') : wrong('figure');
    }
    const alignment = new Alignment(claim, unit, this);
    return firstFinding([
      () => new FigureChecks(alignment).check(),
      () => new SubjectChecks(alignment).check(),
      () => new WordingChecks(alignment).check(),
    ]);
  }

  /** The concept of the source that a word of a claim stands for; null if it has none. */
  find(term: Term): string | null {
    if (this.#concepts.has(term.concept)) return term.concept;
    if (/\p{Script=Han}/u.test(term.word)) return this.#findHan(term.word);
    return this.#stems.find((stem) => areForms(stem, term.concept)) ?? null;
  }

  /** Words of Chinese are split in more than one way. */
  #findHan(word: string): string | null {
    const holding = this.#stems.find(
      (stem) => stem.includes(word) || (stem.length > 1 && word.includes(stem)),
    );
    return holding ?? (word.length > 1 && this.#text.includes(word) ? word : null);
  }

  get clauses(): readonly Clause[] {
    return this.#clauses;
  }

  /** The clause that is most like the claim; the sentence, where none has enough of it. */
  #bestUnit(claim: Clause): Clause[] | null {
    const wanted = claim.terms.map((term) => ({ term, concept: this.find(term) }));
    const clauses = this.#clauses.map((one) => ({
      unit: [one],
      ...this.#likeness(claim, wanted, [one]),
    }));
    const best = bestOf(clauses);
    if (best === null || best.covered >= CLAUSE) return best?.unit ?? null;
    const bySentence = new Map<number, Clause[]>();
    for (const one of this.#clauses)
      bySentence.set(one.sentence, [...(bySentence.get(one.sentence) ?? []), one]);
    const sentences = [...bySentence.values()].map((unit) => ({
      unit,
      ...this.#likeness(claim, wanted, unit),
    }));
    return bestOf([best, ...sentences])?.unit ?? null;
  }

  #likeness(
    claim: Clause,
    wanted: readonly { readonly term: Term; readonly concept: string | null }[],
    unit: readonly Clause[],
  ) {
    const held = new Set(
      unit.flatMap(({ terms, subject }) => [...terms.map(({ concept }) => concept), ...subject]),
    );
    const figures = unit.flatMap((one) => one.figures);
    let shared = 0;
    let score = 0;
    for (const { term, concept } of wanted) {
      const isHeld = concept !== null && held.has(concept);
      const isOpposite = !isHeld && [...oppositesOf(term.concept)].some((one) => held.has(one));
      if (isHeld || isOpposite) shared += 1;
      if (isHeld) score += term.isLight ? 0.3 : 1;
      else if (isOpposite) score += 0.8;
    }
    for (const figure of claim.figures) {
      if (figures.some((one) => compareFigures(figure, one) === 'same')) {
        score += figure.dimension === 'year' ? 0.8 : 1.3;
      }
    }
    score -=
      0.1 * (unit.length - 1) + 0.01 * unit.reduce((sum, { terms }) => sum + terms.length, 0);
    return { score, covered: wanted.length === 0 ? 1 : shared / wanted.length };
  }
}

function bestOf<Item extends { readonly score: number }>(items: readonly Item[]): Item | null {
  let best: Item | null = null;
  for (const item of items) {
    if (item.score > 0 && (best === null || item.score > best.score + 1e-9)) best = item;
  }
  return best;
}

function isHan({ terms }: Clause): boolean {
  return terms.filter(({ word }) => /\p{Script=Han}/u.test(word)).length * 2 > terms.length;
}
