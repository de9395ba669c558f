import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { PolicySource } from './types.ts';

/** Far more than the longest list of hosts needs. */
const MAX_BYTES = 256 * 1024;
const PROGRAM_TIMEOUT_MS = 10_000;
/** Not found by a variable, which the user could change. */
const REG = 'C:\\Windows\\System32\\reg.exe';

/** Where a policy may be on this platform, in the order in which they are asked. */
export function systemSources(platform: NodeJS.Platform = process.platform): PolicySource[] {
  switch (platform) {
    case 'win32':
      return [registry(), file(path.win32.join('C:\\ProgramData', 'HyperAgent', 'policy.json'))];
    case 'darwin':
      return [
        managedPreferences('/Library/Managed Preferences/dev.hyperagent.desktop.plist'),
        file('/Library/Application Support/HyperAgent/policy.json', { owners: [0] }),
      ];
    default:
      return [file('/etc/hyperagent/policy.json', { owners: [0] })];
  }
}

/**
 * A policy in a file. With `owners`, it counts only if it belongs to one of these users and nobody else may write it:
 * a policy that its user can change is none. On Windows the rights of the folder do that.
 */
export function file(
  name: string,
  { owners = null }: { readonly owners?: readonly number[] | null } = {},
): PolicySource {
  return {
    name,
    read: () => {
      const descriptor = openFile(name);
      if (descriptor === null) return null;
      try {
        const stats = fstatSync(descriptor);
        if (!stats.isFile()) throw new Error('It is not a regular file.');
        if (stats.size > MAX_BYTES) throw new Error(`It has more than ${MAX_BYTES / 1024} kB.`);
        if (owners !== null) {
          checkRights('It', stats, { owners, mode: '644' });
          checkRights('Its folder', statSync(path.dirname(name)), { owners, mode: '755' });
        }
        return textOf(readWhole(descriptor));
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** Throws where somebody else may change it. */
function checkRights(
  what: string,
  { uid, mode: found }: Stats,
  { owners, mode }: { readonly owners: readonly number[]; readonly mode: string },
): void {
  if (!owners.includes(uid)) {
    throw new Error(`${what} belongs to the user ${uid}. Give it to root: chown root:root.`);
  }
  if ((found & 0o022) !== 0) {
    throw new Error(`${what} can be changed by others than its owner. Forbid that: chmod ${mode}.`);
  }
}

/** Null where there is no such file. A link that leads nowhere is no missing file: something should be there. */
function openFile(name: string): number | null {
  try {
    // A pipe would be waited for.
    return openSync(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return null;
    if (code === 'ENOENT') {
      if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return null;
      throw new Error('It is a link that leads nowhere.');
    }
    throw new Error(`It cannot be read (${code}).`, { cause: error });
  }
}

/** At most one byte more than allowed, however it grows meanwhile. */
function readWhole(descriptor: number): Buffer {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0 || length + read > MAX_BYTES) return buffer.subarray(0, length + read);
    length += read;
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new Error('It is not UTF-8. Save it in that encoding.', { cause });
  }
}

/** `HKLM\SOFTWARE\Policies\HyperAgent`, value `Policy`: the whole policy as text, which only administrators write. */
function registry(): PolicySource {
  const key = 'HKLM\\SOFTWARE\\Policies\\HyperAgent';
  return {
    name: key,
    read: () => {
      const reg = existsSync(REG)
        ? REG
        : path.win32.join(process.env.SystemRoot ?? '', 'System32', 'reg.exe');
      try {
        return registryValue(run(reg, ['query', key, '/v', 'Policy']));
      } catch (error) {
        // It answers with 1 where there is no such value, but also where it may not read at all.
        if ((error as { status?: unknown }).status === 1 && canRead(reg)) return null;
        throw new Error('The registry could not be read.', { cause: error });
      }
    },
  };
}

/** Whether `reg` reads keys at all: administrators can forbid that. */
function canRead(reg: string): boolean {
  try {
    return run(reg, ['query', 'HKLM\\SOFTWARE\\Policies']) !== '';
  } catch {
    return false;
  }
}

/** The text of the value in what `reg query` prints. Throws where it is of another type. */
export function registryValue(printed: string): string {
  const found = /^ +Policy +(REG_\w+) +(.*)$/m.exec(printed.replaceAll('\r\n', '\n'));
  const [, type, text = ''] = found ?? [];
  if (type === 'REG_SZ') return text;
  throw new Error(`The value "Policy" has to be a text (REG_SZ), not ${type ?? 'empty'}.`);
}

/** Managed preferences, which a device management writes: each part of the policy under its name. */
function managedPreferences(name: string): PolicySource {
  return {
    name,
    read: () => {
      if (!existsSync(name)) return null;
      try {
        return run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', name]);
      } catch (cause) {
        throw new Error('It cannot be read as a property list of texts, numbers and lists.', {
          cause,
        });
      }
    },
  };
}

function run(program: string, args: readonly string[]): string {
  const options = { encoding: 'utf8', timeout: PROGRAM_TIMEOUT_MS, windowsHide: true } as const;
  return execFileSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
}
