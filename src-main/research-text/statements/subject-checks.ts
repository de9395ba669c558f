import type { Alignment } from './alignment.ts';
import type { Clause, Term } from './clause.ts';
import { FINE, type Finding, firstFinding, isGeneral, open } from './finding.ts';
import { kindOfName } from './sentence-scope.ts';
import type { SourceText } from './source-text.ts';
import { GENERAL_NOUNS, isVerb } from './word-lists.ts';

/** Whether a claim speaks of what the source speaks of. */
export class SubjectChecks {
  readonly #a: Alignment;

  constructor(alignment: Alignment) {
    this.#a = alignment;
  }

  /** What is against the claim, if anything. */
  check(): Finding {
    return firstFinding([() => this.#names(), () => this.#siblings(), () => this.#subject()]);
  }

  #names(): Finding {
    for (const term of this.#a.claim.terms) {
      if (!term.isName || this.#a.source.find(term) !== null) continue;
      if (GENERAL_NOUNS.has(term.word)) continue;
      return this.#a.against('name');
    }
    const misplaced = this.#a.claim.terms.filter(
      (term) =>
        (term.isName || this.#a.isNameThere(term)) &&
        !this.#a.inUnit(term) &&
        !this.#a.isContext(term) &&
        this.#a.source.find(term) !== null,
    );
    const mine = new Set(this.#a.claim.terms.map((term) => this.#a.conceptOf(term)));
    const isReplaced = this.#a.terms.some((one) => one.isName && !mine.has(one.concept));
    return misplaced.length > 0 && isReplaced ? this.#a.against('name of another') : FINE;
  }

  /** “Voyager 2” where the source speaks of “Voyager 1”, and has the other only beside it. */
  #siblings(): Finding {
    const subjects = new Set(this.#a.unit.flatMap(({ subject }) => [...subject]));
    const mine = new Set(this.#a.claim.terms.map(({ concept }) => concept));
    const isOfAnother = this.#a.claim.ownSubject.some(({ concept }) => {
      const kind = kindOfName(concept);
      if (kind === null || subjects.has(concept)) return false;
      return [...subjects].some((one) => kindOfName(one) === kind && !mine.has(one));
    });
    return isOfAnother ? this.#a.against('name of another') : FINE;
  }

  #subject(): Finding {
    const own = this.#a.claim.ownSubject.filter(
      (term) => !isGeneral(term.word) || this.#a.inUnit(term),
    );
    if (own.length === 0) return FINE;
    const novel = own.filter(
      (term) => this.#a.source.find(term) === null && !this.#a.isOpposite(term),
    );
    if (novel.length > 0) return this.#a.against('subject');
    const subjects = new Set(this.#a.unit.flatMap(({ subject }) => [...subject]));
    const own_ = own.map((term) => this.#a.conceptOf(term));
    const others = new Set(
      this.#a.source.clauses
        .filter((one) => !this.#a.unit.includes(one))
        .flatMap((one) => one.ownSubject.map(({ concept }) => concept)),
    );
    if (own_.some((concept) => subjects.has(concept))) {
      // Every part of the subject belongs to it: not “Pierre” where the source speaks of “Marie”.
      const strange = own.filter((term) => !this.#a.inUnit(term) && !this.#a.isContext(term));
      const isOther = strange.some(
        (term) => term.isName || this.#a.isNameThere(term) || others.has(this.#a.conceptOf(term)),
      );
      const head = own.find((term) => !subjects.has(this.#a.conceptOf(term)));
      if (
        head !== undefined &&
        this.#a.terms.some((one) => one.concept === this.#a.conceptOf(head)) &&
        !this.#a.isContext(head)
      ) {
        return open('subject');
      }
      if (isOther || strange.length > own.length / 2) return this.#a.against('subject');
      return this.#isSwapped(own, subjects) ? this.#a.against('subject swapped') : FINE;
    }
    if (!own.some((term) => this.#a.inUnit(term))) return this.#a.against('subject');
    return this.#isSwapped(own, subjects) ? this.#a.against('subject swapped') : FINE;
  }

  /** Object and subject of the same verb, or the two sides of a comparison, have changed places. */
  #isSwapped(own: readonly Term[], subjects: ReadonlySet<string>): boolean {
    const isTurned = this.#a.claim.isPassive !== this.#a.unit.some(({ isPassive }) => isPassive);
    const verb = this.#a.claim.terms.find(({ at }) => at >= this.#a.claim.verbAt);
    const isSameVerb = verb === undefined || this.#a.inUnit(verb);
    if (isTurned || !isSameVerb) return false;
    const mine = new Set(own.map((term) => this.#a.conceptOf(term)));
    return (
      isObject(this.#a.claim, subjects, this.#a.source) &&
      this.#a.unit.some((one) => isObject(one, mine, this.#a.source))
    );
  }
}

const BEFORE_NOUNS = /^(?:the|a|an|its|their|his|her|#|largest|small|large|new|old)$/;

/** Whether one of the concepts follows the verb, or `than`, without a preposition between. */
function isObject(
  { terms, words, verbAt }: Clause,
  concepts: ReadonlySet<string>,
  source: SourceText,
): boolean {
  return terms.some((term) => {
    if (term.at <= verbAt || !concepts.has(source.find(term) ?? term.concept)) return false;
    let at = words.indexOf(term.concept) - 1;
    while (at >= 0 && (BEFORE_NOUNS.test(words[at] ?? '') || concepts.has(words[at] ?? '')))
      at -= 1;
    const before = words[at] ?? '';
    if (/^(?:is|are|was|were|be|been)$/.test(before)) return false;
    return (
      before === 'than' ||
      before === 'until' ||
      isVerb(before) ||
      /^(?:bui|acquir|buy|defeat|surpass|exceed)/.test(before)
    );
  });
}
