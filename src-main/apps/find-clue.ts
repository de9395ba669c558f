import path from 'node:path/posix';
import type { PageClue } from '../browser/types.ts';
import type { WorkspaceFiles } from '../sandbox/types.ts';
import type { SourcePlace } from './source-places.ts';

const SOURCE = /\.(?:[cm]?[jt]sx?|css|html?|vue|svelte)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|build|\..*)(?:\/|$)/;
const MOST_FILES = 100;
const MOST_BYTES = 128 * 1024;
/** Folders in which apps keep their sources; below others nothing is looked for. */
const FOLDERS = [
  '',
  'src',
  'public',
  'client',
  'app',
  'components',
  'pages',
  'static',
  'server',
  'lib',
];

/** The line in the sources of an app where the first clue stands that is found; null where none is. */
export async function findClue(
  clues: readonly PageClue[],
  { folder, files }: { readonly folder: string; readonly files: WorkspaceFiles },
): Promise<SourcePlace | null> {
  if (clues.length === 0) return null;
  const sources = await readSources(folder, files);
  for (const { text, file } of clues) {
    const named = sources.filter((one) => file !== '' && endsAs(one.file, file));
    const found = placeOf(text, named.length > 0 ? named : sources);
    if (found !== null) return found;
  }
  return null;
}

interface SourceText {
  readonly file: string;
  readonly lines: readonly string[];
}

/** Where a text stands: as a whole rule or word sooner than within another. */
function placeOf(text: string, sources: readonly SourceText[]): SourcePlace | null {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return null;
  for (const matches of [hasWhole, (line: string) => line.includes(words)]) {
    for (const { file, lines } of sources) {
      const at = lines.findIndex((line) => matches(line.replaceAll(/\s+/g, ' '), words));
      if (at >= 0) return { file, line: at + 1 };
    }
  }
  return null;
}

function hasWhole(line: string, words: string): boolean {
  for (let at = line.indexOf(words); at >= 0; at = line.indexOf(words, at + 1)) {
    const around = [line[at - 1] ?? '', line[at + words.length] ?? ''];
    if (!around.some((sign) => /[\w-]/.test(sign))) return true;
  }
  return false;
}

/** Whether a file of the workspace is what the page calls so: an address, or a path inside the sandbox. */
function endsAs(file: string, said: string): boolean {
  const name = (URL.parse(said)?.pathname ?? said).split('?', 1)[0] ?? '';
  return name === `/workspace/${file}` || file.endsWith(name.startsWith('/') ? name : `/${name}`);
}

async function readSources(folder: string, files: WorkspaceFiles): Promise<SourceText[]> {
  const found = new Set<string>();
  for (const name of FOLDERS) {
    const inside = path.join(folder, name);
    const { entries } = await files
      .list(inside === '' ? '.' : inside, { recursive: name !== '' })
      .catch(() => ({ entries: [] }));
    for (const entry of entries) {
      const own = path.relative(folder, entry.path);
      const isSource = entry.kind === 'file' && entry.size <= MOST_BYTES && SOURCE.test(own);
      if (isSource && !NOT_OURS.test(own)) found.add(entry.path);
    }
  }
  const texts: SourceText[] = [];
  for (const file of [...found].slice(0, MOST_FILES)) {
    const { data } = await files.read(file, MOST_BYTES);
    texts.push({ file, lines: data.toString('utf8').split('\n') });
  }
  return texts;
}
