import type { Figure } from './figures.ts';
import type { Quantity } from './word-lists.ts';

/** Whose word it is: the text's own, somebody's opinion, a denial or admission, or a report. */
export type Voice = 'own' | 'opinion' | 'denial' | 'admission' | 'report';

/** What holds for a word at its place: what it is under. */
export interface Scope {
  readonly isNegated: boolean;
  /** 0 as a fact, 1 planned or to come, 2 possible. */
  readonly certainty: 0 | 1 | 2;
  readonly voice: Voice;
}

/** A word with content. */
export interface Term extends Scope {
  readonly word: string;
  readonly concept: string;
  readonly isName: boolean;
  /** A word such as `more` or `against`: it may turn a statement around, and says nothing by itself. */
  readonly isLight: boolean;
  /** Its token in the sentence. */
  readonly at: number;
}

export interface PlacedFigure extends Figure, Scope {}

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly sentence: number;
  readonly terms: readonly Term[];
  readonly figures: readonly PlacedFigure[];
  /** Figures in the subject that it inherits: “Version 9.4, …, introduced”. */
  readonly inherited: readonly PlacedFigure[];
  /** Concepts of what it is about; inherited where it names none itself. */
  readonly subject: ReadonlySet<string>;
  readonly ownSubject: readonly Term[];
  /** Where its verb stands among the tokens of the sentence; its end if it has none. */
  readonly verbAt: number;
  readonly isPassive: boolean;
  readonly quantities: readonly { readonly kind: Quantity; readonly near: ReadonlySet<string> }[];
  /** Whose words these are, where they are somebody's. */
  readonly speakers: ReadonlySet<string>;
  /** It holds only under a condition, or with an exception, that the sentence names. */
  readonly isConditional: boolean;
  /** Words and figures in order, for comparing neighbours. */
  readonly words: readonly string[];
  /** Where commas and conjunctions stand. */
  readonly breaks: readonly number[];
  /** It ends with a verb of saying: the clauses before it are somebody's words. */
  readonly saying: Voice | null;
}
