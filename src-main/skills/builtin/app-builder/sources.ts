import path from 'node:path/posix';
import { z } from 'zod';
import { parseOutsideJson } from '../../../base/outside-json.ts';
import { asData } from '../../as-data.ts';
import type { SkillContext } from '../../types.ts';
import type { BuiltApp, Sources } from './types.ts';

const MOST_FILES = 40;
const MOST_BYTES = 100 * 1024;
const SOURCE = /\.(?:[cm]?[jt]sx?|css|html?|vue|json|svelte|md|py)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|build|\.[^/]*|package-lock\.json)(?:\/|$)/;
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).nullish(),
  devDependencies: z.record(z.string(), z.string()).nullish(),
});

/** The sources of an app that is there. */
export async function readSources(folder: string, context: SkillContext): Promise<Sources> {
  return await context.once(`sources of ${folder}`, async () => {
    const { sandbox } = context.services;
    const found = (await sandbox.listFiles(folder === '' ? '.' : folder)).filter(
      ({ path: file, size }) => SOURCE.test(file) && !NOT_OURS.test(file) && size <= MOST_BYTES,
    );
    const read = found
      .slice(0, MOST_FILES)
      .map(async ({ path: file }) => [file, await sandbox.readFile(file)] as const);
    return Object.fromEntries(await Promise.all(read));
  });
}

/** The packages that the app has, by name. */
export function packagesOf(sources: Sources, { folder }: BuiltApp): readonly string[] {
  try {
    const text = sources[path.join(folder, 'package.json')] ?? '{}';
    const { dependencies, devDependencies } = Manifest.parse(parseOutsideJson(text));
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    // A broken one names none; the check reports it.
    return [];
  }
}

/**
 * Files as material, the `first` ones before the others, as far as there is room, in characters; what does not fit is
 * named. The configuration of a template is left out: it stays as it is.
 */
export function describeSources(
  sources: Sources,
  {
    app: { folder, template },
    first,
    room,
  }: { readonly app: BuiltApp; readonly first: readonly string[]; readonly room: number },
): string {
  const others = Object.keys(sources).filter(
    (file) => !first.includes(file) && (template === null || rank(file) < CONFIGURATION),
  );
  const leading = first.filter((file) => sources[file] !== undefined);
  const order = [...leading, ...others.toSorted((a, b) => rank(a) - rank(b))];
  const parts: string[] = [];
  const left: string[] = [];
  let free = room;
  for (const file of order) {
    const name = path.relative(folder, file);
    const part = `${name}:\n\`\`\`\n${sources[file]}\`\`\``;
    if (part.length > free) left.push(name);
    else {
      parts.push(part);
      free -= part.length;
    }
  }
  if (left.length > 0) parts.push(`Also there: ${left.join(', ')}.`);
  return asData(parts.join('\n\n'), 'files of the app');
}

const CONFIGURATION = 3;

/** Code before looks, and both before configuration. */
function rank(file: string): number {
  if (/\.json$|config\./.test(file)) return CONFIGURATION;
  return file.endsWith('.css') ? 2 : 1;
}
