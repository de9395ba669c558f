/** What of a text is looked at together: a word, and the words that it leads to over one space. */
export interface SpanGrammar {
  /** No longer than a span, and so no longer looked at. Both are sticky. */
  readonly word: RegExp;
  readonly gap: RegExp;
  /** Whether the next word may belong to this one. */
  readonly leads: (word: string) => boolean;
  readonly follows: (word: string) => boolean;
  /** Whether a word that is not whole yet may follow. */
  readonly mayFollow: (begun: string) => boolean;
  /** Whether private keys, which are longer than any span, are looked for. */
  readonly hasPrivateKeys: boolean;
}

/** Words that may go on after a space: groups of digits, and of the capitals of an IBAN. */
const LINKED = /^(?:[\d().+-]*\d[\d().+-]*|[A-Z]{2}\d{2}[A-Z0-9]{0,30}|[A-Z0-9]{1,4})$/;
/** What may become such a word. */
const MAY_LINK = /^[\d().+A-Z-]*$/;

/** Names, numbers and addresses of people. */
export const PERSONAL_SPANS: SpanGrammar = {
  word: /[A-Za-z0-9._%+@()-]{1,512}/y,
  gap: /[^A-Za-z0-9._%+@()-]+/y,
  leads: (word) => LINKED.test(word),
  follows: (word) => LINKED.test(word),
  mayFollow: (begun) => MAY_LINK.test(begun),
  hasPrivateKeys: false,
};

/** What a secret stands after: its name, the name of a scheme, and what parts a name from its value. */
const NAMES_A_SECRET =
  /(?:key|secret|token|bearer|basic)["'`]?[:=]{0,2}>?["'`]?$|^(?:[:=]|:=|=>)$/i;

/** Secrets, with the name or the address that they stand in. A comma is part of none, and is shown at once. */
export const SECRET_SPANS: SpanGrammar = {
  word: /[!-+\--~]{1,512}/y,
  gap: /[^!-+\--~]+/y,
  leads: (word) => NAMES_A_SECRET.test(word),
  follows: () => true,
  mayFollow: () => true,
  hasPrivateKeys: true,
};
