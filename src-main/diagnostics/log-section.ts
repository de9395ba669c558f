import { describeEntry, parseEntry } from './log-entry.ts';
import { readLogTail } from './log-tail.ts';
import type { TextCleaner } from './text-cleaner.ts';

const MAX_LOG_BYTES = 256 * 1024;
/** Room in the document; cleaning can make lines longer. */
const MAX_SHOWN_CHARS = 256 * 1024;
/** Room of one line with its fields. The app's own are much shorter. */
const MAX_ENTRY_CHARS = 32 * 1024;

/** The newest part of the log, cleaned again. Lines that cannot be shown are left out and counted. */
export async function logSection(logsDir: string, cleaner: TextCleaner): Promise<string[]> {
  const { lines, isCut, unread } = await readLogTail(logsDir, MAX_LOG_BYTES);
  const entries: string[][] = [];
  let foreign = 0;
  let unshown = 0;
  let chars = 0;
  let left = lines.length;
  // The newest first, so that the oldest are missing where there is no room.
  for (const line of lines.toReversed()) {
    const shown = shownEntry(line, cleaner);
    if (shown === 'foreign') foreign += line.trim() === '' ? 0 : 1;
    else if (shown === 'unshown') unshown += 1;
    else {
      chars += lengthOf(shown);
      if (chars > MAX_SHOWN_CHARS) break;
      entries.unshift(shown);
    }
    left -= 1;
  }
  const notes = [
    ...unread.map(({ name, why }) => `${name} was not read: ${cleaner.line(why)}`),
    ...(foreign === 0 ? [] : [`Lines that the app did not write, left out: ${foreign}`]),
    ...(unshown === 0
      ? []
      : [`Lines that are too long or cannot be cleaned, left out: ${unshown}`]),
    ...(isCut || left > 0 ? ['Older lines are left out.'] : []),
    ...(entries.length === 0 ? ['There are no lines.'] : []),
  ];
  return [...notes, ...entries.flat()];
}

/** Whatever is wrong with a line, only that line is missing. */
function shownEntry(line: string, cleaner: TextCleaner): string[] | 'foreign' | 'unshown' {
  const entry = parseEntry(line);
  if (entry === null) return 'foreign';
  try {
    const shown = describeEntry(entry, cleaner);
    return lengthOf(shown) > MAX_ENTRY_CHARS ? 'unshown' : shown;
  } catch {
    // Such as one that is nested too deeply.
    return 'unshown';
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
