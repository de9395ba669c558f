/** Every line but a heading starts like this, so that no value can look like a heading, and Markdown shows it as it is. */
const INDENT = '    ';

/** Longer sections are cut: a document must stay readable, and small enough to be sent. */
const MAX_CHARS = 300_000;

/** One section of the document. The lines are clean, and have no line breaks. */
export function section(title: string, lines: readonly string[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + INDENT.length + 1;
    if (chars > MAX_CHARS) {
      shown.push(`… ${lines.length - shown.length} more lines`);
      break;
    }
    shown.push(line);
  }
  return `${heading(2, title)}\n\n${shown.map((line) => `${INDENT}${line}\n`).join('')}`;
}

export function heading(level: 1 | 2, title: string): string {
  return `${'#'.repeat(level)} ${title}`;
}
