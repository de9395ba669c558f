import { withCleanTexts } from './clean-texts.ts';
import { SecretSearch, SHORTEST_FORM } from './secret-search.ts';

/** What stands in the place of a secret that the app knows. */
export const REDACTED_KEY = '[redacted: key]';

/** Shorter ones would blot out ordinary words, and are left where they stand. */
export const SHORTEST_SECRET = 8;

/** What manuals of local servers say to enter where no key is needed: words, and nobody's secret. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['anything', 'changeme', 'lm-studio', 'lmstudio', 'no-api-key', 'no-key-required'],
  ...['not-needed', 'not-required', 'placeholder', 'sk-no-key-required', 'your-api-key'],
]);

/** Words and numbers under 16 characters, words joined by `_` under 24, one character over and over, addresses of computers. */
const NO_SECRET = [
  /^[\p{L}_ -]{1,15}$/u,
  /^(?=.{1,23}$)[a-z]+(?:_[a-z]+)+$/,
  /^[\d.:/ -]{1,15}$/,
  /^(.)\1*$/u,
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i,
];

/** Of a secret that may be coming, what may be shown where the text rests: too little to be of use. */
const SHOWN_CHARS = SHORTEST_SECRET - 1;

/**
 * The secrets that the app knows in plain: keys of servers, what addresses hold, tokens. They are in
 * memory only. Whatever is stored, shown or sent on passes here and has them taken out: as they are, in
 * escapes of JSON and of addresses, in hexadecimal, and as base64 at any place of a longer text. Not
 * seen: reversed, ciphered or compressed ones, ones with other characters between their own, and ones
 * that are cut into several values. The cost is that of one walk over the text, whatever their number.
 */
export class KnownSecrets {
  /** Makes those known too that nobody asked for yet: to be called before other people's texts are taken in. */
  recall: () => void = () => undefined;
  readonly #secrets = new Set<string>();
  #search: SecretSearch | null = null;
  /** Whether one could be made of a line break, or the like, where a text is written as JSON. */
  #hasBackslash = false;

  /**
   * From now on `secret` is taken out wherever it occurs, and stays known when it is changed. What is
   * clearly none (a word, a short number, an address of a computer) is not taken: it stands everywhere.
   */
  register(secret: string): void {
    const value = secret.trim();
    if (value.length < SHORTEST_SECRET || isNoSecret(value) || this.#secrets.has(value)) return;
    this.#secrets.add(value);
    this.#hasBackslash ||= value.includes('\\');
    this.#search = null;
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** `text` without any known secret. */
  text(text: string, marker = REDACTED_KEY): string {
    if (this.isEmpty || text.length < SHORTEST_SECRET) return text;
    const { ranges } = this.searched(text, true);
    return ranges.length === 0 ? text : replaced(text, ranges, { from: 0, marker });
  }

  /**
   * A value of JSON without any known secret in its texts and in the names of its fields; the value
   * itself where there is none. Objects that are not plain ones are left as they are.
   */
  value<Value>(value: Value): Value {
    return this.isEmpty ? value : withCleanTexts(value, (text) => this.#textOfValue(text));
  }

  /**
   * What is stored or looked for in a database, without any known secret: JSON stays JSON, with its kinds.
   */
  stored(text: string): string {
    const clean = this.text(text);
    if (clean === text || !/^[[{"]/.test(text)) return clean;
    try {
      return JSON.stringify(this.value(JSON.parse(text) as unknown));
    } catch {
      return clean;
    }
  }

  /** For a text that comes in pieces. */
  stream(): SecretStream {
    return new SecretStream(this);
  }

  /** A text of a value is shown as JSON: what would be taken out of that is taken out of what runs. */
  #textOfValue(text: string): string {
    const clean = this.text(text);
    if (!this.#hasBackslash) return clean;
    const shown = JSON.stringify(clean);
    const cleanShown = this.text(shown);
    if (cleanShown === shown) return clean;
    try {
      return String(JSON.parse(cleanShown));
    } catch {
      return REDACTED_KEY;
    }
  }

  /** For `SecretStream`. */
  searched(text: string, ended: boolean): ReturnType<SecretSearch['search']> {
    this.#search ??= new SecretSearch([...this.#secrets].flatMap(formsOfSecret));
    return this.#search.search(text, ended);
  }
}

/** Takes known secrets out of a text that comes in pieces, however it is cut. */
export class SecretStream {
  readonly #secrets: KnownSecrets;
  #held = '';
  /** Characters of what is held that were given already. */
  #given = 0;

  constructor(secrets: KnownSecrets) {
    this.#secrets = secrets;
  }

  /** What may be shown of all that came: what may be the beginning of a secret waits. */
  push(piece: string): string {
    if (this.#held === '' && this.#secrets.isEmpty) return piece;
    return this.#advance(piece, false);
  }

  /** The text rests: what waits is given as far as it could be of no use to anybody. */
  rest(): string {
    const shown = this.#held.slice(this.#given, SHOWN_CHARS);
    this.#given += shown.length;
    return shown;
  }

  /** What is left. The stream may be used for another text afterwards. */
  end(): string {
    return this.#advance('', true);
  }

  #advance(piece: string, ended: boolean): string {
    const text = this.#held + piece;
    const from = this.#given;
    const { ranges, settled } = this.#secrets.searched(text, ended);
    this.#held = text.slice(settled);
    this.#given = Math.max(0, from - settled);
    return replaced(text.slice(0, settled), ranges, { from, marker: REDACTED_KEY });
  }
}

function isNoSecret(value: string): boolean {
  if (PLACEHOLDERS.has(value.toLowerCase())) return true;
  const host = value.replace(/^\[(.+)\](?::\d+)?$/, '$1');
  const isIPv6 = /^[\da-f:.]+$/i.test(host) && URL.canParse(`http://[${host}]`);
  return isIPv6 || NO_SECRET.some((form) => form.test(value));
}

/** `text` after `from`, with `marker` in the place of each range that does not end before. */
function replaced(
  text: string,
  ranges: readonly (readonly [number, number])[],
  { from, marker }: { readonly from: number; readonly marker: string },
): string {
  let given = '';
  let at = from;
  for (const [start, end] of ranges) {
    given += text.slice(at, Math.max(start, at)) + marker;
    at = Math.max(at, end);
  }
  return given + text.slice(at);
}

/**
 * The forms in which a secret may be repeated, by a server above all: as it is, escaped as JSON once or
 * twice, percent-encoded, in hexadecimal, or as base64 at any place of a longer text. Longest first.
 */
export function formsOfSecret(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString('hex');
  const forms = [
    ...[secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)],
    ...[hex, hex.toUpperCase(), ...base64Forms(secret)],
  ];
  return [...new Set(forms)]
    .filter(({ length }) => length >= SHORTEST_FORM)
    .sort((a, b) => b.length - a.length);
}

/** Letters of base64 stand for three bytes; those at the ends depend on what stands around. */
function base64Forms(secret: string): string[] {
  const whole = Buffer.from(secret).toString('base64');
  const inner = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const text = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return text.slice(before === 0 ? 0 : 4);
  });
  return [whole, ...inner].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}
