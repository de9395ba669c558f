/** How far back anything matters. More may be kept, and is not looked at. */
const REACH = 4_096;
const LEAD_LENGTH = 400;
const OPENING_QUOTES = '"\'“‘«‹„「『';

/**
 * What the answer said just before the reading position, as far as it tells whether what comes next
 * is quoted. Taking text in costs next to nothing; it is looked at only where a call may begin.
 */
export class Prose {
  #parts: string[] = [];
  #kept = 0;
  #blank = true;
  #indent: string | null = '';
  #quoted: boolean | null = null;

  /** Nothing but white space so far, since the start or since the last call. */
  get blank(): boolean {
    return this.#blank;
  }

  get atLineStart(): boolean {
    return this.indent !== null;
  }

  /** The white space before the position on its line; null when anything else stands there. */
  get indent(): string | null {
    return this.#indent;
  }

  /** The end of what was said, at most 400 units. */
  get lead(): string {
    return this.#text().slice(-LEAD_LENGTH);
  }

  feed(text: string): void {
    if (text === '') return;
    if (this.#blank && /\S/.test(text)) this.#blank = false;
    this.#indent = indentAfter(this.#indent, text);
    this.#quoted = null;
    this.#parts.push(text);
    this.#kept += text.length;
    if (this.#kept > 2 * REACH) this.#keep(this.#text().slice(-REACH));
  }

  /** A block of its own (a fence) lies behind: what it held quotes nothing that follows. */
  endBlock(): void {
    this.#keep('\n\n');
    this.#indent = '';
  }

  reset(): void {
    this.#keep('');
    this.#indent = '';
    this.#blank = true;
  }

  /**
   * Whether the position lies in a block quote (to the end of its paragraph), in inline code, in a
   * code block by indentation, or right behind an opening quotation mark.
   */
  get quoted(): boolean {
    this.#quoted ??= this.#isQuoted();
    return this.#quoted;
  }

  #isQuoted(): boolean {
    const recent = this.#text().slice(-REACH);
    const paragraph = recent.slice(lastParagraphStart(recent));
    if (/(?:^|\n) {0,3}>(?!>>)/.test(paragraph)) return true;
    if (OPENING_QUOTES.includes(paragraph.slice(-1)) && paragraph !== '') return true;
    const isLine = !paragraph.includes('\n');
    if (isLine && !this.#blank && paragraph.trim() === '' && /^(?: {4}| *\t)/.test(paragraph))
      return true;
    return opensCode(paragraph);
  }

  #text(): string {
    if (this.#parts.length > 1) this.#parts = [this.#parts.join('')];
    return this.#parts[0] ?? '';
  }

  #keep(text: string): void {
    this.#parts = text === '' ? [] : [text];
    this.#kept = text.length;
    this.#quoted = null;
  }
}

/** The white space that begins the last line, where `text` follows a line that so far is `indent`. */
function indentAfter(indent: string | null, text: string): string | null {
  const lineStart = text.lastIndexOf('\n') + 1;
  if (lineStart === 0 && indent === null) return null;
  const line = lineStart === 0 ? text : text.slice(lineStart);
  for (let at = 0; at < line.length; at += 1) if (!' \t'.includes(line.charAt(at))) return null;
  const whole = lineStart === 0 ? indent + line : line;
  return whole.length > LEAD_LENGTH ? null : whole;
}

/** Behind the last blank line. */
function lastParagraphStart(text: string): number {
  for (let end = text.lastIndexOf('\n'); end > 0; ) {
    const before = text.lastIndexOf('\n', end - 1);
    if (before < 0) return 0;
    if (/^[ \t]*$/.test(text.slice(before + 1, end))) return end + 1;
    end = before;
  }
  return 0;
}

/** Whether a run of backticks is open at the end; only a run of the same length closes one. */
function opensCode(paragraph: string): boolean {
  let open = 0;
  for (const [run] of paragraph.matchAll(/`+/g)) {
    if (open === 0) open = run.length;
    else if (run.length === open) open = 0;
  }
  return open > 0;
}
