import { AppError } from '#contract/errors.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { type CheckedFact, fact } from './types.ts';

type Files = Pick<Workspace, 'read' | 'list'>;

/** Larger files are checked by their beginning only: parsing more JSON would block the app. */
const READ_BYTES = 2 * 1024 * 1024;

/** The first bytes of file formats, in hex. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  png: ['89504e470d0a1a0a'],
  jpg: ['ffd8ff'],
  jpeg: ['ffd8ff'],
  gif: ['47494638'],
  webp: ['52494646'],
  pdf: ['255044462d'],
  zip: ['504b0304', '504b0506'],
  docx: ['504b0304'],
  xlsx: ['504b0304'],
  pptx: ['504b0304'],
  gz: ['1f8b'],
  parquet: ['50415231'],
  sqlite: ['53514c69746520666f726d6174203300'],
};

/**
 * Whether a file of the workspace exists, is not empty, and has the format that its name says.
 * `mayBeElsewhere`: the path is only a name, so a file with that name in any folder counts.
 */
export async function checkFile(
  files: Files,
  path: string,
  { mayBeElsewhere = false }: { readonly mayBeElsewhere?: boolean } = {},
): Promise<CheckedFact> {
  const claim = `${path} exists and opens`;
  let found: Awaited<ReturnType<Workspace['read']>>;
  try {
    found = await files.read(path, READ_BYTES);
  } catch (error) {
    const place = mayBeElsewhere ? await findByName(files, path) : undefined;
    if (place !== undefined) return { ...(await checkFile(files, place)), claim };
    return explainMissing(files, { path, claim, error });
  }
  const { data, size } = found;
  if (size === 0) return fact(claim, 'fails', 'The file is empty.');
  const problem = problemOf(path, data, data.length < size);
  return problem === null
    ? fact(claim, 'holds', `${size.toLocaleString('en')} bytes.`)
    : fact(claim, 'fails', problem);
}

function problemOf(path: string, data: Buffer, isCut: boolean): string | null {
  const kind = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const signatures = SIGNATURES[kind];
  if (signatures !== undefined) {
    const head = data.subarray(0, 16).toString('hex');
    const fits = signatures.some((signature) => head.startsWith(signature));
    return fits ? null : `This is not a ${kind} file: its first bytes are different.`;
  }
  if (isCut) return null;
  const text = data.toString('utf8');
  if (kind === 'json' && !isJson(text)) return 'It is not JSON.';
  if ((kind === 'csv' || kind === 'tsv') && text.trim() === '') return 'It has no rows.';
  if (kind === 'html' && !/<[a-z!]/i.test(text)) return 'It contains no HTML.';
  if (kind === 'svg' && !/<svg[\s/>]/i.test(text)) return 'It contains no SVG.';
  if (text.trim() === '') return 'It contains only whitespace.';
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A parse error is the expected negative result.
    return false;
  }
}

async function findByName(files: Files, name: string): Promise<string | undefined> {
  const { entries } = await files.list('', { recursive: true });
  const isIt = ({ kind, path }: (typeof entries)[number]): boolean =>
    kind === 'file' && path.split('/').at(-1) === name;
  return entries.find(isIt)?.path;
}

async function explainMissing(
  files: Files,
  {
    path,
    claim,
    error,
  }: { readonly path: string; readonly claim: string; readonly error: unknown },
): Promise<CheckedFact> {
  if (error instanceof AppError && error.code === 'PATH_OUTSIDE_WORKSPACE') {
    return fact(claim, 'fails', 'The path is outside the workspace.');
  }
  const plain = path.replace(/\/+$/, '');
  const { entries } = await files.list('', { recursive: true });
  const folder = entries.find((entry) => entry.kind === 'directory' && entry.path === plain);
  if (folder !== undefined) {
    const inside = entries.filter((entry) => entry.path.startsWith(`${plain}/`)).length;
    return inside === 0
      ? fact(claim, 'fails', 'It is an empty folder.')
      : fact(claim, 'holds', `A folder with ${inside} entries.`);
  }
  const name = plain.split('/').at(-1) ?? plain;
  const elsewhere = await findByName(files, name);
  const evidence =
    elsewhere === undefined ? 'There is no such file.' : `It is at ${elsewhere} instead.`;
  return fact(claim, 'fails', evidence);
}
