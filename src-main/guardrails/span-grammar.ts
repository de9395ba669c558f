/** What forms a span: a word, and the words that belong to it across a single space. */
export interface SpanGrammar {
  /** At most as long as a span. Both are sticky. */
  readonly word: RegExp;
  readonly gap: RegExp;
  /** Whether the next word may belong to this one. */
  readonly leads: (word: string) => boolean;
  readonly follows: (word: string) => boolean;
  /** Whether a word that is not complete yet may follow. */
  readonly mayFollow: (begun: string) => boolean;
  /** Whether to search for private keys, which are longer than any span. */
  readonly hasPrivateKeys: boolean;
}

/** Words that may continue after a space: groups of digits, and of IBAN capitals. */
const LINKED = /^(?:[\d().+-]*\d[\d().+-]*|[A-Z]{2}\d{2}[A-Z0-9]{0,30}|[A-Z0-9]{1,4})$/;
/** The beginning of such a word. */
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

/** What precedes a secret: its name, a scheme, or the separator of name and value. */
const NAMES_A_SECRET =
  /(?:key|secret|token|bearer|basic)["'`]?[:=]{0,2}>?["'`]?$|^(?:[:=]|:=|=>)$/i;

/** Secrets, with their name or the address that contains them. No secret contains a comma, so one is shown at once. */
export const SECRET_SPANS: SpanGrammar = {
  word: /[!-+\--~]{1,512}/y,
  gap: /[^!-+\--~]+/y,
  leads: (word) => NAMES_A_SECRET.test(word),
  follows: () => true,
  mayFollow: () => true,
  hasPrivateKeys: true,
};
