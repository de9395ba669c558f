/** An element of a part, with its attributes by their prefixed names. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text between its tags, without that of its children. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
  /** The prefixes that may be used in it. */
  readonly prefixes: ReadonlySet<string>;
}

/** What is wrong in an XML text; the message says what, and where. */
export class XmlError extends Error {}

const NAME = '[\\p{L}_][\\p{L}\\p{N}_.\\-]*(?::[\\p{L}_][\\p{L}\\p{N}_.\\-]*)?';
const TAG = new RegExp(
  `<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`,
  'uy',
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gu');
const TEXT = /[^<]+/y;
const UNSEEN = /<!--(?:(?!--)[\s\S])*-->|<\?(?!xml\s)[\s\S]*?\?>/y;
const CDATA = /<!\[CDATA\[[\s\S]*?\]\]>/y;
const HEAD = /^\u{feff}?(?:<\?xml\s[^?]*\?>)?/u;
/** Elements in elements: presentations have a few dozen. */
const MOST_DEPTH = 500;
/** What XML 1.0 cannot hold, escaped or not. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}--[\u{7f}-\u{9f}]]|[\p{Cs}\u{fffe}\u{ffff}]/v;
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-fA-F]+));/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * The root of an XML text. Strict as Office is: throws `XmlError` for what is not well formed, for undeclared prefixes, and
 * for document types, which Office does not take.
 */
export function readXml(text: string): XmlElement {
  const bad = FORBIDDEN.exec(text);
  if (bad !== null) throw error(`a character that XML cannot hold`, text, bad.index);
  const root: OpenElement = {
    ...{ name: '', attributes: new Map(), children: [], text: '' },
    prefixes: new Set(['xml', 'xmlns']),
  };
  const open = [root];
  let at = HEAD.exec(text)?.[0].length ?? 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  while (at < text.length) {
    const start = at;
    const parent = open.at(-1) ?? root;
    const tag = take(TAG);
    if (tag !== null) {
      takeTag(tag, { open, text, start });
      continue;
    }
    if (take(UNSEEN) !== null) continue;
    const plain = take(TEXT)?.[0] ?? take(CDATA)?.[0];
    if (plain === undefined) throw error('something that is no tag', text, at);
    if (parent === root && plain.trim() !== '') {
      throw error('text outside of the root element', text, start);
    }
    if (plain.startsWith('<![')) parent.text += plain.slice('<![CDATA['.length, -']]>'.length);
    else if (plain.includes(']]>')) throw error('"]]>" in a text', text, start);
    else parent.text += decode(plain, text, start);
  }
  const [only] = root.children;
  if (open.length > 1) throw error(`<${open.at(-1)?.name}>, which is not closed`, text, at);
  if (only === undefined || root.children.length > 1) {
    throw error(`${root.children.length} root elements`, text, at);
  }
  return only;
}

function takeTag(
  [, slash = '', name = '', list = '', end = '']: RegExpExecArray,
  { open, text, start }: { open: OpenElement[]; text: string; start: number },
): void {
  const parent = open.at(-1);
  if (parent === undefined) return;
  if (slash !== '') {
    if (parent.name !== name || list !== '' || end !== '' || open.length === 1) {
      throw error(`</${name}>, which closes nothing`, text, start);
    }
    open.pop();
    return;
  }
  const attributes = new Map<string, string>();
  for (const [, key = '', double, single = ''] of list.matchAll(ATTRIBUTE)) {
    if (attributes.has(key)) throw error(`<${name}> with two attributes ${key}`, text, start);
    attributes.set(key, decode(double ?? single, text, start));
  }
  const own = [...attributes.keys()].filter((key) => key.startsWith('xmlns:'));
  const prefixes =
    own.length === 0
      ? parent.prefixes
      : new Set([...parent.prefixes, ...own.map((key) => key.slice('xmlns:'.length))]);
  for (const used of [name, ...attributes.keys()]) {
    const [prefix = '', local] = used.split(':');
    if (local !== undefined && !prefixes.has(prefix)) {
      throw error(`the prefix ${prefix}, which is not declared`, text, start);
    }
  }
  const element: OpenElement = { name, attributes, children: [], text: '', prefixes };
  parent.children.push(element);
  if (end !== '') return;
  if (open.length > MOST_DEPTH) throw error('elements in elements without end', text, start);
  open.push(element);
}

function decode(raw: string, text: string, start: number): string {
  const known = raw.replace(ENTITY, (_, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const letter = code > 0x10ffff ? '\u{ffff}' : String.fromCodePoint(code);
    if (FORBIDDEN.test(letter)) throw error('a character that XML cannot hold', text, start);
    return letter;
  });
  if (/&/.test(raw.replace(ENTITY, ''))) throw error('an unknown entity', text, start);
  return known;
}

function error(what: string, text: string, at: number): XmlError {
  const line = text.slice(0, at).split('\n').length;
  return new XmlError(`${what} (line ${line}, near ${JSON.stringify(text.slice(at, at + 40))})`);
}

/** The element and all that are in it, in their order. */
export function* walk(element: XmlElement): Generator<XmlElement> {
  const open = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    open.push(...next.children.toReversed());
  }
}

/** The first child of this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** An attribute as a number; null for none that a page could have. */
export function numberOf(element: XmlElement | undefined, key: string): number | null {
  const value = Number(element?.attributes.get(key) ?? Number.NaN);
  return Number.isFinite(value) && Math.abs(value) < 1e9 ? value : null;
}
