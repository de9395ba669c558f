import { isUtf8 } from 'node:buffer';
import { WORKSPACE } from '../inside.ts';
import type { StartRequest } from './envd-client.ts';

export type EntryKind = 'file' | 'folder' | 'link';

/** An entry in the workspace of a machine, as reported by the machine. */
export interface RemoteEntry {
  readonly kind: EntryKind;
  readonly size: number;
  readonly mode: number;
  /** The target of a link, as written; empty for others. */
  readonly target: string;
  /** Changes with every change: it contains the change time, which programs cannot set. */
  readonly state: string;
}

export interface RemoteListing {
  readonly entries: ReadonlyMap<string, RemoteEntry>;
  /** Names that cannot be stored here, with the reason. */
  readonly refused: readonly string[];
  /** The listing is complete, so what is not listed does not exist. */
  readonly isWhole: boolean;
}

/** Limits of a listing; what exceeds them is ignored. */
export const MAX_ENTRIES = 10_000;
export const MAX_LISTING_BYTES = 16 * 1024 * 1024;
const MAX_PATH_BYTES = 1_000;
/** Two fields per entry, and one more that shows that the list is cut. */
const MAX_FIELDS = 2 * MAX_ENTRIES + 1;

const FORMAT = '%y %s %m %C@ %i %P\\0%l\\0';

/** Prints each entry as five words and a path, NUL, and a link target, NUL. */
export const LIST_COMMAND = ['/usr/bin/find', WORKSPACE, '-mindepth', '1', '-printf', FORMAT] as [
  string,
  ...string[],
] satisfies StartRequest['command'];

const KINDS: Readonly<Record<string, EntryKind>> = { f: 'file', d: 'folder', l: 'link' };

/** Parses the output of a machine, which is not trusted. `isWhole`: the program reported success. */
export function parseListing(printed: Buffer, isWhole: boolean): RemoteListing {
  const entries = new Map<string, RemoteEntry>();
  const refused: string[] = [];
  const fields = splitAtNul(printed);
  const isCut = fields.length >= MAX_FIELDS;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    if (entries.size >= MAX_ENTRIES) return { entries, refused, isWhole: false };
    const [head, target] = [decode(fields[at]), decode(fields[at + 1])];
    const match = /^(\S) (\d+) ([0-7]+) ([\d.]+) (\d+) (.*)$/su.exec(head ?? '');
    if (match === null || target === null) {
      refused.push(`${show(fields[at])}: the name is not UTF-8`);
      continue;
    }
    const [, letter = '', size, mode, changedAt, inode, path = ''] = match;
    const kind = KINDS[letter];
    if (kind === undefined) refused.push(`${path}: not a file, folder or link`);
    else if (!isPlainPath(path)) refused.push(`${path}: not a path in the workspace`);
    else if (kind === 'link' && !staysInside(path, target)) {
      refused.push(`${path}: a link out of the workspace`);
    } else {
      const state =
        kind === 'folder' ? `${kind} ${mode}` : `${kind} ${size} ${mode} ${changedAt} ${inode}`;
      entries.set(path, {
        kind,
        size: Number(size),
        mode: Number.parseInt(mode ?? '', 8),
        target,
        state,
      });
    }
  }
  return { entries, refused, isWhole: isWhole && !isCut };
}

/** Whether a path is relative and never goes up. */
function isPlainPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Whether a link at `path` stays in the workspace, if no other link is on the way. */
function staysInside(path: string, target: string): boolean {
  if (target === '' || target === WORKSPACE) return false;
  const fromRoot = target.startsWith(`${WORKSPACE}/`);
  if (target.startsWith('/') && !fromRoot) return false;
  const parts = fromRoot ? [] : path.split('/').slice(0, -1);
  for (const part of (fromRoot ? target.slice(WORKSPACE.length) : target).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return false;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return true;
}

function splitAtNul(printed: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let from = 0; from < printed.length; ) {
    const end = printed.indexOf(0, from);
    // A truncated field is not an entry; and a machine may print only field ends.
    if (end === -1 || fields.length === MAX_FIELDS) return fields;
    fields.push(printed.subarray(from, end));
    from = end + 1;
  }
  return fields;
}

/** Null if it is not UTF-8: file names may be any bytes. Does not throw, which would cost more than all the rest. */
function decode(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || !isUtf8(bytes)) return null;
  return bytes.toString();
}

function show(bytes: Buffer | undefined): string {
  return JSON.stringify((bytes ?? Buffer.alloc(0)).toString('latin1').slice(0, MAX_PATH_BYTES));
}
