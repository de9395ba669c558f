import type { MadeCall } from '../../agents/types.ts';
import { LOOKS } from '../../browser/looks.ts';

const LOOK_TOOLS: ReadonlySet<string> = new Set(LOOKS.map((kind) => `browser_${kind}`));
/** The first line of a view; addresses hold no spaces, so that a title cannot stand for one. */
const HEAD = /^Page: (.*) - (\S+?)(?: \(screen \d+ of \d+\))?$/;
const MARK = /^<\/?data-[0-9a-f]+>$|^The text between the two marks data-/;
const PAGE_SAYS = /^(?:The page said\b|A dialog of the page is open\b)[^"]*"(.*)"/;
const ERROR = /: the server answered \d{3}\.$/m;
const LEFT_OUT = /^… \d+ more /;

/** What a page showed when it was last looked at. */
interface ShownPage {
  readonly url: string;
  title: string;
  lines: string[];
  /** All that it ever showed in the run. */
  readonly ever: Set<string>;
  /** Its server answered with an error when it was opened. */
  isError: boolean;
  /** A model that sees has a picture of it as it is. */
  hasPicture: boolean;
}

export function isBrowserCall({ name }: Pick<MadeCall, 'name'>): boolean {
  return name.startsWith('browser_');
}

/** Whether a call acted on a page: all but looking and opening. */
export function actsOnPage(call: Pick<MadeCall, 'name'>): boolean {
  return isBrowserCall(call) && !LOOK_TOOLS.has(call.name) && call.name !== 'browser_navigate';
}

/**
 * What the pages of a run showed, by the results of its calls in the browser and of `fetch_page`, oldest first: of each
 * address, what was there after the last call that may have changed it. A call that failed shows nothing. Texts that the
 * run itself typed are not the page's.
 */
export class ShownPages {
  readonly #pages = new Map<string, ShownPage>();
  readonly #typed = new Set<string>();
  #current: ShownPage | null = null;

  constructor(calls: readonly MadeCall[]) {
    for (const call of calls) {
      if (isBrowserCall(call)) this.#add(call);
      else if (call.name === 'fetch_page' && call.status === 'ok') {
        this.#show(this.#pageAt(String(call.arguments.url)), linesOf(call));
      }
    }
  }

  /** Whether exactly this address was read, and its server answered without an error. */
  answered(address: string): boolean {
    const page = [...this.#pages.values()].find(({ url }) => bare(url) === bare(address));
    return page !== undefined && !page.isError;
  }

  /** Whether the page at the address, or any for null, may have shown more in a picture. */
  hasPicture(address: string | null): boolean {
    return this.#at(address).some((page) => page.hasPicture);
  }

  /** The page that shows a text; with `isGone`, one that only showed it before. Null if none ever did. */
  find(
    text: string,
    address: string | null,
  ): { readonly url: string; readonly isGone: boolean } | null {
    const pages = this.#at(address);
    const now = pages.findLast(({ title, lines }) => holds([title, ...lines], text));
    if (now !== undefined) return { url: now.url, isGone: false };
    const before = pages.findLast(({ ever }) => holds([...ever], text));
    return before === undefined ? null : { url: before.url, isGone: true };
  }

  #at(address: string | null): ShownPage[] {
    const all = [...this.#pages.values()];
    return address === null ? all : all.filter(({ url }) => isAt(url, address));
  }

  #add(call: MadeCall): void {
    const { name, arguments: given, status } = call;
    if (name === 'browser_type') this.#typed.add(plain(String(given.text ?? '')));
    if (status !== 'ok') {
      // What it did to the page is not known, and its words are no evidence.
      if (status === 'error' && actsOnPage(call) && this.#current) this.#current.lines = [];
      if (status === 'error' && name === 'browser_navigate') this.#current = null;
      return;
    }
    const lines = linesOf(call);
    const at = lines.findIndex((line) => HEAD.test(line));
    const [, title = '', url = ''] = HEAD.exec(lines[at] ?? '') ?? [];
    const head = at < 0 ? lines : lines.slice(0, at);
    const page = at < 0 ? this.#current : this.#pageAt(url);
    if (page === null) return;
    this.#current = page;
    if (!LOOK_TOOLS.has(name)) page.hasPicture = false;
    if (name === 'browser_screenshot') page.hasPicture = true;
    if (at >= 0) {
      page.title = title;
      page.ever.add(title);
      if (name === 'browser_navigate') page.isError = ERROR.test(head.join('\n'));
      this.#read(page, lines.slice(at + 1), call);
    }
    const said = head.flatMap((line) => PAGE_SAYS.exec(line)?.[1] ?? []);
    const found = name === 'browser_find' && at < 0 ? head.slice(1) : [];
    const text = String(given.text ?? '');
    const isAwaited =
      name === 'browser_wait' && head.includes(`"${text}" is there.`) && !this.#isTyped(text);
    this.#show(page, [...page.lines, ...said, ...found, ...(isAwaited ? [text] : [])]);
  }

  /** Takes in what follows the first line of a view: changes, or the page. */
  #read(page: ShownPage, lines: readonly string[], { name, arguments: given }: MadeCall): void {
    const [first = ''] = lines;
    if (first === 'Nothing changed on the page.') return;
    if (first === 'Changed:') {
      this.#show(page, changed(page.lines, lines.slice(1)));
      return;
    }
    // Where a look shows a part of the page, the rest is still there.
    const isPart = given.ref !== undefined || name === 'browser_scroll' || lines.some(isLeftOut);
    const isMore = LOOK_TOOLS.has(name) && isPart;
    this.#show(page, isMore ? [...page.lines, ...lines] : lines);
  }

  #show(page: ShownPage, lines: readonly string[]): void {
    page.lines = lines.map((line) => this.#withoutTyped(line));
    for (const line of page.lines) page.ever.add(line);
  }

  #withoutTyped(line: string): string {
    return line.replace(/ = "((?:[^"\\]|\\.)*)"/g, (all, value: string) =>
      this.#isTyped(value.replaceAll('\\"', '"')) ? '' : all,
    );
  }

  #isTyped(text: string): boolean {
    return this.#typed.has(plain(text));
  }

  #pageAt(url: string): ShownPage {
    const known = this.#pages.get(url) ?? {
      url,
      title: '',
      lines: [],
      ever: new Set(),
      isError: false,
      hasPicture: false,
    };
    // The newest is the last one.
    this.#pages.delete(url);
    this.#pages.set(url, known);
    return known;
  }
}

const isLeftOut = (line: string): boolean => LEFT_OUT.test(line);

function linesOf({ content }: MadeCall): string[] {
  return content.split('\n').filter((line) => !MARK.test(line));
}

/** The lines after `+` for what is new, `~` for a control that changed, `-` for what is gone, cut after 80 characters. */
function changed(before: readonly string[], changes: readonly string[]): string[] {
  const gone = changes.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  const added = changes.flatMap((line) => (/^[+~] /.test(line) ? [line.slice(2)] : []));
  // Not all that is gone is named.
  if (gone.some(isLeftOut)) return added;
  const refs = new Set(added.flatMap(refOf));
  const kept = before.filter((line) => {
    const text = line.trimStart();
    return !refOf(text).some((ref) => refs.has(ref)) && !gone.some((one) => text.startsWith(one));
  });
  return [...kept, ...added];
}

const refOf = (line: string): string[] => /^\[\w+\] /.exec(line) ?? [];

/** Words as they are compared: without case, spaces, kinds of quotation marks, and marks at the end. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.,;:!?…。，；：！？]+|[\s.,;:!?…。，；：！？]+$/g, '');
}

/** Whether the text stands in the lines as words of its own. */
function holds(lines: readonly string[], text: string): boolean {
  const wanted = plain(text);
  const shown = plain(lines.join('\n').replaceAll(/^\s*(?:\[\w+\] |text: )/gm, ''));
  const isWord = (at: number): boolean =>
    /[\p{L}\p{N}]/u.test(shown.charAt(at)) && !/\p{Script=Han}/u.test(shown.charAt(at));
  for (let at = shown.indexOf(wanted); at >= 0; at = shown.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isInside = (isWord(at - 1) && isWord(at)) || (isWord(end - 1) && isWord(end));
    if (!isInside) return wanted !== '';
  }
  return false;
}

/** An address without what says nothing about the page. */
function bare(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/#.*$/, '')
    .replace(/\/$/, '');
}

/** Whether a page is the one at an address; a host alone is any page of it. */
function isAt(url: string, address: string): boolean {
  const [page, wanted] = [bare(url), bare(address)];
  // Views cut long addresses.
  if (page.endsWith('…')) return wanted.startsWith(page.slice(0, -1));
  if (page === wanted || page.startsWith(`${wanted}?`)) return true;
  return !wanted.includes('/') && page.startsWith(`${wanted}/`);
}
