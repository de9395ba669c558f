import { writeFile } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import { EXIT } from './exit-codes.ts';
import { jsonLine, print } from './output.ts';

/** Writes an exported file and says so. Throws `BAD_REQUEST` if it cannot be written. */
export async function saveExport(
  {
    file,
    data,
    what,
    about,
  }: {
    readonly file: string;
    /** Base64. */
    readonly data: string;
    /** In words: "the report". */
    readonly what: string;
    readonly about: Readonly<Record<string, unknown>>;
  },
  { json }: { readonly json?: boolean },
): Promise<number> {
  const bytes = Buffer.from(data, 'base64');
  try {
    await writeFile(file, bytes);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new AppError(
      'BAD_REQUEST',
      `${what[0]?.toUpperCase()}${what.slice(1)} could not be written to ${file} (${why}). Name a file in an existing, writable folder.`,
      { cause },
    );
  }
  const summary = { ...about, file, bytes: bytes.byteLength };
  print(json ? jsonLine(summary) : `Saved ${what} to ${file} (${bytes.byteLength} bytes).\n`);
  return EXIT.complete;
}
