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

/**
 * For which target a program or native module was compiled, as its header says; null for any other file and for processors
 * that are in no target.
 */
export function compiledFor(file: string): Target | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(fd);
  }
  const found = (platform: Target['platform'], arch?: Target['arch']): Target | null =>
    arch === undefined ? null : { platform, arch };
  if (header.readUInt32BE(0) === 0x7f454c46) return found('linux', ELF[header.readUInt16LE(18)]);
  if (header.readUInt32LE(0) === 0xfeedfacf) return found('darwin', MACH_O[header.readUInt32LE(4)]);
  const pe = header.readUInt32LE(0x3c);
  if (header.toString('latin1', 0, 2) !== 'MZ' || pe > HEADER_BYTES - 6) return null;
  if (header.toString('latin1', pe, pe + 4) !== 'PE\0\0') return null;
  return found('win32', PE[header.readUInt16LE(pe + 4)]);
}

/** Throws where `file` is not a program or native module of the target. */
export function assertCompiledFor(file: string, target: Target): void {
  const found = compiledFor(file);
  if (found !== null && nameOf(found) === nameOf(target)) return;
  const kind = found === null ? 'no program of a known target' : `compiled for ${nameOf(found)}`;
  throw new Error(`${file} is ${kind}; ${nameOf(target)} needs its own.`);
}
