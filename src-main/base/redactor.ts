/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter values would blot out ordinary words. */
const SHORTEST_SECRET = 6;

/** Field names whose text is never written. `promptTokens` and the like are counts, not secrets. */
const SECRET_FIELD =
  /(pass(word|phrase|wd)?|secret|credentials?|authorization|cookie|(api|access|private|secret)[-_]?key|token|bearer)$/i;

/** Shapes that are secrets wherever they stand. The first group is kept. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(Bearer\s+|Basic\s+)[\w.~+/=-]{6,}/gi,
  /()\bsk-[\w-]{8,}/g,
  /()\b(?:gh[pousr]_|github_pat_|xox[abprs]-|AIza|hf_|glpat-)[\w-]{10,}/g,
  /([?&#](?:[\w-]*token|[\w-]*key|secret|password|sig|signature)=)[^&\s"'<>]+/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}(?=@)/gi,
];

/**
 * The forms in which a secret may be repeated, by a server above all: as it is, escaped as JSON once or
 * twice, percent-encoded, in hexadecimal, or as base64 at any place of a longer text. Longest first.
 */
export function formsOfSecret(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString('hex');
  const forms = [
    ...[secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)],
    ...[hex, hex.toUpperCase(), ...base64Forms(secret)],
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Letters of base64 stand for three bytes; those at the ends depend on what stands around. */
function base64Forms(secret: string): string[] {
  const whole = Buffer.from(secret).toString('base64');
  const inner = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const text = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return text.slice(before === 0 ? 0 : 4);
  });
  return [whole, ...inner]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Takes secrets out of text before it is written: known values, known shapes, known fields. */
export class Redactor {
  #values: string[] = [];

  /** From now on `secret` is masked wherever it occurs, in each of its forms. */
  register(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.#values.includes(secret)) return;
    // Longest first: a secret may be the beginning of another.
    this.#values = [...new Set([...this.#values, ...formsOfSecret(secret)])].sort(
      (a, b) => b.length - a.length,
    );
  }

  isSecretField(name: string): boolean {
    return SECRET_FIELD.test(name);
  }

  text(value: string): string {
    let safe = value;
    for (const secret of this.#values) safe = safe.replaceAll(secret, REDACTED);
    for (const shape of SECRET_SHAPES) safe = safe.replace(shape, `$1${REDACTED}`);
    return safe;
  }
}
