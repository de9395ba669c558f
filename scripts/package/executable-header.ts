import { closeSync, openSync, readSync } from 'node:fs';
import { nameOf, type Target } from './targets.ts';

const HEADER_BYTES = 4_096;
/** The processor by its number in the header: `e_machine` of ELF, `Machine` of PE, `cputype` of Mach-O. */
const ELF: Readonly<Record<number, Target['arch']>> = { 62: 'x64', 183: 'arm64' };
const PE: Readonly<Record<number, Target['arch']>> = { 34404: 'x64', 43620: 'arm64' };
const MACH_O: Readonly<Record<number, Target['arch']>> = {
  16777223: 'x64',
  16777228: 'arm64',
};

/** A system, and its processor; null for one that is in no target, and for several in one file. */
interface NativeFile {
  readonly platform: Target['platform'];
  readonly arch: Target['arch'] | null;
}

/** What a program, library or native module was compiled for, as its header says; null for any other file. */
export function nativeFile(file: string): NativeFile | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(fd);
  }
  const magic = header.readUInt32BE(0);
  if (magic === 0x7f454c46)
    return { platform: 'linux', arch: ELF[header.readUInt16LE(18)] ?? null };
  if (magic === 0xcffaedfe)
    return { platform: 'darwin', arch: MACH_O[header.readUInt32LE(4)] ?? null };
  // 32 bits, the other byte order, and several processors in one file.
  if ([0xcefaedfe, 0xfeedface, 0xfeedfacf, 0xcafebabe, 0xcafebabf].includes(magic)) {
    return { platform: 'darwin', arch: null };
  }
  const pe = header.readUInt32LE(0x3c);
  if (header.toString('latin1', 0, 2) !== 'MZ' || pe > HEADER_BYTES - 6) return null;
  if (header.toString('latin1', pe, pe + 4) !== 'PE\0\0') return null;
  return { platform: 'win32', arch: PE[header.readUInt16LE(pe + 4)] ?? null };
}

/** For the user: `linux-x64`, or `linux and another processor`. */
export function describeNative({ platform, arch }: NativeFile): string {
  return arch === null ? `${platform} and another processor` : nameOf({ platform, arch });
}

/** Throws where `file` is not a program or native module of the target. */
export function assertCompiledFor(file: string, target: Target): void {
  const found = nativeFile(file);
  const kind = found === null ? 'no program' : `compiled for ${describeNative(found)}`;
  if (found !== null && describeNative(found) === nameOf(target)) return;
  throw new Error(`${file} is ${kind}; ${nameOf(target)} needs its own.`);
}
