import {
  type Constant,
  called,
  combine,
  formatted,
  isSmall,
  MOST_CHARS,
  method,
  reversed,
} from './constant-operations.ts';

/**
 * What a program's source states by itself: its literals, and what can be made of them without any input. The
 * grammar is what Python, JavaScript and shells have in common, so that one reader serves all of them; whatever it
 * cannot read has no value.
 */
export interface Folded {
  readonly value: Constant;
  /** The literals that it is made of, as they are written. */
  readonly from: readonly string[];
}

const READ_CHARS = 40_000;
const MAX_TOKENS = 8_000;
/** Longest expression that is tried from one place. */
const MAX_STEPS = 400;
/** For all expressions together, in steps; then nothing more is read. */
const MAX_WORK = 200_000;
/** Characters of a value that are made in the time of a step. */
const STEP_CHARS = 64;
/** An item of a list takes as long as this much text. */
const ITEM_CHARS = 16;
/** For all values that are found together. */
const MAX_FOUND_CHARS = 60_000;

/** What the expressions of a run of texts share. */
interface Scope {
  readonly names: Map<string, Folded>;
  workLeft: number;
}

const TOKEN =
  /(?<space>[ \t\r]+)|(?<comment>#[^\n]*|\/\/[^\n'"]{0,400}(?=\n|$))|(?<line>\n|;)|(?<number>0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?)|(?<string>[fFbBrRuU]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')|`(?:\\[\s\S]|[^`\\])*`)|(?<name>[\p{L}_$][\p{L}\d_$]*(?:\.[\p{L}_][\p{L}\d_]*)*)|(?<sign>\*\*|\/\/|<<|>>|\+=|==|[-+*/%()[\],=:{}.^&|<>!?])|(?<other>[\s\S])/gu;

interface Token {
  readonly kind: 'line' | 'number' | 'string' | 'name' | 'sign' | 'other';
  readonly text: string;
}

/**
 * Every value that the texts make of their literals alone, longer expressions included; not the literals themselves.
 * Each text has names of its own; the work is bounded for all of them together.
 */
export function foldedConstants(texts: readonly string[]): Folded[] {
  const found = new Map<string, Folded>();
  const scope: Scope = { names: new Map(), workLeft: MAX_WORK };
  let chars = 0;
  const add = (folded: Folded): void => {
    const value = JSON.stringify(folded.value);
    const key = `${value} ${folded.from.join(' ')}`;
    if (found.has(key) || chars + value.length > MAX_FOUND_CHARS) return;
    chars += value.length;
    found.set(key, folded);
  };
  let charsLeft = 2 * READ_CHARS;
  for (const text of texts) {
    if (charsLeft <= 0) break;
    const tokens = tokensOf(text.slice(0, Math.min(charsLeft, READ_CHARS)));
    charsLeft -= text.length;
    scope.names.clear();
    for (let at = 0; at < tokens.length && scope.workLeft > 0; at += 1) {
      const reader = new Reader(tokens, scope, at);
      const folded = reader.whole();
      if (folded === null) continue;
      if (reader.at > at + 1) for (const one of [folded, ...reader.parts]) add(one);
      assign(tokens, { at, end: reader.at, folded }, scope);
    }
  }
  return [...found.values()];
}

/** The literals of the source, in order: numbers and strings. */
export function literalsOf(source: string): Token[] {
  return tokensOf(source.slice(0, READ_CHARS)).filter(
    ({ kind }) => kind === 'number' || kind === 'string',
  );
}

/** `name = expression` and `name += expression`, where the expression is the rest of the line. */
function assign(
  tokens: readonly Token[],
  { at, end, folded }: { readonly at: number; readonly end: number; readonly folded: Folded },
  scope: Scope,
): void {
  const [sign, name] = [tokens[at - 1], tokens[at - 2]];
  const isWhole = tokens[end] === undefined || tokens[end]?.kind === 'line';
  if (name?.kind !== 'name' || sign?.kind !== 'sign') return;
  if (sign.text === '=' && isWhole) scope.names.set(name.text, folded);
  const known = scope.names.get(name.text);
  if (sign.text !== '+=' || !isWhole || known === undefined) return;
  const value = combine('+', known.value, folded.value);
  const from = [...new Set([...known.from, ...folded.from])];
  scope.workLeft -= 1 + from.length;
  if (isSmall(value)) scope.names.set(name.text, { value, from });
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups = {}, 0: text } of source.matchAll(TOKEN)) {
    if (groups.space !== undefined || groups.comment !== undefined) continue;
    const kind = (['line', 'number', 'string', 'name', 'sign'] as const).find(
      (one) => groups[one] !== undefined,
    );
    tokens.push({ kind: kind ?? 'other', text });
    if (tokens.length === MAX_TOKENS) break;
  }
  return tokens;
}

/** Reads one expression; every method returns null where there is none. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #scope: Scope;
  readonly #from = new Set<string>();
  #steps = 0;
  at: number;
  /** Values within the expression that a call prints side by side. */
  readonly parts: Folded[] = [];

  constructor(tokens: readonly Token[], scope: Scope, at: number) {
    this.#tokens = tokens;
    this.#scope = scope;
    this.at = at;
  }

  whole(): Folded | null {
    const value = this.#sum();
    if (value === null) return null;
    this.#scope.workLeft -= this.#from.size;
    return { value, from: [...this.#from] };
  }

  /** False where this would take too many steps. */
  #step(steps = 1): boolean {
    this.#steps += 1;
    this.#scope.workLeft -= steps;
    return this.#steps <= MAX_STEPS && this.#scope.workLeft > 0;
  }

  /** A value that was made; null for one too large to go on with. */
  #made<Value extends Constant>(value: Value | null): Value | null {
    const chars =
      value === null || typeof value === 'number'
        ? 0
        : value.length * (typeof value === 'string' ? 1 : ITEM_CHARS);
    return isSmall(value) && this.#step(1 + chars / STEP_CHARS) ? value : null;
  }

  #use(known: Folded): void {
    this.#scope.workLeft -= known.from.length;
    for (const one of known.from) this.#from.add(one);
  }

  #is(text: string): boolean {
    return this.#tokens[this.at]?.text === text && this.#tokens[this.at]?.kind === 'sign';
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.at += 1;
    return true;
  }

  #sum(): Constant | null {
    return this.#chain(['+', '-', '<<', '>>', '|', '^', '&'], () =>
      this.#chain(['*', '/', '//', '%'], () => this.#power()),
    );
  }

  /** A chain of operations; ends before the first operand that has no value. */
  #chain(signs: readonly string[], operand: () => Constant | null): Constant | null {
    let left = operand();
    while (left !== null) {
      const sign = signs.find((one) => this.#is(one));
      if (sign === undefined) return left;
      const before = this.at;
      this.at += 1;
      const right = operand();
      const value = right === null ? null : this.#made(combine(sign, left, right));
      if (value === null) {
        this.at = before;
        return left;
      }
      left = value;
    }
    return null;
  }

  #power(): Constant | null {
    if (!this.#step()) return null;
    if (this.#take('-')) {
      const value = this.#power();
      return typeof value === 'number' ? -value : null;
    }
    this.#take('+');
    const base = this.#postfix();
    if (base === null || !this.#take('**')) return base;
    const exponent = this.#power();
    return typeof base === 'number' && typeof exponent === 'number' ? base ** exponent : null;
  }

  #postfix(): Constant | null {
    let value = this.#primary();
    while (value !== null) {
      const token = this.#tokens[this.at];
      const method = this.#tokens[this.at + 1];
      if (this.#isReversal()) {
        this.at += 5;
        value = this.#made(reversed(value));
      } else if (token?.text === '.' && method?.kind === 'name') {
        this.at += 2;
        value = this.#made(this.#callOn(value, method.text));
      } else if (this.#is('[') && this.#tokens[this.at + 2]?.text === ']') {
        const index = Number(this.#tokens[this.at + 1]?.text);
        this.at += 3;
        value = typeof value === 'number' ? null : (value.at(index) ?? null);
      } else return value;
    }
    return null;
  }

  /** `[::-1]` */
  #isReversal(): boolean {
    const next = this.#tokens.slice(this.at, this.at + 6).map(({ text }) => text);
    if (next.join('') === '[::-1]') {
      this.at += 1;
      return true;
    }
    return false;
  }

  #primary(): Constant | null {
    const token = this.#tokens[this.at];
    if (token === undefined || !this.#step()) return null;
    this.at += 1;
    switch (token.kind) {
      case 'number':
        this.#from.add(token.text);
        return Number(token.text.replaceAll('_', ''));
      case 'string': {
        this.#from.add(token.text);
        let text = this.#textOf(token.text);
        while (text !== null && this.#tokens[this.at]?.kind === 'string') {
          const next = this.#textOf(this.#tokens[this.at]?.text ?? '');
          this.at += 1;
          text = next === null ? null : this.#made(text + next);
        }
        return text;
      }
      case 'name':
        return this.#named(token.text);
      case 'sign':
        if (token.text === '(') return this.#list(')', true);
        return token.text === '[' ? this.#list(']', false) : null;
      default:
        return null;
    }
  }

  #named(name: string): Constant | null {
    if (this.#take('(')) {
      const given = this.#list(')', false);
      return Array.isArray(given) ? this.#made(this.#called(name, given)) : null;
    }
    const known = this.#scope.names.get(name);
    if (known !== undefined) {
      this.#use(known);
      return known.value;
    }
    const dot = name.lastIndexOf('.');
    const owner = dot < 0 ? undefined : this.#scope.names.get(name.slice(0, dot));
    if (owner === undefined) return null;
    this.#use(owner);
    return this.#made(this.#callOn(owner.value, name.slice(dot + 1)));
  }

  #called(name: string, given: readonly Constant[]): Constant | null {
    if (/^(?:print|console\.(?:log|info)|sys\.stdout\.write|process\.stdout\.write)$/.test(name)) {
      // What is printed side by side may read as one figure.
      const value = given.map(String).join('');
      this.parts.push({ value, from: [...this.#from] });
      return value;
    }
    const dot = name.lastIndexOf('.');
    const owner = dot < 0 ? undefined : this.#scope.names.get(name.slice(0, dot));
    if (owner !== undefined) return method(owner.value, name.slice(dot + 1), given);
    return called(name, given);
  }

  #callOn(value: Constant, name: string): Constant | null {
    if (name === 'length') return typeof value === 'number' ? null : value.length;
    if (!this.#take('(')) return null;
    const given = this.#list(')', false);
    return Array.isArray(given) ? method(value, name, given) : null;
  }

  /** The items up to `end`. With `mayBeOne`, a single item in parentheses is that item. */
  #list(end: string, mayBeOne: boolean): Constant | null {
    const items: Constant[] = [];
    let commas = 0;
    for (;;) {
      while (this.#tokens[this.at]?.text === '\n' && this.#step()) this.at += 1;
      if (this.#take(end)) break;
      // A keyword argument, such as `sep=""`.
      if (this.#tokens[this.at + 1]?.text === '=') {
        this.at += 2;
        if (this.#sum() === null) return null;
      } else {
        const item = this.#sum();
        if (item === null) return null;
        items.push(item);
      }
      while (this.#tokens[this.at]?.text === '\n' && this.#step()) this.at += 1;
      if (this.#take(',')) commas += 1;
      else if (!this.#is(end)) return null;
    }
    return mayBeOne && commas === 0 && items.length === 1 ? (items[0] ?? null) : this.#made(items);
  }

  /** A string with what it inserts; null where that has no value. */
  #textOf(literal: string): string | null {
    const [, prefix = '', quote = '', body = ''] =
      /^([a-zA-Z]*)("""|'''|"|'|`)([\s\S]*)\2$/.exec(literal) ?? [];
    const inserts = quote === '`' ? /\$\{([^{}]*)\}/g : /\{([^{}]*)\}/g;
    if (quote !== '`' && !/f/i.test(prefix)) return this.#made(unescaped(body));
    let isKnown = true;
    let chars = body.length;
    const text = body.replace(inserts, (_all, inner: string) => {
      if (!isKnown) return '';
      const [, expression = '', format = ''] = /^(.*?)(?:![rsa])?(?::([^:]*))?$/s.exec(inner) ?? [];
      const tokens = tokensOf(expression);
      const reader = new Reader(tokens, this.#scope, 0);
      const value = reader.whole();
      if (value === null || reader.at < tokens.length) {
        isKnown = false;
        return '';
      }
      this.#use(value);
      const shown = formatted(value.value, format);
      chars += shown.length;
      isKnown = chars <= MOST_CHARS && this.#step(1 + shown.length / STEP_CHARS);
      return shown;
    });
    return isKnown ? this.#made(unescaped(text)) : null;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g, (_all, x, u, char) =>
    char === undefined ? String.fromCharCode(Number.parseInt(x ?? u, 16)) : char,
  );
}
