import { readLogTail } from './log-tail.ts';
import type { TextCleaner } from './text-cleaner.ts';

const MAX_LOG_BYTES = 256 * 1024;
/** Room in the document; cleaning can make lines longer. */
const MAX_SHOWN_CHARS = 256 * 1024;
const LEFT_OUT = '[left out]';
const MAX_DEPTH = 6;

/**
 * Fields of log lines whose texts are shown. All others may be the user's own words (names of files, what a page or a
 * program said), so their texts are left out; numbers and truth values are always shown.
 */
const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['name', 'code', 'message', 'stack', 'cause', 'error', 'details', 'errno', 'syscall'],
  ...['id', 'runId', 'threadId', 'taskId', 'kind', 'reason', 'status', 'mode', 'place', 'verdict'],
  ...['rules', 'finding', 'url', 'why', 'detail', 'origin', 'signal', 'entryPoint'],
]);

/** The newest part of the log, cleaned again. Lines that the app did not write are left out and counted. */
export async function logSection(logsDir: string, cleaner: TextCleaner): Promise<string[]> {
  const { lines, isCut, unread } = await readLogTail(logsDir, MAX_LOG_BYTES);
  const entries: string[][] = [];
  let foreign = 0;
  let chars = 0;
  let left = lines.length;
  // The newest first, so that the oldest are missing where there is no room.
  for (const line of lines.toReversed()) {
    const entry = parseEntry(line);
    if (entry === null) foreign += line.trim() === '' ? 0 : 1;
    else {
      const shown = describeEntry(entry, cleaner);
      chars += shown.join('\n').length;
      if (chars > MAX_SHOWN_CHARS) break;
      entries.unshift(shown);
    }
    left -= 1;
  }
  const notes = [
    ...unread.map(({ name, why }) => `${name} was not read: ${cleaner.line(why)}`),
    ...(foreign === 0 ? [] : [`Lines that the app did not write, left out: ${foreign}`]),
    ...(isCut || left > 0 ? ['Older lines are left out.'] : []),
    ...(entries.length === 0 ? ['There are no lines.'] : []),
  ];
  return [...notes, ...entries.flat()];
}

type Entry = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly message: string;
};

function parseEntry(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return null;
    const { level, message } = value;
    return typeof level === 'string' && typeof message === 'string'
      ? { ...value, level, message }
      : null;
  } catch {
    // Not JSON.
    return null;
  }
}

/** Time, level and message on one line; fields below it, indented further. */
function describeEntry({ at, level, message, ...fields }: Entry, cleaner: TextCleaner): string[] {
  const time = typeof at === 'string' ? at : '';
  const head = [time, level, message].map((text) => cleaner.logLine(text)).join(' ');
  return [head.trim(), ...describeFields(fields, { cleaner, depth: 1 })];
}

interface Place {
  readonly cleaner: TextCleaner;
  readonly depth: number;
}

function describeFields(fields: Readonly<Record<string, unknown>>, place: Place): string[] {
  const hasStack = typeof fields.stack === 'string' && fields.stack !== '';
  return (
    Object.entries(fields)
      // A stack starts with both.
      .filter(([name]) => !(hasStack && (name === 'name' || name === 'message')))
      .flatMap(([name, value]) => describeField(name, value, place))
  );
}

function describeField(name: string, value: unknown, place: Place): string[] {
  const { cleaner, depth } = place;
  const start = '    '.repeat(depth);
  const label = `${start}${cleaner.logLine(name)}: `;
  const isHarmless = typeof value === 'number' || typeof value === 'boolean' || value === null;
  if (isHarmless) return [label + cleaner.logLine(String(value))];
  if (cleaner.isSecretField(name)) return [`${label}[redacted]`];
  // That of an error is its kind; any other may be one that the user gave.
  const isGivenName = name === 'name' && depth === 1;
  if (!SHOWN_FIELDS.has(name) || isGivenName || depth > MAX_DEPTH) return [label + LEFT_OUT];
  if (typeof value === 'string') {
    const [first = '', ...others] = cleaner.logLines(value);
    return [label + first, ...others.map((line) => `${start}  ${line.trim()}`)];
  }
  if (Array.isArray(value)) {
    const texts = value.map((item) => (isRecord(item) ? LEFT_OUT : cleaner.logLine(String(item))));
    return [label + texts.join(', ')];
  }
  if (!isRecord(value)) return [label + LEFT_OUT];
  return [label.trimEnd(), ...describeFields(value, { cleaner, depth: depth + 1 })];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
