/** A fenced block in an answer. */
export interface CodeBlock {
  /** The info string after the fence: `python`, `src/App.tsx`, or empty. */
  readonly info: string;
  /** The line of text before it; empty where there is none. */
  readonly lead: string;
  readonly code: string;
}

export interface FencedText {
  readonly blocks: readonly CodeBlock[];
  /** The text around the blocks. */
  readonly text: string;
}

/** The fenced blocks of an answer. An unclosed one runs to the end: models forget the last fence. */
export function readFenced(answer: string): FencedText {
  const blocks: CodeBlock[] = [];
  const text: string[] = [];
  let open: { fence: string; info: string; lead: string; lines: string[]; indent: number } | null =
    null;
  const close = (): void => {
    if (open === null) return;
    const code = open.lines.join('\n').replace(/^\n+|\s+$/g, '');
    if (code !== '') blocks.push({ info: open.info, lead: open.lead, code });
    open = null;
  };
  for (const line of answer.replace(/\r\n?/g, '\n').split('\n')) {
    const marks = /^( *)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(line);
    if (open === null) {
      if (marks === null) text.push(line);
      else {
        const lead = text.findLast((one) => one.trim() !== '') ?? '';
        const [, space = '', fence = '```', info = ''] = marks;
        open = { fence, info, lead, lines: [], indent: space.length };
      }
    } else if (marks !== null && marks[3] === '' && marks[2]?.startsWith(open.fence) === true)
      close();
    else open.lines.push(withoutIndent(line, open.indent));
  }
  close();
  return {
    blocks,
    text: text
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** Removes the indent of blocks in a list. */
function withoutIndent(line: string, indent: number): string {
  return line.slice(0, indent).trim() === '' ? line.slice(indent) : line;
}
