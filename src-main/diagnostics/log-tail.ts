import { join } from 'node:path';
import { openRegularFile } from '../base/open-regular-file.ts';

/** The newest whole lines of the log. */
export interface LogTail {
  /** Oldest first. */
  readonly lines: readonly string[];
  /** Older lines exist. */
  readonly isCut: boolean;
  /** Files that could not be read, with the reason. */
  readonly unread: readonly { readonly name: string; readonly why: string }[];
}

/** The newest file first, as base/file-logger.ts names them. */
const NAMES = ['hyperagent.log', ...[1, 2, 3, 4].map((age) => `hyperagent.${age}.log`)];

/**
 * The last `maxBytes` of the log in whole lines. Reads only the ends of files, and no links. A line that is being
 * written, or cut by the limit, is left out.
 */
export async function readLogTail(logsDir: string, maxBytes: number): Promise<LogTail> {
  const parts: string[][] = [];
  const unread: { name: string; why: string }[] = [];
  let left = maxBytes;
  let isCut = false;
  for (const name of NAMES) {
    if (isCut) break;
    try {
      const end = await readEnd(join(logsDir, name), left);
      parts.unshift(wholeLines(end.bytes, end.isCut));
      left -= end.bytes.length;
      isCut = end.isCut;
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? 'not a regular file';
      if (why === 'ENOENT') continue;
      unread.push({ name, why: why === 'ELOOP' ? 'a link' : why });
    }
  }
  return { lines: parts.flat(), isCut, unread };
}

async function readEnd(
  path: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const handle = await openRegularFile(path, { followsLink: false });
  try {
    const { size } = await handle.stat();
    const position = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - position);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(
        bytes,
        length,
        bytes.length - length,
        position + length,
      );
      // It became shorter meanwhile.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), isCut: position > 0 };
  } finally {
    await handle.close();
  }
}

const LINE_FEED = 0x0a;

/** Cut at line feeds before it is decoded, so that no character is cut. */
function wholeLines(bytes: Buffer, isCut: boolean): string[] {
  const start = isCut ? bytes.indexOf(LINE_FEED) + 1 : 0;
  const end = bytes.lastIndexOf(LINE_FEED);
  if ((isCut && start === 0) || end < start) return [];
  return bytes.subarray(start, end).toString('utf8').split('\n');
}
