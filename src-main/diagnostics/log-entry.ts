import { LOG_LEVELS } from '../base/log-line.ts';
import type { TextCleaner } from './text-cleaner.ts';

const LEFT_OUT = '[left out]';
const MAX_DEPTH = 6;

/**
 * Fields of log lines whose texts are shown. All others may be the user's own words (names of files, what a page or a
 * program said), so their texts are left out; numbers and truth values are shown unless the name is that of a secret.
 */
const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'name',
    'code',
    'message',
    'stack',
    'cause',
    'error',
    'errors',
    'details',
    'errno',
    'syscall',
  ],
  ...['id', 'runId', 'threadId', 'taskId', 'kind', 'reason', 'status', 'mode', 'place', 'verdict'],
  ...['rules', 'finding', 'url', 'why', 'detail', 'origin', 'signal', 'entryPoint'],
]);
/** Names that are shown in any record, with their numbers. Other names of a record may be the user's own words. */
const COUNTS: ReadonlySet<string> = new Set([
  ...['count', 'bytes', 'size', 'length', 'limit', 'max', 'min', 'port', 'pid', 'attempt', 'ms'],
  ...['exitCode', 'statusCode', 'elapsedMs', 'timeoutMs', 'tokens', 'promptTokens', 'retryable'],
]);
const FIELD_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;
/** The class of an error, or a code. Any other name may be one that the user gave. */
const ERROR_NAME = /^(?:(?:[A-Z]\w{0,60})?(?:Error|Exception)|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)$/;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,30}:[\\/]{2}/i;

export type Entry = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly message: string;
};

/** A line of the log, or null if the app did not write it. */
export function parseEntry(line: string): Entry | null {
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
export function describeEntry(
  { at, level, message, ...fields }: Entry,
  cleaner: TextCleaner,
): string[] {
  const isTime = typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/.test(at);
  const time = isTime ? at : cleaner.logLine(typeof at === 'string' ? at : '');
  const shownLevel = LOG_LEVELS.some((one) => one === level) ? level : cleaner.logLine(level);
  const head = `${time} ${shownLevel} ${cleaner.logLine(message)}`;
  return [head.trim(), ...describeFields(fields, { cleaner, depth: 1, hasOwnNames: true })];
}

interface Place {
  readonly cleaner: TextCleaner;
  readonly depth: number;
  /** Whether the app or an error named the fields, and not the user. */
  readonly hasOwnNames: boolean;
}

function describeFields(fields: Readonly<Record<string, unknown>>, place: Place): string[] {
  const hasStack = typeof fields.stack === 'string' && fields.stack !== '';
  const entries = Object.entries(fields)
    // A stack starts with both.
    .filter(([name]) => !(hasStack && (name === 'name' || name === 'message')));
  const shown = entries.filter(([name]) => mayBeNamed(name, place));
  const others = entries.length - shown.length;
  const note = `${indent(place)}Fields whose names are left out: ${others}`;
  return [
    ...shown.flatMap(([name, value]) => describeField(name, value, place)),
    ...(others === 0 ? [] : [note]),
  ];
}

function mayBeNamed(name: string, { hasOwnNames }: Place): boolean {
  return SHOWN_FIELDS.has(name) || COUNTS.has(name) || (hasOwnNames && FIELD_NAME.test(name));
}

function describeField(name: string, value: unknown, place: Place): string[] {
  const { cleaner, depth } = place;
  const isOwn = SHOWN_FIELDS.has(name) || COUNTS.has(name);
  const label = `${indent(place)}${isOwn ? name : cleaner.logLine(name)}: `;
  if (cleaner.isSecretField(name)) return [`${label}[redacted]`];
  const isHarmless = typeof value === 'number' || typeof value === 'boolean' || value === null;
  if (isHarmless) return [label + String(value)];
  const isShown = SHOWN_FIELDS.has(name) && depth <= MAX_DEPTH && mayBeShown(name, value, depth);
  if (!isShown) return [label + LEFT_OUT];
  if (typeof value === 'string') {
    const [first = '', ...others] = cleaner.logLines(value);
    return [label + first, ...others.map((line) => `${indent(place)}  ${line.trim()}`)];
  }
  if (Array.isArray(value)) return [label + describeItems(value, place)];
  if (!isRecord(value)) return [label + LEFT_OUT];
  const inner: Place = { cleaner, depth: depth + 1, hasOwnNames: isError(value) };
  return [label.trimEnd(), ...describeFields(value, inner)];
}

/** `name` is that of an error or of what the user named; an address without a host is what a page was asked for. */
function mayBeShown(name: string, value: unknown, depth: number): boolean {
  if (name === 'name') return depth > 1 && typeof value === 'string' && ERROR_NAME.test(value);
  return name !== 'url' || (typeof value === 'string' && ADDRESS.test(value));
}

function describeItems(items: readonly unknown[], place: Place): string {
  const { cleaner, depth } = place;
  const texts = items.map((item) => {
    if (Array.isArray(item)) {
      return depth < MAX_DEPTH
        ? `(${describeItems(item, { ...place, depth: depth + 1 })})`
        : LEFT_OUT;
    }
    if (typeof item === 'string') return cleaner.logLine(item);
    return isRecord(item) ? LEFT_OUT : String(item);
  });
  return texts.join(', ');
}

function indent({ depth }: Place): string {
  return '    '.repeat(depth);
}

/** As base/log-line.ts writes errors. */
function isError(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value.stack === 'string' && typeof value.message === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
