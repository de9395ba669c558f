import type { LogFields } from './logger.ts';
import { REDACTED, type Redactor } from './redactor.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

const MAX_TEXT = 2_000;
const MAX_STACK = 4_000;
const MAX_ITEMS = 50;
const MAX_DEPTH = 6;
const MAX_CAUSES = 4;

/** One entry as a line of JSON: secrets redacted, errors flattened, long text shortened. */
export function renderLogLine(entry: LogEntry, redactor: Redactor): string {
  const fields = Object.entries(entry.fields).map(([name, value]) => [
    name,
    plainField(name, value, { redactor, depth: 0 }),
  ]);
  return JSON.stringify({
    at: new Date(entry.at).toISOString(),
    level: entry.level,
    message: plainText(entry.message, redactor, MAX_TEXT),
    ...Object.fromEntries(fields),
  });
}

interface Place {
  readonly redactor: Redactor;
  readonly depth: number;
}

function plainField(name: string, value: unknown, place: Place): unknown {
  const couldBeSecret = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return couldBeSecret && place.redactor.isSecretField(name) ? REDACTED : plain(value, place);
}

function plain(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return plainText(value, place.redactor, MAX_TEXT);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return plainError(value, place);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  // This limit also ends a cycle.
  if (place.depth >= MAX_DEPTH) return '[…]';
  const inner: Place = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => plain(item, inner));
    return value.length > MAX_ITEMS ? [...items, `… +${value.length - MAX_ITEMS}`] : items;
  }
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, item]) => [name, plainField(name, item, inner)]));
}

function plainError(error: Error, place: Place): unknown {
  const { redactor, depth } = place;
  const own = Object.entries(error).map(([name, value]) => [
    name,
    plainField(name, value, { redactor, depth: depth + 1 }),
  ]);
  return {
    ...Object.fromEntries(own),
    name: error.name,
    message: plainText(error.message, redactor, MAX_TEXT),
    stack: plainText(error.stack ?? '', redactor, MAX_STACK),
    ...(error.cause !== undefined && depth < MAX_CAUSES
      ? { cause: plain(error.cause, { redactor, depth: depth + 1 }) }
      : {}),
  };
}

/** Redacts before it cuts, so that a cut never leaves half of a secret. */
function plainText(text: string, redactor: Redactor, limit: number): string {
  // Scanning megabytes for a line that is cut anyway would block the program.
  const scanned = text.length > limit * 8 ? text.slice(0, limit * 8) : text;
  const safe = redactor.text(scanned);
  return safe.length > limit || scanned.length < text.length
    ? `${safe.slice(0, limit)}… +${text.length - Math.min(safe.length, limit)} characters`
    : safe;
}
