export interface ParsedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** There are more rows than these. */
  readonly more: boolean;
}

/** Rows that a table on the screen shows. */
export const TABLE_ROWS = 500;

/** The beginning of a CSV file (RFC 4180). `separator` null takes the most frequent of , ; and tab. */
export function parseTable(text: string, separator: string | null): ParsedTable {
  const mark = separator ?? guessSeparator(text);
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length && records.length <= TABLE_ROWS + 1) {
    const field = readField(text, at, mark);
    record.push(field.value);
    at = field.end;
    if (text[at] === mark) {
      at += 1;
      // A separator at the very end opens one more field.
      if (at === text.length) record.push('');
      else continue;
    }
    records.push(record);
    record = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (record.length > 0) records.push(record);
  const [header = [], ...rows] = records.filter((fields) => fields.join('') !== '');
  return { header, rows: rows.slice(0, TABLE_ROWS), more: rows.length > TABLE_ROWS };
}

/** The field at `from`; `end` is where its separator, line end or the end of the text is. */
function readField(text: string, from: number, mark: string): { value: string; end: number } {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && text[end] !== mark && text[end] !== '\n' && text[end] !== '\r') {
      end += 1;
    }
    return { value: text.slice(from, end), end };
  }
  let value = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

function guessSeparator(text: string): string {
  const line = text.slice(0, Math.max(0, text.indexOf('\n')) || 2000);
  const counts = [',', ';', '\t'].map((mark) => [mark, line.split(mark).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
