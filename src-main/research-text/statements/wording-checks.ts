import type { Alignment } from './alignment.ts';
import type { Clause, Scope, Term } from './clause.ts';
import { compareFigures } from './compare-figures.ts';
import { areForms, oppositesOf } from './concepts.ts';
import { FINE, type Finding, firstFinding, isGeneral, open } from './finding.ts';
import { isVerb } from './word-lists.ts';

/** Share of a clause's words that must stand in the source. */
const COVERED = 0.5;
/** Share of neighbouring words in common from which a new noun counts as put in the place of another. */
const COPIED = 0.55;

/** Whether a claim says it as the source does: negated, certain, whose view, of how many, under which condition. */
export class WordingChecks {
  readonly #a: Alignment;

  constructor(alignment: Alignment) {
    this.#a = alignment;
  }

  /** What is against the claim, if anything. */
  check(): Finding {
    return firstFinding([
      () => this.#polarity(),
      () => this.#certainty(),
      () => this.#voice(),
      () => this.#quantities(),
      () => this.#condition(),
      () => this.#rank(),
      () => this.#replaced(),
      () => this.#words(),
    ]);
  }

  /** Pairs of a term of the claim and the best-fitting occurrence of it in the source. */
  #pairs(): {
    readonly term: Scope;
    readonly there: readonly Scope[];
    readonly isOpposite: boolean;
  }[] {
    const subject = new Set(this.#a.claim.ownSubject);
    const terms = this.#a.claim.terms.filter((term) => !subject.has(term));
    const pairs = (terms.length > 0 ? terms : this.#a.claim.terms).flatMap((term) => {
      const concept = this.#a.source.find(term);
      const same = this.#a.terms.filter((one) => one.concept === concept);
      if (same.length > 0) return [{ term, there: same, isOpposite: false }];
      const opposites = oppositesOf(term.concept);
      const contrary = this.#a.terms.filter(
        (one) => opposites.has(one.concept) && !this.#isInClaim(one),
      );
      return contrary.length > 0 ? [{ term, there: contrary, isOpposite: true }] : [];
    });
    const figures = this.#a.claim.figures.flatMap((figure) => {
      const there = this.#a.unit
        .flatMap((one) => one.figures)
        .filter((one) => compareFigures(figure, one) === 'same');
      return there.length > 0 ? [{ term: figure, there, isOpposite: false }] : [];
    });
    return [...pairs, ...figures];
  }

  #isInClaim(term: Term): boolean {
    return this.#a.claim.terms.some(({ concept }) => concept === term.concept);
  }

  #polarity(): Finding {
    const pairs = this.#pairs();
    if (pairs.length === 0) return FINE;
    const turned = pairs.filter(({ isOpposite }) => isOpposite).length;
    const differing = pairs.filter(({ term, there }) =>
      there.every(({ isNegated }) => isNegated !== term.isNegated),
    ).length;
    const isTurned = turned > 0;
    const isNegated = differing * 2 >= pairs.length && differing > 0;
    if (isTurned === isNegated) return FINE;
    return this.#a.against(isTurned ? 'opposite' : 'negation');
  }

  #certainty(): Finding {
    const pairs = this.#pairs();
    const differing = pairs.filter(({ term, there }) =>
      there.every(({ certainty }) => certainty !== term.certainty),
    ).length;
    return differing * 2 >= pairs.length && differing > 0 ? this.#a.against('certainty') : FINE;
  }

  #voice(): Finding {
    const pairs = this.#pairs();
    const count = (test: (mine: Scope['voice'], theirs: Scope['voice']) => boolean): boolean => {
      const hits = pairs.filter(({ term, there }) =>
        there.every((one) => test(term.voice, one.voice)),
      ).length;
      return hits * 2 >= pairs.length && hits > 0;
    };
    if (count((mine, theirs) => (mine === 'denial') !== (theirs === 'denial')))
      return this.#a.against('denial');
    if (count((mine, theirs) => mine === 'admission' && theirs !== 'admission'))
      return this.#a.against('voice');
    if (count((mine, theirs) => theirs === 'opinion' && (mine === 'own' || mine === 'admission')))
      return this.#a.against('voice');
    const mine = [...this.#a.claim.speakers];
    const theirs = new Set(
      this.#a.unit.flatMap(({ speakers, subject }) => [...speakers, ...subject]),
    );
    if (mine.length > 0 && this.#a.unit.some(({ speakers }) => speakers.size > 0)) {
      if (!mine.some((one) => theirs.has(one))) return this.#a.against('speaker');
    }
    return FINE;
  }

  #quantities(): Finding {
    const theirs = this.#a.unit.flatMap(({ quantities }) => quantities);
    const has = (kind: string): boolean => theirs.some((one) => one.kind === kind);
    const mine = this.#a.claim.quantities;
    for (const { kind } of mine) {
      if (kind === 'all' && !has('all') && (theirs.length > 0 || this.#hasShare() || true))
        return this.#a.against('scope');
      if (kind === 'only' && !has('only')) return this.#a.against('scope');
      if (kind === 'most' && !has('most') && !this.#hasShare()) return this.#a.against('scope');
      if (kind === 'some' && (has('all') || has('most') || has('only')))
        return this.#a.against('scope');
    }
    for (const { kind, near } of theirs) {
      if (kind !== 'some' && kind !== 'most') continue;
      const isKept =
        mine.length > 0 || this.#a.claim.figures.some(({ dimension }) => dimension === 'share');
      const isSpoken = this.#a.claim.terms.some((term) => near.has(this.#a.conceptOf(term)));
      if (!isKept && isSpoken && !this.#isMajority()) return this.#a.against('scope');
    }
    return FINE;
  }

  #hasShare(): boolean {
    return this.#a.unit.some(({ figures }) =>
      figures.some(({ dimension, value }) => dimension === 'share' && value > 0.5),
    );
  }

  #isMajority(): boolean {
    return this.#a.claim.terms.some(({ word }) => word === 'majority' || word === 'part');
  }

  #condition(): Finding {
    const isConditional = this.#a.unit.every((one) => one.isConditional);
    return isConditional &&
      !this.#a.claim.isConditional &&
      !this.#a.claim.terms.some((term) => /^(?:except|exclu|if)/.test(term.word))
      ? this.#a.against('condition')
      : FINE;
  }

  /** “The second-largest” and “one of the largest” are not “the largest”. */
  #rank(): Finding {
    const limited = (words: readonly string[], at: number): boolean =>
      words[at - 1] === '#' ||
      words
        .slice(Math.max(0, at - 5), at)
        .join(' ')
        .includes('on of');
    for (const { concept, word } of this.#a.claim.terms) {
      if (!/est$|^最|^first$/.test(word)) continue;
      const mine = this.#a.claim.words.indexOf(concept);
      const theirs = this.#a.unit.flatMap(({ words }) => {
        const at = words.indexOf(concept);
        return at < 0 ? [] : [limited(words, at)];
      });
      if (theirs.length > 0 && theirs.every(Boolean) && !limited(this.#a.claim.words, mine))
        return this.#a.against('rank');
    }
    return FINE;
  }

  /** In a claim that is worded like the source, another word in the place of one. */
  #replaced(): Finding {
    const mine = ['^', ...this.#a.claim.words, '$'];
    const places = new Map<string, Set<string>>();
    const note = (key: string, word: string): void => {
      places.set(key, (places.get(key) ?? new Set()).add(word));
    };
    for (const { words } of this.#a.unit) {
      const theirs = ['^', ...words, '$'];
      for (const [at, word] of theirs.entries()) {
        for (const key of keysOf(theirs, at)) note(key, word);
      }
    }
    const verbs = this.#objects(this.#a.unit);
    for (const [verb, names] of this.#objects([this.#a.claim])) {
      const there = verbs.get(verb);
      if (there !== undefined && ![...names].some((name) => there.has(name)))
        return open('object replaced');
    }
    const known = new Map(this.#a.claim.terms.map((term) => [term.concept, term]));
    for (const [at, word] of mine.entries()) {
      const term = known.get(word);
      if (term === undefined || term.isLight || this.#isSharedSubject(term)) continue;
      const there = keysOf(mine, at)
        .map((key) => places.get(key))
        .find((one) => one !== undefined);
      if (there === undefined) continue;
      const concept = this.#a.conceptOf(term);
      const others = [...there].filter(
        (one) => one !== '^' && one !== '$' && one !== '#' && this.#isContentThere(one),
      );
      if (others.length > 0 && !others.some((one) => one === concept || areForms(one, concept))) {
        return open('word replaced');
      }
    }
    return FINE;
  }

  #isSharedSubject(term: Term): boolean {
    const concept = this.#a.conceptOf(term);
    const isMine = this.#a.claim.ownSubject.includes(term);
    return isMine && this.#a.unit.some(({ subject }) => subject.has(concept));
  }

  /** The names that follow each verb directly. */
  #objects(clauses: readonly Clause[]): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const { terms } of clauses) {
      for (const [at, term] of terms.entries()) {
        const before = terms[at - 1];
        if (before === undefined || !isVerb(before.word) || before.at !== term.at - 1) continue;
        if (!term.isName) continue;
        const concept = this.#a.conceptOf(before);
        found.set(concept, (found.get(concept) ?? new Set()).add(this.#a.conceptOf(term)));
      }
    }
    return found;
  }

  #isContentThere(word: string): boolean {
    return this.#a.terms.some(({ concept, isLight }) => concept === word && !isLight);
  }

  #words(): Finding {
    const terms = this.#a.claim.terms.filter(({ isLight }) => !isLight);
    if (terms.length === 0) return FINE;
    const novel = terms.filter(
      (term) =>
        this.#a.source.find(term) === null && !isGeneral(term.word) && !this.#a.isOpposite(term),
    );
    const missing = terms.filter(
      (term) => !this.#a.inUnit(term) && !isGeneral(term.word) && !this.#a.isOpposite(term),
    );
    if (missing.length / terms.length > 1 - COVERED) return open('words');
    const predicate = terms.filter(
      (term) => !this.#a.claim.ownSubject.includes(term) && !isGeneral(term.word),
    );
    const isSaid =
      predicate.length === 0 ||
      this.#a.claim.figures.length > 0 ||
      predicate.some((term) => !missing.includes(term));
    if (!isSaid) return open('words');
    const verb = this.#a.claim.terms.find(({ at }) => at === this.#a.claim.verbAt);
    if (verb !== undefined && missing.includes(verb)) return open('verb');
    const nouns = novel.filter(({ word }) => !isVerb(word));
    if (nouns.length > 0 && this.#a.copied() >= COPIED) return open('word replaced');
    return FINE;
  }
}

/** What surrounds a word: three words, two of them on one side. */
function keysOf(words: readonly string[], at: number): string[] {
  const [before2, before, after, after2] = [-2, -1, 1, 2].map((step) => words[at + step]);
  const keys: string[] = [];
  if (before === undefined || after === undefined) return keys;
  if (after2 !== undefined) keys.push(`${before} _ ${after} ${after2}`);
  if (before2 !== undefined) keys.push(`${before2} ${before} _ ${after}`);
  return keys;
}
