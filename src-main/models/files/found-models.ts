import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { FoundModel } from '#contract/local-models.ts';
import { openRegularFile } from '../../base/open-regular-file.ts';

/** A folder in which a program keeps model files. */
export interface ModelStore {
  readonly store: FoundModel['store'];
  readonly root: string;
  /** How deep below the root its files lie. */
  readonly depth: number;
  /** Whether its files have no names of their own, and manifests name them. */
  readonly isOllama?: boolean;
}

/** Bounds of what is looked at in one store. */
const MOST_ENTRIES = 5_000;
const MOST_MODELS = 100;
const LONGEST_MANIFEST = 64 * 1024;
const OLLAMA_DEPTH = 4;
const MODEL_LAYER = 'application/vnd.ollama.image.model';
/** Parts of a model in several files, and what is no language model by its name. */
const NO_MODEL = /-\d{5}-of-\d{5}\.gguf$|mmproj|embed|rerank|(?:^|[-_/])bge-/i;

const Manifest = z.object({
  layers: z
    .array(
      z.object({
        mediaType: z.string(),
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      }),
    )
    .max(100),
});

/** Where programs keep model files on this platform. `own` is the app's folder. */
export function modelStores(own: string, env: NodeJS.ProcessEnv = process.env): ModelStore[] {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const cache = env.XDG_CACHE_HOME || join(home, '.cache');
  const llamaCaches =
    process.platform === 'darwin'
      ? [join(home, 'Library', 'Caches', 'llama.cpp')]
      : process.platform === 'win32'
        ? [join(env.LOCALAPPDATA ?? home, 'llama.cpp')]
        : [join(cache, 'llama.cpp')];
  const ollama = [
    ...(env.OLLAMA_MODELS ? [env.OLLAMA_MODELS] : []),
    join(home, '.ollama', 'models'),
    // Its service on Linux has a user of its own.
    ...(process.platform === 'linux' ? ['/usr/share/ollama/.ollama/models'] : []),
  ];
  const huggingFace = env.HF_HUB_CACHE || join(env.HF_HOME || join(cache, 'huggingface'), 'hub');
  return [
    { store: 'HyperAgent', root: own, depth: 1 },
    ...ollama.map((root) => ({ store: 'Ollama' as const, root, depth: 1, isOllama: true })),
    { store: 'LM Studio', root: join(home, '.lmstudio', 'models'), depth: 4 },
    { store: 'LM Studio', root: join(home, '.cache', 'lm-studio', 'models'), depth: 4 },
    { store: 'Hugging Face', root: huggingFace, depth: 5 },
    ...(env.LLAMA_CACHE ? [env.LLAMA_CACHE, ...llamaCaches] : llamaCaches).map((root) => ({
      ...{ store: 'llama.cpp' as const, root, depth: 2 },
    })),
  ];
}

/**
 * The model files in these stores, each once, by store and name. Only regular files inside their store that begin
 * as a model file does; no link leads out of it. What cannot be read is skipped.
 */
export async function findModels(stores: readonly ModelStore[]): Promise<FoundModel[]> {
  const found = await Promise.all(stores.map(findInStore));
  const byPath = new Map(found.flat().map((model) => [model.path, model]));
  return [...byPath.values()];
}

async function findInStore({
  store,
  root: given,
  depth,
  isOllama,
}: ModelStore): Promise<FoundModel[]> {
  const root = await realpath(given).catch(() => null);
  if (root === null) return [];
  const candidates =
    isOllama === true ? await namedByManifests(root) : await namedByFiles(root, depth);
  const models: FoundModel[] = [];
  for (const { path, name } of candidates) {
    if (models.length >= MOST_MODELS) break;
    const real = await insideOf(root, path);
    const bytes = real === null ? null : await modelSize(real);
    if (real !== null && bytes !== null) {
      models.push({ path: real, name: harmlessName(name), store, bytes });
    }
  }
  return models.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

interface Candidate {
  readonly path: string;
  readonly name: string;
}

async function namedByFiles(root: string, depth: number): Promise<Candidate[]> {
  const files = await listFiles(root, depth);
  return files
    .filter((path) => /\.gguf$/i.test(path) && !NO_MODEL.test(relative(root, path)))
    .map((path) => ({ path, name: (path.split(sep).at(-1) ?? '').replace(/\.gguf$/i, '') }));
}

async function namedByManifests(root: string): Promise<Candidate[]> {
  const manifests = join(root, 'manifests');
  const candidates: Candidate[] = [];
  for (const path of await listFiles(manifests, OLLAMA_DEPTH)) {
    const name = ollamaName(relative(manifests, path).split(sep));
    const real = await insideOf(root, path);
    if (name === null || real === null || NO_MODEL.test(name)) continue;
    const digest = await modelDigest(real);
    if (digest !== null) candidates.push({ path: join(root, 'blobs', digest), name });
  }
  return candidates;
}

/** As Ollama shows it: host and namespace only where they are not the usual ones. */
function ollamaName(parts: readonly string[]): string | null {
  const [host = '', namespace = '', model = '', tag = ''] = parts;
  if (parts.length !== OLLAMA_DEPTH) return null;
  const place = host === 'registry.ollama.ai' ? [] : [host];
  const owner = namespace === 'library' && place.length === 0 ? [] : [namespace];
  return `${[...place, ...owner, model].join('/')}:${tag}`;
}

/** The file name of the model that a manifest names; null if there is not exactly one. */
async function modelDigest(path: string): Promise<string | null> {
  try {
    await using file = await openRegularFile(path);
    const { size } = await file.stat();
    if (size > LONGEST_MANIFEST) return null;
    const { layers } = Manifest.parse(JSON.parse(await file.readFile('utf8')));
    const models = layers.filter(({ mediaType }) => mediaType === MODEL_LAYER);
    return models.length === 1 ? (models[0]?.digest.replace(':', '-') ?? null) : null;
  } catch {
    // Not a manifest, or of a model that is no file: the store has others.
    return null;
  }
}

/** Files and links to files below a folder; linked folders are not entered. */
async function listFiles(root: string, depth: number): Promise<string[]> {
  const files: string[] = [];
  let entries = 0;
  const visit = async (folder: string, level: number): Promise<void> => {
    const children = await opendir(folder).catch(() => null);
    if (children === null) return;
    for await (const child of children as AsyncIterable<Dirent>) {
      entries += 1;
      if (entries > MOST_ENTRIES) return;
      const path = join(folder, child.name);
      if (child.isDirectory() && level < depth) await visit(path, level + 1);
      else if (child.isFile() || child.isSymbolicLink()) files.push(path);
    }
  };
  await visit(root, 1);
  return files;
}

/** The real path of a file, if it is inside `root`. */
async function insideOf(root: string, path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real?.startsWith(`${root}${sep}`) === true ? real : null;
}

/** The size of a model file; null for anything else. */
async function modelSize(path: string): Promise<number | null> {
  const handle = await openRegularFile(path).catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'GGUF' ? (await handle.stat()).size : null;
  } catch {
    // It vanished, or its disk fails.
    return null;
  } finally {
    await handle.close();
  }
}

/** File names are other people's words: nothing in them may change how a line is shown. */
function harmlessName(name: string): string {
  const shown = name
    .replace(/[^\p{L}\p{N} ._:/@+()-]/gu, '-')
    .slice(0, 120)
    .trim();
  return shown === '' ? 'model' : shown;
}
