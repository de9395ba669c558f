import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LibraryFolder, LibraryState } from '#contract/library.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

const PROGRESS_MS = 1_000;

/** The attached folders, with the files that could not be read. */
export async function listLibrary(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  printLibrary(app.api['library.list'](), flags);
  return EXIT.complete;
}

/** Attaches a folder and waits for its index. */
export async function addToLibrary(
  folder: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openWritable(flags, environment);
  await app.api['library.add']({ path: fromHere(folder) });
  return await finish(app, flags);
}

/** Detaches a folder and deletes its index. */
export async function removeFromLibrary(
  folder: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openWritable(flags, environment);
  app.api['library.remove']({ path: fromHere(folder) });
  return await finish(app, flags);
}

/** Scans all folders for changes. */
export async function refreshLibrary(
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openWritable(flags, environment);
  app.api['library.refresh']({});
  return await finish(app, flags);
}

/** Matching documents, best first. */
export async function searchLibrary(
  query: string,
  flags: ReadFlags & { readonly limit?: number },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  const caller = { closed: new AbortController().signal };
  const { hits } = await app.api['library.search']({ query, limit: flags.limit }, caller);
  if (flags.json) print(jsonLine(hits));
  else if (hits.length === 0) print('No documents found.\n');
  else {
    for (const { title, path: file, url, snippet } of hits) {
      const text = showControls(snippet.replaceAll(/\s+/g, ' ').slice(0, 300));
      print(`${showControls(title)}\n  ${showControls(file)}\n  ${url}\n  ${text}\n`);
    }
  }
  return EXIT.complete;
}

function openReadOnly({ dataDir }: ReadFlags, environment: CliEnvironment): Promise<App> {
  return openApp(environment, { dataDir, attended: false, readOnly: true });
}

function openWritable({ dataDir }: ReadFlags, environment: CliEnvironment): Promise<App> {
  return openApp(environment, { dataDir, attended: false, readOnly: false });
}

/** Resolved against the current folder, as a shell does. */
function fromHere(folder: string): string {
  return folder.startsWith('~') ? folder : path.resolve(folder);
}

/** Waits for the index, with progress lines on a terminal. */
async function finish({ api, library }: App, flags: ReadFlags): Promise<number> {
  const settled = library.settled();
  const isWatched = process.stderr.isTTY === true && !flags.json;
  let isDone = false;
  void settled.finally(() => {
    isDone = true;
  });
  while (isWatched && !isDone) {
    await Promise.race([settled, delay(PROGRESS_MS, undefined, { ref: false })]);
    const { folders, embeddings } = api['library.list']();
    const busy = folders.filter(({ state }) => state === 'looking' || state === 'indexing');
    for (const folder of busy) printError(`${describe(folder)}\n`);
    if (embeddings.state === 'working') {
      printError(`${embeddings.embedded} of ${embeddings.passages} passages embedded\n`);
    }
  }
  await settled;
  printLibrary(api['library.list'](), flags);
  return EXIT.complete;
}

function printLibrary(state: LibraryState, { json }: ReadFlags): void {
  if (json) {
    print(jsonLine(state));
    return;
  }
  const { folders, embeddings } = state;
  if (folders.length === 0)
    print('The library has no folders. Add one with: hyperagent library add PATH\n');
  for (const folder of folders) {
    print(`${describe(folder)}\n`);
    if (folder.problem !== null) print(`    ${showControls(folder.problem)}\n`);
    if (folder.leftOut > 0) print(`    skipped, over the limit: ${folder.leftOut} files\n`);
    for (const { file, problem } of folder.issues) {
      print(`    ${showControls(file)}: ${showControls(problem)}\n`);
    }
    const more = folder.problems - folder.issues.length;
    if (more > 0) print(`    and ${more} more with problems\n`);
  }
  const { model, problem, embedded, passages } = embeddings;
  if (model === null || folders.length === 0) return;
  const how = problem === null ? `${embedded} of ${passages} passages` : showControls(problem);
  print(`embeddings by ${model.provider}:${model.name}: ${how}\n`);
}

function describe({ path: folder, state, files, indexed, reading }: LibraryFolder): string {
  const page =
    reading === null
      ? ''
      : `, reading page ${reading.page} of ${reading.pages} of ${showControls(reading.file)}`;
  return `${showControls(folder)}  ${state}  ${indexed} of ${files} files indexed${page}`;
}
