import type { BrowserInput } from '#contract/browser.ts';
import { hashOfValue } from './page-script.ts';
import type { ShownElement } from './types.ts';

/** Shorter ones stand everywhere by chance. */
const SHORTEST = 4;
/** Stands for what the user typed. */
export const MASK = '••••';
const MOST_VALUES = 2_000;

/**
 * What the user typed while they had control: in memory only, and taken out of everything that leaves the browser
 * afterwards. What a site makes of it (a part, an upper case) is not recognised.
 */
export class PrivateValues {
  readonly #values = new Set<string>();
  #typed = '';

  /** Values of fields, as the page has them. */
  add(values: readonly string[]): void {
    for (const value of values) this.#add(value);
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

  /** The user is done. */
  ends(): void {
    this.#ends();
  }

  /** `text` without any of these values. */
  hide(text: string): string {
    let hidden = text;
    for (const value of this.#values) {
      if (hidden.includes(value)) hidden = hidden.replaceAll(value, MASK);
    }
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

  #add(value: string): void {
    for (const one of [value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())]) {
      if (one.length < SHORTEST) continue;
      // As views show it, and as they cut it.
      const flat = one.replace(/\s+/g, ' ');
      for (const form of [one, flat, flat.slice(0, 99), flat.slice(0, 39)]) {
        if (form.length >= SHORTEST && this.#values.size < MOST_VALUES) this.#values.add(form);
      }
    }
  }
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    // Not encoded as addresses are.
    return url;
  }
}
