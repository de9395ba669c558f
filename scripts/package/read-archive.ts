import { extractFile, getRawHeader, uncache } from '@electron/asar';
import { sha256 } from '#main/base/canonical-json.ts';

/** A file as the header of an archive has it. */
export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 by the header, which Electron compares with what it reads. */
  readonly hash: string;
  /** Its content is beside the archive. */
  readonly isBeside: boolean;
  /** Its content; null where it is beside. */
  readonly content: Buffer | null;
}

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly link?: string;
  readonly size?: number;
  readonly unpacked?: boolean;
  readonly integrity?: { readonly algorithm: string; readonly hash: string };
}

/** SHA-256 of the header, which the program of Windows has in its resources. */
export function headerHash(archive: string): string {
  return sha256(getRawHeader(archive).headerString);
}

/** All files of an archive. Throws for links and for files without a hash: a package has neither. */
export function readArchive(archive: string): ArchivedFile[] {
  // The library keeps what it has read by its path, of an earlier package too.
  uncache(archive);
  const files: ArchivedFile[] = [];
  const visit = (entries: Readonly<Record<string, Entry>>, folder: string): void => {
    for (const [name, entry] of Object.entries(entries)) {
      const path = `${folder}${name}`;
      if (entry.files !== undefined) {
        visit(entry.files, `${path}/`);
        continue;
      }
      if (entry.link !== undefined || entry.integrity?.algorithm !== 'SHA256') {
        throw new Error(`${archive}: ${path} is a link, or has no SHA-256.`);
      }
      const isBeside = entry.unpacked === true;
      files.push({
        ...{ path, isBeside, bytes: entry.size ?? 0, hash: entry.integrity.hash },
        content: isBeside ? null : extractFile(archive, path),
      });
    }
  };
  visit((getRawHeader(archive).header as Entry).files ?? {}, '');
  return files;
}
