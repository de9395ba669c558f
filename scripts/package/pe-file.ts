import { readFile } from 'node:fs/promises';
import type { Target } from './targets.ts';

/** What we use of resedit; its own types bring the names of browsers (`lib="dom"`) into every file compiled with them. */
interface ResEdit {
  readonly NtExecutable: {
    createEmpty(is32Bit: boolean, isDll: boolean): Executable;
    from(bytes: Buffer): Executable;
  };
  readonly NtExecutableResource: { from(program: Executable): Resources };
  readonly Resource: {
    readonly VersionInfo: {
      createEmpty(): {
        lang: number;
        setStringValues(language: object, values: Readonly<Record<string, string>>): void;
        outputToResourceEntries(entries: ResourceEntry[]): void;
      };
    };
  };
}

interface Executable {
  readonly newHeader: { readonly fileHeader: { machine: number } };
  generate(): ArrayBuffer;
}

interface Resources {
  readonly entries: ResourceEntry[];
  outputResource(program: Executable): void;
}

interface ResourceEntry {
  readonly type: string | number;
  readonly id: string | number;
  readonly bin: ArrayBuffer;
}

const NAME: string = 'resedit';
const MACHINES = { x64: 0x8664, arm64: 0xaa64 };
const ENGLISH = { lang: 1033, codepage: 1200 };

/** A program of Windows that does nothing, with version information, which packagers change. */
export async function emptyPe({ arch }: Target): Promise<Buffer> {
  const { NtExecutable, NtExecutableResource, Resource } = (await import(NAME)) as ResEdit;
  const program = NtExecutable.createEmpty(false, false);
  program.newHeader.fileHeader.machine = MACHINES[arch];
  const version = Resource.VersionInfo.createEmpty();
  version.lang = ENGLISH.lang;
  version.setStringValues(ENGLISH, { ProductName: 'Electron', FileDescription: 'Electron' });
  const resources = NtExecutableResource.from(program);
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

/**
 * The SHA-256 of an archive's header that a program of Windows has in its resources, by which Electron checks the archive;
 * null where there is none.
 */
export async function archiveHashIn(file: string): Promise<string | null> {
  const { NtExecutable, NtExecutableResource } = (await import(NAME)) as ResEdit;
  const { entries } = NtExecutableResource.from(NtExecutable.from(await readFile(file)));
  const found = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
  if (found === undefined) return null;
  const list = JSON.parse(Buffer.from(found.bin).toString('utf8')) as readonly {
    readonly file: string;
    readonly alg: string;
    readonly value: string;
  }[];
  const archive = list.find((entry) => entry.file === 'resources\\app.asar');
  return archive?.alg === 'SHA256' ? archive.value : null;
}
