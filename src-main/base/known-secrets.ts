import { withCleanTexts } from './clean-texts.ts';
import { SecretSearch, SHORTEST_FORM } from './secret-search.ts';

/** Replaces a secret that the app knows. */
export const REDACTED_KEY = '[redacted: key]';

/** Shorter values would redact ordinary words, so they stay. */
export const SHORTEST_SECRET = 8;

/** Dummy keys from the manuals of local servers that need no key: not secrets. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['anything', 'changeme', 'lm-studio', 'lmstudio', 'no-api-key', 'no-key-required'],
  ...['not-needed', 'not-required', 'placeholder', 'sk-no-key-required', 'your-api-key'],
]);

/** Words and numbers under 16 characters, snake_case words under 24, one repeated character, host addresses. */
const NOT_SECRET = [
  /^[\p{L}_ -]{1,15}$/u,
  /^(?=.{1,23}$)[a-z]+(?:_[a-z]+)+$/,
  /^[\d.:/ -]{1,15}$/,
  /^(.)\1*$/u,
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i,
];

/** How much of a possible secret may be shown while its text pauses: too little to be of use. */
const SHOWN_CHARS = SHORTEST_SECRET - 1;

/**
 * The secrets that the app knows in plain text: API keys, passwords in URLs, tokens. They are in memory only.
 * Whatever is stored, shown or sent on passes through here and has them removed: verbatim, JSON-escaped,
 * percent-encoded, in hexadecimal, and as base64 at any offset of a longer text. Not found: secrets that are
 * reversed, encrypted, compressed, interleaved with other characters, or split over several values. The cost
 * is one pass over the text, however many secrets there are.
 */
export class KnownSecrets {
  /** Loads stored secrets that nothing has used yet. Call it before taking in text from outside. */
  recall: () => void = () => undefined;
  readonly #secrets = new Set<string>();
  #search: SecretSearch | null = null;
  /** Whether JSON escaping could produce a secret, such as from a line break. */
  #hasBackslash = false;

  /**
   * From now on `secret` is removed wherever it occurs, also after the user replaces it. Values that are
   * clearly not secrets (a word, a short number, a host address) are ignored: they occur everywhere.
   */
  register(secret: string): void {
    const value = secret.trim();
    if (value.length < SHORTEST_SECRET || isNotSecret(value) || this.#secrets.has(value)) return;
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
    const { ranges } = this.search(text, true);
    return ranges.length === 0 ? text : replaced(text, ranges, { from: 0, marker });
  }

  /**
   * A JSON value without any known secret in its strings and field names; the same value where there is
   * none. Objects that are not plain stay as they are.
   */
  value<Value>(value: Value): Value {
    return this.isEmpty ? value : withCleanTexts(value, (text) => this.#textOfValue(text));
  }

  /**
   * A text to store in or look up in a database, without any known secret. JSON stays valid JSON and keeps
   * its discriminators.
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

  /** For a text that arrives in pieces. */
  stream(): SecretStream {
    return new SecretStream(this);
  }

  /** A string is also shown as JSON: what would be removed there is removed from the value that is used. */
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
  search(text: string, ended: boolean): ReturnType<SecretSearch['search']> {
    this.#search ??= new SecretSearch([...this.#secrets].flatMap(formsOfSecret));
    return this.#search.search(text, ended);
  }
}

/** Removes known secrets from a text that arrives in pieces, wherever it is cut. */
export class SecretStream {
  readonly #secrets: KnownSecrets;
  #buffer = '';
  /** Characters at the start of the buffer that were already returned. */
  #returned = 0;

  constructor(secrets: KnownSecrets) {
    this.#secrets = secrets;
  }

  /** Adds a piece and returns what may be shown now. What may be the start of a secret stays buffered. */
  push(piece: string): string {
    if (this.#buffer === '' && this.#secrets.isEmpty) return piece;
    return this.#advance(piece, false);
  }

  /** For a text that pauses: returns as much of the buffer as gives away nothing useful of a secret. */
  flushPrefix(): string {
    const shown = this.#buffer.slice(this.#returned, SHOWN_CHARS);
    this.#returned += shown.length;
    return shown;
  }

  /** Returns what is left. The stream may be used for another text afterwards. */
  end(): string {
    return this.#advance('', true);
  }

  #advance(piece: string, ended: boolean): string {
    const text = this.#buffer + piece;
    const from = this.#returned;
    const { ranges, settled } = this.#secrets.search(text, ended);
    this.#buffer = text.slice(settled);
    this.#returned = Math.max(0, from - settled);
    return replaced(text.slice(0, settled), ranges, { from, marker: REDACTED_KEY });
  }
}

function isNotSecret(value: string): boolean {
  if (PLACEHOLDERS.has(value.toLowerCase())) return true;
  const host = value.replace(/^\[(.+)\](?::\d+)?$/, '$1');
  const isIPv6 = /^[\da-f:.]+$/i.test(host) && URL.canParse(`http://[${host}]`);
  return isIPv6 || NOT_SECRET.some((form) => form.test(value));
}

/** `text` from `from` on, with `marker` in place of each range that ends after it. */
function replaced(
  text: string,
  ranges: readonly (readonly [number, number])[],
  { from, marker }: { readonly from: number; readonly marker: string },
): string {
  let result = '';
  let at = from;
  for (const [start, end] of ranges) {
    result += text.slice(at, Math.max(start, at)) + marker;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}

/**
 * The forms in which a secret may come back, mostly from a server: verbatim, JSON-escaped once or twice,
 * percent-encoded, in hexadecimal, or as base64 at any offset of a longer text. Longest first.
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

/** Base64 encodes three bytes at a time, so the characters at the ends depend on the neighbouring bytes. */
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
