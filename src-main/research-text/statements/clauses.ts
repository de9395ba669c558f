import type { Clause, PlacedFigure, Scope, Term, Voice } from './clause.ts';
import { conceptOf } from './concepts.ts';
import { type Figure, figuresOf } from './figures.ts';
import {
  applyCondition,
  applyTrailingVoice,
  isContentWord,
  isNumberOfName,
  isSaying,
  markOfName,
  voiceOf,
} from './sentence-scope.ts';
import { sentencesOf, type Token } from './tokens.ts';
import {
  BE,
  CONDITIONS,
  DOUBTS,
  FUTURE,
  isVerb,
  LIGHT_WORDS,
  NEGATORS,
  PREPOSITIONS,
  PRONOUNS,
  QUANTITIES,
  type Quantity,
  SPLITTERS,
} from './word-lists.ts';

/** What a clause takes over from those before it: more is no subject, and grows with every clause. */
const MOST_INHERITED = 24;

const BREAKS = /^[,;:()—，；：（）|]$/;

/** `isSaid`: it begins after a verb of saying. */
type Piece = { readonly start: number; readonly end: number; readonly isSaid: boolean };

/** The clauses of a text, in order. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const [sentence, tokens] of sentencesOf(text).entries()) {
    new SentenceReader(tokens, sentence, clauses).read();
  }
  return clauses;
}

class SentenceReader {
  readonly #tokens: readonly Token[];
  readonly #sentence: number;
  /** All clauses so far; those of this sentence are added. */
  readonly #clauses: Clause[];
  readonly #figures: readonly Figure[];
  readonly #isFigure: boolean[];
  #voice: Voice = 'own';
  #speakers: ReadonlySet<string> = new Set();
  /** What the clause before ended under: it goes on after “that”. */
  #carried: Pick<Scope, 'isNegated' | 'certainty'> = { isNegated: false, certainty: 0 };

  constructor(tokens: readonly Token[], sentence: number, clauses: Clause[]) {
    this.#tokens = tokens;
    this.#sentence = sentence;
    this.#clauses = clauses;
    this.#figures = figuresOf(tokens);
    this.#isFigure = tokens.map(() => false);
    for (const { start, end } of this.#figures) this.#isFigure.fill(true, start, end);
  }

  read(): void {
    const from = this.#clauses.length;
    for (const piece of this.#pieces()) {
      const clause = this.#clause(piece);
      if (clause.terms.length > 0 || clause.figures.length > 0) this.#clauses.push(clause);
    }
    applyTrailingVoice(this.#clauses, from);
    if (this.#hasCondition()) applyCondition(this.#clauses, from);
  }

  #word(at: number): string {
    return this.#isFigure[at] === true ? '' : (this.#tokens[at]?.lower ?? '');
  }

  #isVerbAt(at: number): boolean {
    const word = this.#word(at);
    if (!isVerb(word)) return false;
    const before = this.#word(at - 1);
    // “the reported cases”, “to build”, “its use”: no verb of a clause.
    if (
      /^(?:the|a|an|to|its|his|her|their|of|this|these|some|any|no|in|by|for|with)$/.test(before)
    ) {
      return false;
    }
    // A name, or half of a compound: “United States”, “higher-rated”.
    return this.#tokens[at]?.isName !== true;
  }

  #hasVerb(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.#isVerbAt(at)) return true;
    return false;
  }

  /** Where clauses begin and end. What has no verb belongs to the clause beside it. */
  #pieces(): Piece[] {
    const cuts: { readonly at: number; readonly isSaid: boolean }[] = [];
    const { length } = this.#tokens;
    for (let at = 1; at < length; at += 1) {
      const word = this.#word(at);
      const isSplit = BREAKS.test(word) || SPLITTERS.has(word) || this.#joinsVerb(at);
      if (isSplit) cuts.push({ at, isSaid: false });
      else if (
        isSaying(this.#word(at - 1)) &&
        this.#isVerbAt(at - 1) &&
        this.#hasVerb(at, this.#nextBreak(at))
      ) {
        cuts.push({ at, isSaid: true });
      } else if (
        word === 'that' &&
        this.#isVerbAt(at - 1) &&
        this.#hasVerb(at, this.#nextBreak(at))
      ) {
        cuts.push({ at, isSaid: true });
      }
    }
    const pieces: Piece[] = [];
    let start = 0;
    let isSaid = false;
    for (const cut of [...cuts, { at: length, isSaid: false }]) {
      const isWhole = this.#hasVerb(start, cut.at) || this.#isHanPiece(start, cut.at);
      const isLast = cut.at === length;
      const last = pieces.at(-1);
      if (!isWhole && last !== undefined) {
        pieces[pieces.length - 1] = { ...last, end: cut.at };
      } else if (!isWhole && !isLast) continue;
      else pieces.push({ start, end: cut.at, isSaid });
      start = cut.at;
      isSaid = cut.isSaid;
    }
    return pieces;
  }

  /** Chinese has clauses without a verb that the list knows. */
  #isHanPiece(start: number, end: number): boolean {
    const words = this.#tokens.slice(start, end).filter(({ kind }) => kind !== 'mark');
    return (
      words.length > 1 && words.filter(({ kind }) => kind === 'han').length * 2 >= words.length
    );
  }

  /** “and won”, “and it is”: the next clause. */
  #joinsVerb(at: number): boolean {
    if (!/^(?:and|or|then|并|并且|且)$/.test(this.#word(at))) return false;
    const next = this.#word(at + 1);
    const after = this.#word(at + 2);
    return (
      this.#isVerbAt(at + 1) ||
      (PRONOUNS.has(next) && isVerb(after)) ||
      (/^(?:the|a|its|their)$/.test(next) && (this.#isVerbAt(at + 3) || this.#isVerbAt(at + 4))) ||
      ((this.#tokens[at + 1]?.isName ?? false) &&
        (this.#isVerbAt(at + 2) || this.#isVerbAt(at + 3)))
    );
  }

  #nextBreak(from: number): number {
    let at = from;
    while (at < this.#tokens.length && !BREAKS.test(this.#word(at))) at += 1;
    return at;
  }

  #clause(piece: Piece): Clause {
    const { start, end, isSaid } = piece;
    if (!isSaid && /^(?:but|while|whereas|;|；|但|但是)$/.test(this.#word(start)))
      this.#voice = 'own';
    const verbAt = this.#verbOf(piece);
    const { terms, figures } = this.#contents(piece);
    const ownSubject = this.#subjectTerms(piece, verbAt, terms);
    const hasVerb = this.#hasVerb(start, piece.end);
    const isElided = ownSubject.length === 0 || !hasVerb || this.#startsWithPronoun(start, verbAt);
    const inherited = new Set<PlacedFigure>();
    const before = this.#clauses.at(-1);
    const subject = new Set(ownSubject.map(({ concept }) => concept));
    if (isElided && before !== undefined && !isSaid) {
      const isNewSentence = before.sentence !== this.#sentence;
      const named = isNewSentence
        ? this.#clauses.filter(({ sentence }) => sentence === before.sentence)
        : [before];
      for (const one of named) {
        for (const concept of one.subject) subject.add(concept);
        const before = one.figures.filter((figure) => figure.start < one.verbAt || !hasVerb);
        for (const figure of [...one.inherited, ...before]) inherited.add(figure);
      }
      if (
        /^(?:which|who|where)$/.test(this.#word(start)) ||
        /^(?:which|who|where)$/.test(this.#word(start + 1))
      ) {
        for (const { concept } of before.terms) subject.add(concept);
      }
    }
    return {
      ...{
        sentence: this.#sentence,
        terms,
        figures,
        inherited: [...inherited].slice(0, MOST_INHERITED),
        subject: new Set([...subject].slice(0, MOST_INHERITED)),
        ownSubject,
        verbAt,
      },
      isPassive: this.#isPassive(start, end),
      quantities: this.#quantities(start, end, terms),
      speakers: this.#speakers,
      isConditional: this.#hasException(start, end),
      words: this.#plainWords(start, end),
      breaks: this.#breaks(start, end),
      saying: this.#sayingAtEnd(start, end),
    };
  }

  #verbOf({ start, end }: Piece): number {
    for (let at = start; at < end; at += 1) if (this.#isVerbAt(at)) return at;
    const first = this.#figures.find((one) => one.start >= start && one.start < end);
    return first?.start ?? end;
  }

  #startsWithPronoun(start: number, verbAt: number): boolean {
    for (let at = start; at < verbAt; at += 1) if (PRONOUNS.has(this.#word(at))) return true;
    return false;
  }

  /** Terms before the verb, without a phrase of time or place in front. */
  #subjectTerms({ start }: Piece, verbAt: number, terms: readonly Term[]): Term[] {
    let from = start;
    while (from < verbAt && !/[\p{L}\d]/u.test(this.#tokens[from]?.lower ?? '')) from += 1;
    const first = this.#word(from);
    if (PREPOSITIONS.has(first)) {
      let at = from;
      while (at < verbAt && !/^[,，]$/.test(this.#word(at))) at += 1;
      const figure = this.#figures.findLast((one) => one.start >= from && one.end <= verbAt);
      if (at < verbAt) from = at;
      else if (figure !== undefined) from = figure.end;
    }
    return terms.filter(
      ({ at, isLight, word }) =>
        at >= from && at < verbAt && !isLight && !(word.endsWith('ly') && word.length > 5),
    );
  }

  #contents({ start, end, isSaid }: Piece) {
    const terms: Term[] = [];
    const figures: PlacedFigure[] = [];
    let isNegated = isSaid && this.#carried.isNegated;
    let certainty: 0 | 1 | 2 = isSaid ? this.#carried.certainty : 0;
    for (let at = start; at < end; at += 1) {
      const word = this.#word(at);
      const figure = this.#figures.find((one) => one.start === at);
      const scope = { isNegated, certainty, voice: this.#voice };
      if (figure !== undefined) {
        const last = terms.at(-1);
        const isPartOfName =
          last?.at === at - 1 && isNumberOfName(figure, this.#tokens.slice(at - 1, at + 1));
        if (isPartOfName && last !== undefined) {
          const concept = `${last.concept} ${figure.written}`;
          terms[terms.length - 1] = { ...last, concept, isName: true };
        } else figures.push({ ...figure, ...scope });
      }
      if (word === '' || BREAKS.test(word)) continue;
      const token = this.#tokens[at];
      const named = terms.at(-1);
      const mark = named?.at === at - 1 ? markOfName(this.#tokens.slice(at - 1, at + 1)) : null;
      if (named !== undefined && mark !== null) {
        // Beside the name itself, by which texts go on: “the war”.
        terms.push({ ...named, concept: `${named.concept} ${mark}`, isName: true, at });
        continue;
      }
      const isOnly = word === 'not' && /^only$/.test(this.#word(at + 1));
      if (NEGATORS.has(word) && !isOnly)
        isNegated = !(isNegated && word !== 'no' && word !== 'any');
      if (DOUBTS.has(word) && this.#isDoubtAt(at)) certainty = 2;
      else if (FUTURE.has(word) && certainty === 0) certainty = 1;
      else if (
        /^(?:believed|thought|rumoured|rumored|suspected)$/.test(word) &&
        BE.has(this.#word(at - 1))
      )
        certainty = 2;
      this.#noteVoice(word, at, terms);
      const isBeforeFigure = this.#isFigure[at + 1] === true || this.#isFigure[at + 2] === true;
      const isLight = LIGHT_WORDS.has(word);
      const isContent = isLight ? !isBeforeFigure : isContentWord(word);
      if (isContent && token !== undefined && token.kind !== 'mark') {
        const { isName } = token;
        terms.push({
          ...{ word, concept: conceptOf(word), isName, isLight, at },
          ...{ isNegated, certainty, voice: this.#voice },
        });
      }
    }
    this.#carried = { isNegated, certainty };
    // “X may be Y”: the whole clause is a guess.
    const atMost = certainty;
    const guessed = <Item extends Scope>(one: Item): Item => ({ ...one, certainty: atMost });
    return { terms: terms.map(guessed), figures: figures.map(guessed) };
  }

  #isDoubtAt(at: number): boolean {
    const word = this.#word(at);
    return !/^appear/.test(word) || /^(?:to|that)$/.test(this.#word(at + 1));
  }

  #noteVoice(word: string, at: number, before: readonly Term[]): void {
    const voice = voiceOf(word);
    if (voice === null || (this.#isFigure[at + 1] === true && voice === 'report')) return;
    const isNoun = /^(?:the|a|its|his|her|their|of|this|no)$/.test(this.#word(at - 1));
    if (isNoun && voice !== 'denial') return;
    if (this.#word(at - 1) === 'not' && voice === 'denial') return;
    // A report of an opinion stays an opinion.
    if (voice !== 'report' || this.#voice === 'own') this.#voice = voice;
    if (word === 'according' || word === '据') return;
    this.#speakers = new Set(before.filter((term) => term.at < at).map(({ concept }) => concept));
  }

  #isPassive(start: number, end: number): boolean {
    for (let at = start + 1; at < end; at += 1) {
      if (this.#word(at) === '被' || this.#word(at) === '由') return true;
      const isParticiple =
        /(?:ed|en|wn|ught|ung|ade|eld|uilt|old|ent|ead|ost|on|ound|aid|id)$/.test(this.#word(at));
      if (isParticiple && BE.has(this.#word(at - 1))) return true;
      if (isParticiple && this.#word(at + 1) === 'by') return true;
    }
    return false;
  }

  #quantities(start: number, end: number, terms: readonly Term[]) {
    const found: { kind: Quantity; near: ReadonlySet<string> }[] = [];
    for (let at = start; at < end; at += 1) {
      const word = this.#word(at);
      const kind = QUANTITIES.get(word);
      if (kind === undefined || kind === 'almost' || !this.#isQuantityAt(at)) continue;
      const near = new Set(
        terms
          .filter((term) => term.at > at)
          .slice(0, 2)
          .map(({ concept }) => concept),
      );
      const isAlmost = QUANTITIES.get(this.#word(at - 1)) === 'almost';
      const isNot = this.#word(at - 1) === 'not';
      found.push({ kind: isNot ? 'some' : isAlmost && kind === 'all' ? 'most' : kind, near });
    }
    return found;
  }

  #isQuantityAt(at: number): boolean {
    const word = this.#word(at);
    const next = this.#word(at + 1);
    if (word === 'at' || this.#word(at - 1) === 'at') return false;
    if (word === 'all' && /^(?:but|the|of|over|in)$/.test(next) && this.#word(at - 1) === 'of')
      return true;
    if (word === 'some' && this.#isFigure[at + 1] === true) return false;
    if (word === 'each' && next === 'other') return false;
    if (word === 'not' || (word === 'only' && this.#word(at - 1) === 'not')) return false;
    return true;
  }

  #hasException(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1)
      if (/^(?:except|excluding|除|除了|除外)$/.test(this.#word(at))) return true;
    return false;
  }

  #breaks(start: number, end: number): number[] {
    const breaks: number[] = [];
    for (let at = start; at < end; at += 1) {
      if (/^(?:[,;:，；、—]|and|but|or|和|与|及)$/.test(this.#word(at))) breaks.push(at);
    }
    return breaks;
  }

  #sayingAtEnd(start: number, end: number): Voice | null {
    let at = end - 1;
    while (at > start && this.#tokens[at]?.kind === 'mark') at -= 1;
    return isSaying(this.#word(at)) && this.#isVerbAt(at) ? voiceOf(this.#word(at)) : null;
  }

  #plainWords(start: number, end: number): string[] {
    const words: string[] = [];
    for (let at = start; at < end; at += 1) {
      const token = this.#tokens[at];
      if (token === undefined || token.kind === 'mark' || /^(?:a|an|the|的|了)$/.test(token.lower))
        continue;
      words.push(this.#isFigure[at] === true ? '#' : conceptOf(token.lower));
    }
    return words;
  }

  #hasCondition(): boolean {
    return this.#tokens.some((token, at) => {
      const isCondition = CONDITIONS.has(token.lower) && this.#isFigure[at] !== true;
      return isCondition && !/^(?:even|as|what)$/.test(this.#word(at - 1));
    });
  }
}
