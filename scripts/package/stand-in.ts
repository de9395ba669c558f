import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { emptyPe } from './pe-file.ts';
import type { Target } from './targets.ts';

/** What `@electron/fuses` looks for in a program. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As many fuses as Electron 45 has, all as Electron ships them. */
const FUSES = '101100011';
const FUSE_VERSION = 1;
const ELF_HEADER_BYTES = 64;

/**
 * A folder in place of Electron's, to see the packaging itself where Electron cannot be had: its program is one of the
 * target by its header, has fuses to blow and (Windows) resources to write, and does nothing.
 */
export async function writeElectronStandIn(target: Target, dir: string): Promise<void> {
  await mkdir(join(dir, 'resources'), { recursive: true });
  const program = target.platform === 'win32' ? 'electron.exe' : 'electron';
  await writeFile(join(dir, program), withFuses(await emptyProgram(target)), { mode: 0o755 });
  await writeFile(join(dir, 'LICENSE'), 'A stand-in for Electron.\n');
  await writeFile(join(dir, 'LICENSES.chromium.html'), '<!doctype html><title>Stand-in</title>\n');
}

/** A program of the target that does nothing, in place of one that is not on this computer. */
export async function writeProgramStandIn(target: Target, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await emptyProgram(target), { mode: 0o755 });
}

function withFuses(program: Buffer): Buffer {
  const wire = Buffer.from([FUSE_VERSION, FUSES.length]);
  return Buffer.concat([program, Buffer.from(SENTINEL), wire, Buffer.from(FUSES)]);
}

async function emptyProgram(target: Target): Promise<Buffer> {
  if (target.platform === 'darwin') throw new Error('There is no stand-in for programs of macOS.');
  return target.platform === 'win32' ? emptyPe(target) : emptyElf(target);
}

function emptyElf({ arch }: Target): Buffer {
  const header = Buffer.alloc(ELF_HEADER_BYTES);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(arch === 'x64' ? 0x3e : 0xb7, 18);
  header.writeUInt32LE(1, 20);
  return header;
}
