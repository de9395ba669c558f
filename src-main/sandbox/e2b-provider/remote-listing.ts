import { isUtf8 } from 'node:buffer';
import { WORKSPACE } from '../inside.ts';
import type { StartRequest } from './envd-client.ts';

export type EntryKind = 'file' | 'folder' | 'link';

/** Something in the workspace of a machine, as the machine says. */
export interface RemoteEntry {
  readonly kind: EntryKind;
  readonly size: number;
  readonly mode: number;
  /** Where a link leads, as it is written; empty for others. */
  readonly target: string;
  /** Changes with every change: it has the time that programs cannot set. */
  readonly state: string;
}

export interface RemoteListing {
  readonly entries: ReadonlyMap<string, RemoteEntry>;
  /** Names that cannot be had here, with the reason. */
  readonly refused: readonly string[];
  /** Nothing was left out, so what is not listed is not there. */
  readonly isWhole: boolean;
}

/** What a listing may have; what is beyond it is not looked at. */
export const MAX_ENTRIES = 10_000;
export const MAX_LISTING_BYTES = 16 * 1024 * 1024;
const MAX_PATH_BYTES = 1_000;
/** Two of each entry, and one that shows that there are more. */
const MOST_FIELDS = 2 * MAX_ENTRIES + 1;

const FORMAT = '%y %s %m %C@ %i %P\\0%l\\0';

/** Prints each entry as six words and a path, NUL, and where a link leads, NUL. */
export const LIST_COMMAND = ['/usr/bin/find', WORKSPACE, '-mindepth', '1', '-printf', FORMAT] as [
  string,
  ...string[],
] satisfies StartRequest['command'];

const KINDS: Readonly<Record<string, EntryKind>> = { f: 'file', d: 'folder', l: 'link' };

/** What a machine printed; nothing in it is trusted. `isWhole` if the program said to have seen all. */
export function parseListing(printed: Buffer, isWhole: boolean): RemoteListing {
  const entries = new Map<string, RemoteEntry>();
  const refused: string[] = [];
  const fields = splitAtNul(printed);
  const isCut = fields.length >= MOST_FIELDS;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    if (entries.size >= MAX_ENTRIES) return { entries, refused, isWhole: false };
    const [head, target] = [decode(fields[at]), decode(fields[at + 1])];
    const match = /^(\S) (\d+) ([0-7]+) ([\d.]+) (\d+) (.*)$/su.exec(head ?? '');
    if (match === null || target === null) {
      refused.push(`${show(fields[at])}: no name in UTF-8`);
      continue;
    }
    const [, letter = '', size, mode, changedAt, inode, path = ''] = match;
    const kind = KINDS[letter];
    if (kind === undefined) refused.push(`${path}: neither file, folder nor link`);
    else if (!isPlainPath(path)) refused.push(`${path}: no path of the workspace`);
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

/** Whether a path is relative and goes down only. */
function isPlainPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Whether a link at `path` leads to somewhere in the workspace, as long as no link is on the way. */
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
    // What was cut off in the middle is no entry; and a machine may print nothing but ends of fields.
    if (end === -1 || fields.length === MOST_FIELDS) return fields;
    fields.push(printed.subarray(from, end));
    from = end + 1;
  }
  return fields;
}

/** Null where it is no UTF-8: file systems take any bytes for a name. Throws nothing, which would cost more than all else. */
function decode(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || !isUtf8(bytes)) return null;
  return bytes.toString();
}

function show(bytes: Buffer | undefined): string {
  return JSON.stringify((bytes ?? Buffer.alloc(0)).toString('latin1').slice(0, MAX_PATH_BYTES));
}
