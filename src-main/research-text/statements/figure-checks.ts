import type { Alignment } from './alignment.ts';
import type { Clause, PlacedFigure, Term } from './clause.ts';
import { compareFigures, isDerived, isSmallCount } from './compare-figures.ts';
import { FINE, type Finding, open, wrong } from './finding.ts';

/** Figures that one may be mistaken for, and figures of one claim that are compared: more is a table. */
const MOST_RIVALS = 40;
const MOST_FIGURES = 30;

/** Whether each figure of a claim is in the source, with its unit, and of the same thing. */
export class FigureChecks {
  readonly #a: Alignment;

  constructor(alignment: Alignment) {
    this.#a = alignment;
  }

  /** What is against the claim, if anything. */
  check(): Finding {
    return this.#figures();
  }

  #figures(): Finding {
    const figures = this.#a.unit.flatMap((one) => [...one.figures, ...one.inherited]);
    const sentence = new Set(this.#a.unit.map((one) => one.sentence));
    const beside = this.#a.source.clauses
      .filter((one) => sentence.has(one.sentence))
      .flatMap((one) => one.figures);
    if (this.#a.claim.figures.length > MOST_FIGURES) return open('figures');
    for (const figure of this.#a.claim.figures) {
      const found = figures.filter((one) => compareFigures(figure, one) === 'same');
      if (found.length > 0) {
        const finding = this.#placed(figure, found, beside);
        if (finding !== FINE) return finding;
        continue;
      }
      if (this.#isMaximum(figure, figures)) continue;
      const bound = figures.find((one) => compareFigures(figure, one) === 'bound');
      if (bound !== undefined) {
        return isContrary(figure, bound) ? wrong('bound') : this.#a.against('bound');
      }
      if (this.#isTimeFromBefore(figure, beside)) continue;
      return this.#missing(figure);
    }
    return FINE;
  }

  #missing(figure: PlacedFigure): Finding {
    if (this.#isElsewhere(figure)) return this.#a.against('figure');
    const all = this.#a.source.clauses.flatMap(({ figures }) => figures);
    return isSmallCount(figure) || isDerived(figure, all) ? open('figure') : wrong('figure');
  }

  #isElsewhere(figure: PlacedFigure): boolean {
    return this.#a.source.clauses.some(({ figures }) =>
      figures.some((one) => compareFigures(figure, one) === 'same'),
    );
  }

  #isMaximum(figure: PlacedFigure, figures: readonly PlacedFigure[]): boolean {
    return (
      figure.bound === 'less' &&
      ['maximum', 'larg', 'highest', 'deep'].some((one) => this.#a.held.has(one)) &&
      figures.some((one) => one.value === figure.value)
    );
  }

  /** A year that the sentence, or one before it, gives for all that follows. */
  #isTimeFromBefore(figure: PlacedFigure, beside: readonly PlacedFigure[]): boolean {
    if (!['year', 'month', 'day', 'decade'].includes(figure.dimension)) return false;
    const isElided =
      this.#a.unit[0]?.ownSubject.length === 0 ||
      beside[0]?.start === 0 ||
      (beside[0]?.start ?? 9) < 3;
    if (isElided && beside.some((one) => compareFigures(figure, one) === 'same')) {
      return !this.#a.unit.some(({ figures }) =>
        figures.some(({ dimension }) => dimension === figure.dimension),
      );
    }
    if (beside.some(({ dimension }) => dimension === figure.dimension)) return false;
    const first = Math.min(...this.#a.unit.map(({ sentence }) => sentence));
    const before = this.#a.source.clauses.filter(
      ({ sentence }) => sentence < first && sentence >= first - 2,
    );
    return before.some(({ figures }) =>
      figures.some((one) => compareFigures(figure, one) === 'same'),
    );
  }

  /** Whether a figure belongs to the words that it stands beside in the claim. */
  #placed(
    figure: PlacedFigure,
    found: readonly PlacedFigure[],
    all: readonly PlacedFigure[],
  ): Finding {
    if (found.every((one) => contraryPrepositions(figure, one)))
      return this.#a.against('figure swapped');
    const rivals = all
      .filter((one) => isSameKind(one, figure) && !found.includes(one))
      .slice(0, MOST_RIVALS);
    if (rivals.length === 0 || this.#isInOrder(figure, found, rivals)) return FINE;
    const near = this.#near(this.#a.claim, figure).map((one) => this.#a.conceptOf(one));
    const shared = (one: PlacedFigure): number => {
      const clause = this.#a.source.clauses.find(({ figures }) => figures.includes(one));
      if (clause === undefined) return 0;
      const there = new Set(this.#near(clause, one).map(({ concept }) => concept));
      return near.filter((concept) => there.has(concept)).length;
    };
    const here = Math.max(...found.map(shared));
    const rival = Math.max(...rivals.map(shared));
    return rival > here ? this.#a.against('figure of another') : FINE;
  }

  /** Whether the claim has one of the rivals as well, on the same side of the figure as the source. */
  #isInOrder(
    figure: PlacedFigure,
    found: readonly PlacedFigure[],
    rivals: readonly PlacedFigure[],
  ): boolean {
    if (!['year', 'month', 'day'].includes(figure.dimension)) return false;
    const { figures } = this.#a.claim;
    const mine = figures.flatMap((one) => {
      const there = rivals.find((rival) => one !== figure && compareFigures(one, rival) === 'same');
      return there === undefined ? [] : [{ one, there }];
    });
    return (
      mine.length > 0 &&
      mine.every(({ one, there }) =>
        found.some((same) => same.start < there.start === figure.start < one.start),
      )
    );
  }

  /** The words between a figure and the figures beside it. */
  #near({ terms, figures, breaks, ownSubject, verbAt }: Clause, figure: PlacedFigure): Term[] {
    const same = figures.filter((one) => isSameKind(one, figure));
    const at = same.indexOf(figure);
    const before = same[at - 1]?.end ?? -1;
    const next = same[at + 1]?.start ?? Number.POSITIVE_INFINITY;
    const from = breaks.findLast((one) => one >= before && one < figure.start) ?? before;
    const to = breaks.find((one) => one >= figure.end) ?? next;
    const isIn = (term: Term): boolean => term.at >= (before < 0 ? -1 : from) && term.at < to;
    return terms.filter(
      (term) => isIn(term) && term.at !== verbAt && !this.#isCommonSubject(term, ownSubject),
    );
  }

  /** A subject that claim and source share says nothing about one of several figures. */
  #isCommonSubject(term: Term, subject: readonly Term[]): boolean {
    if (!subject.includes(term)) return false;
    const concept = this.#a.conceptOf(term);
    const isMine = this.#a.claim.ownSubject.some((one) => this.#a.conceptOf(one) === concept);
    return isMine && this.#a.unit.some((one) => one.subject.has(concept));
  }
}

/** More than, and less than. */
function isContrary(one: PlacedFigure, other: PlacedFigure): boolean {
  const both = new Set([one.bound, other.bound]);
  return both.has('more') && both.has('less');
}

function isSameKind(one: PlacedFigure, other: PlacedFigure): boolean {
  const plain = (dimension: string): string => (dimension === 'share' ? 'count' : dimension);
  return plain(one.dimension) === plain(other.dimension);
}

const CONTRARY: readonly (readonly [string, string])[] = [
  ['from', 'to'],
  ['since', 'until'],
  ['since', 'before'],
  ['before', 'after'],
  ['until', 'after'],
  ['by', 'to'],
  ['by', 'from'],
];

function contraryPrepositions(one: PlacedFigure, other: PlacedFigure): boolean {
  const isTime = one.dimension === 'year' || one.dimension === 'month';
  return CONTRARY.some(([a, b]) => {
    if (isTime && a === 'by') return false;
    const [mine, theirs] = [one.preposition, other.preposition];
    return (mine === a && theirs === b) || (mine === b && theirs === a);
  });
}
