import { KnownSecrets } from './known-secrets.ts';
import { withoutSecretKinds } from './secret-kinds.ts';

/** Replaces a secret in a text. */
export const REDACTED = '[redacted]';

/** Names of fields whose values are never written. `promptTokens` and the like are counts, not secrets. */
const SECRET_FIELD =
  /(pass(word|phrase|wd)?|secret|credentials?|authorization|cookie|(api|access|private|secret)[-_]?key|token|bearer)$/i;

/** Patterns that are secrets wherever they occur. The first group is kept. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(Bearer\s+|Basic\s+)[\w.~+/=-]{6,}/gi,
  /()\bsk-[\w-]{8,}/g,
  /()\b(?:gh[pousr]_|github_pat_|xox[abprs]-|AIza|hf_|glpat-)[\w-]{10,}/g,
  /([?&#](?:[\w-]*token|[\w-]*key|secret|password|sig|signature)=)[^&\s"'<>]+/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}(?=@)/gi,
];

/** Removes secrets from text before it is written: known values, known kinds and patterns, known field names. */
export class Redactor {
  readonly #known: KnownSecrets;

  constructor(known: KnownSecrets = new KnownSecrets()) {
    this.#known = known;
  }

  /** From now on `secret` is removed wherever it occurs, in each of its forms. */
  register(secret: string): void {
    this.#known.register(secret);
  }

  isSecretField(name: string): boolean {
    return SECRET_FIELD.test(name);
  }

  text(value: string): string {
    let safe = this.#known.text(value, REDACTED);
    for (const shape of SECRET_SHAPES) safe = safe.replace(shape, `$1${REDACTED}`);
    return withoutSecretKinds(safe);
  }
}
