/** How far back anything matters. More may be kept, and is not looked at. */
const REACH = 4_096;
const LEAD_LENGTH = 400;

/**
 * What the answer said just before the reading position, as far as it tells whether what comes next
 * is quoted. Taking text in costs next to nothing; it is looked at only where a call may begin.
 */
export class Prose {
  #text = '';
  #blank = true;

  /** Nothing but white space so far, since the start or since the last call. */
  get blank(): boolean {
    return this.#blank;
  }

  get atLineStart(): boolean {
    return this.indent !== null;
  }

  /** The white space before the position on its line; null when anything else stands there. */
  get indent(): string | null {
    const text = this.#text;
    let start = text.length;
    while (start > 0 && ' \t'.includes(text.charAt(start - 1))) start -= 1;
    if (text.length - start > LEAD_LENGTH) return null;
    return start === 0 || text.charAt(start - 1) === '\n' ? text.slice(start) : null;
  }

  /** The end of what was said, at most 400 units. */
  get lead(): string {
    return this.#text.slice(-LEAD_LENGTH);
  }

  feed(text: string): void {
    if (this.#blank && /\S/.test(text)) this.#blank = false;
    this.#text += text;
    if (this.#text.length > 2 * REACH) this.#text = this.#text.slice(-REACH);
  }

  /** A block of its own (a fence) lies behind: what it held quotes nothing that follows. */
  endBlock(): void {
    this.#text = '\n\n';
  }

  reset(): void {
    this.#text = '';
    this.#blank = true;
  }

  /**
   * Whether the position lies in a block quote (to the end of its paragraph), in inline code, in a
   * code block by indentation, or right behind an opening quotation mark.
   */
  get quoted(): boolean {
    const recent = this.#text.slice(-REACH);
    const paragraph = recent.slice(lastParagraphStart(recent));
    const lines = paragraph.split('\n');
    if (lines.some((line) => /^ {0,3}>(?!>>)/.test(line))) return true;
    if (/["'“‘«‹„「『]$/.test(paragraph)) return true;
    if (lines.length === 1 && !this.#blank && /^(?: {4,}| *\t)\s*$/.test(paragraph)) return true;
    return opensCode(paragraph);
  }
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
