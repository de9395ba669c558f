import type { BrowserInput } from '#contract/browser.ts';
import { hashOfValue, type TypedValue } from './page-script.ts';
import type { HandBack, ShownElement } from './types.ts';

/** Shorter ones stand everywhere by chance. */
const SHORTEST = 4;
/** No view cuts what it shows to less. */
const SHORTEST_CUT = 39;
/** Stands for what the user typed. */
export const MASK = '••••';
const MOST_VALUES = 2_000;

/**
 * What the user typed while they had control: in memory only, and taken out of everything that leaves the browser
 * afterwards. What a site makes of it (a part, an upper case) is not recognised.
 */
export class PrivateValues {
  readonly #values = new Set<string>();
  /** Those of fields that look secret, and those of others. */
  readonly #secret = new Set<string>();
  readonly #other = new Set<string>();
  #longestFirst: readonly string[] | null = null;
  #typed = '';

  /** Values of fields, as the page has them. */
  add(values: readonly TypedValue[]): void {
    for (const { value, isSecret } of values) {
      const forms = this.#add(value);
      for (const form of forms) (isSecret ? this.#secret : this.#other).add(form);
    }
  }

  /**
   * The user hands back. With `showTyped`, the agent may see what they typed since they took over into fields that do
   * not look secret, unless it is a part of what stood in one that does.
   */
  ends({ showTyped }: HandBack): void {
    this.#ends();
    const secrets = showTyped ? [...this.#secret] : [];
    for (const value of showTyped ? this.#other : []) {
      if (!secrets.some((secret) => secret.includes(value))) this.#values.delete(value);
    }
    this.#longestFirst = null;
    this.#other.clear();
  }

  /** Reads along what is typed, for fields that are gone before they can be looked at. */
  note(input: BrowserInput): void {
    switch (input.type) {
      case 'text':
        this.#typed += input.text;
        this.#add(input.text);
        return;
      case 'key_down': {
        const isShortcut = input.modifiers.some((key) => key === 'Control' || key === 'Meta');
        if (input.key === 'Backspace') this.#typed = this.#typed.slice(0, -1);
        else if ([...input.key].length === 1 && !isShortcut) this.#typed += input.key;
        else if (/^(?:Enter|Tab|Escape|Arrow|Home|End)/.test(input.key)) this.#ends();
        return;
      }
      case 'mouse_down':
        this.#ends();
        return;
      default:
        return;
    }
  }

  /** `text` without any of these values. */
  hide(text: string): string {
    let hidden = text;
    // The longest first: what was typed first is the beginning of another, whose end would stay.
    this.#longestFirst ??= [...this.#values].sort((a, b) => b.length - a.length);
    for (const value of this.#longestFirst) hidden = without(hidden, value);
    return hidden;
  }

  /** For the page's script, which finds what equals them. */
  hashes(): number[] {
    return [...this.#values].map(hashOfValue);
  }

  hideIn(element: ShownElement): ShownElement {
    if (this.#values.size === 0) return element;
    const { form } = element;
    return {
      ...element,
      name: this.hide(element.name),
      href: element.href === null ? null : this.hideInUrl(element.href),
      form:
        form === null
          ? null
          : {
              ...form,
              action: this.hideInUrl(form.action),
              fields: form.fields.map(({ name, value }) => ({
                name: this.hide(name),
                value: this.hide(value),
              })),
            },
    };
  }

  /** Addresses carry values encoded. */
  hideInUrl(url: string): string {
    if (this.#values.size === 0) return url;
    const plain = decoded(url);
    const hidden = this.hide(plain);
    return hidden === plain ? url : hidden;
  }

  #ends(): void {
    this.#add(this.#typed);
    this.#typed = '';
  }

  #add(value: string): string[] {
    const added: string[] = [];
    for (const one of [value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())]) {
      if (one.length < SHORTEST) continue;
      // As it is, and as views show it.
      for (const form of [one, one.replace(/\s+/g, ' ')]) {
        if (form.length < SHORTEST || this.#values.size >= MOST_VALUES) continue;
        this.#values.add(form);
        this.#longestFirst = null;
        added.push(form);
      }
    }
    return added;
  }
}

/** `text` without a value, also where it is cut: from its beginning on, as far as it goes. */
function without(text: string, value: string): string {
  const begin = value.slice(0, SHORTEST_CUT);
  let at = text.indexOf(begin);
  if (at === -1) return text;
  let kept = '';
  let from = 0;
  while (at !== -1) {
    let length = begin.length;
    while (length < value.length && text[at + length] === value[length]) length += 1;
    kept += text.slice(from, at) + MASK;
    from = at + length;
    at = text.indexOf(begin, from);
  }
  return kept + text.slice(from);
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    // Not encoded as addresses are.
    return url;
  }
}
