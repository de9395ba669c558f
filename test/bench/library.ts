import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import BetterSqlite3 from 'better-sqlite3';
import { Settings } from '#contract/entities.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { DocumentReader } from '#main/services/documents/document-reader.ts';
import { Library } from '#main/services/library/library.ts';
import { nearestPassages } from '#main/services/library/nearest-passages.ts';
import { VectorPages } from '#main/services/library/vector-pages.ts';
import { createEmbeddingService } from '#main/services/llm/embeddings/embedding-service.ts';
import { createPlainAgent } from '#main/services/llm/transport/create-agent.ts';
import { libraryFile, writeLibraryFolder } from '../fakes/library-folder.ts';
import { openData } from '../fakes/open-data.ts';
import { median } from './core/measure.ts';

/**
 * What the library costs, with 200 and with 5,000 mixed files:
 *
 *   npm run bench library [FILES]...
 *
 * Indexing, looking again at what did not change, and the longest time that the event loop was kept from
 * other work meanwhile; a search beside a plain LIKE scan for the same words over the same text; and a look
 * at every one of 100,000 embeddings, beside a search of 5,000 files by words.
 */

const SEARCHES = 50;
const VECTORS = 100_000;
const SIZE = 768;
const never = new AbortController().signal;

const report = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
};
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;

async function watched(work: () => Promise<unknown>): Promise<{ took: number; longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  // The last turn has to end to be counted.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { took, longest: delay.max / 1e6 };
}

async function benchFiles(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-bench-library-'));
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-data-'));
  const stores = openData(dataDir);
  const documents = new DocumentReader(process.cwd());
  let settings = Settings.parse({});
  const library = new Library({
    ...{ store: stores.library, documents, settings: () => settings, dataDir, readOnly: false },
    saveFolders: (folders) => {
      settings = { ...settings, libraryFolders: [...folders] };
    },
    embeddings: createEmbeddingService({
      ...{ settings: () => settings, readSecret: () => null, env: {} },
      createAgent: createPlainAgent,
    }),
    onChange: () => undefined,
    clock: systemClock,
    logger: silentLogger,
  });
  try {
    await writeLibraryFolder(folder, count);
    const first = await watched(async () => {
      await library.add(folder);
      await library.settled();
    });
    const [state] = library.list().folders;
    report(
      `${count} files, indexed (${state?.indexed} of them)`,
      `${Math.round(count / (first.took / 1000))} files/s, loop held at most ${ms(first.longest)}`,
    );
    const again = await watched(async () => {
      library.refresh();
      await library.settled();
    });
    report(
      `${count} files, looked at again unchanged`,
      `${Math.round(count / (again.took / 1000))} files/s, loop held at most ${ms(again.longest)}`,
    );
    await benchSearch(count, library, dataDir);
    const gone = await watched(async () => {
      library.remove(folder);
      await library.settled();
    });
    report(`${count} files, forgotten`, `${ms(gone.took)}, loop held at most ${ms(gone.longest)}`);
  } finally {
    await library[Symbol.asyncDispose]();
    await documents[Symbol.asyncDispose]();
    stores.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function benchSearch(count: number, library: Library, dataDir: string): Promise<void> {
  const database = new BetterSqlite3(join(dataDir, 'hyperagent.db'), { readonly: true });
  const queries = Array.from(
    { length: SEARCHES },
    (_, index) => libraryFile((index * 97) % count).fact.query,
  );
  const found: number[] = [];
  const scanned: number[] = [];
  let right = 0;
  for (const [index, query] of queries.entries()) {
    const words = query.split(' ').filter((word) => word !== 'of');
    const began = performance.now();
    const [best] = await library.find(query, { signal: never });
    found.push(performance.now() - began);
    if (best?.snippet.includes(words.at(-1) ?? '')) right += 1;
    const clause = words.map(() => 'text LIKE ?').join(' OR ');
    const scan = database.prepare(`SELECT id FROM library_passages WHERE ${clause}`);
    const start = performance.now();
    scan.all(...words.map((word) => `%${word}%`));
    // The first of each also reads the file.
    if (index > 0) scanned.push(performance.now() - start);
  }
  database.close();
  const [search, scan] = [median(found.slice(1)), median(scanned)];
  report(`${count} files, a search (${right} of ${SEARCHES} right in first place)`, ms(search));
  report('  a LIKE scan for the same words over the same text', ms(scan));
  report('  ratio', `${(search / scan).toFixed(2)} x`);
}

async function benchVectors(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-data-'));
  const stores = openData(dataDir);
  const { library } = stores;
  try {
    let seed = 1;
    const random = (): Float32Array =>
      Float32Array.from({ length: SIZE }, () => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return (seed / 2 ** 32 - 0.45) / Math.sqrt(SIZE / 12);
      });
    for (let base = 0; base < VECTORS; base += 1_000) {
      library.transaction(() => {
        const place = { key: `k${base}`, folder: '/bench', path: `f${base}` };
        const id = library.beginFile({ ...place, title: 't', kind: 'text', at: 0 });
        for (let position = 0; position < 1_000; position += 1) {
          library.addPassage(id, { position, text: 'x', title: '', words: '' });
          const vector = random();
          library.putVector(base + position + 1, 'bench:model', new Uint8Array(vector.buffer));
        }
      });
    }
    const query = random();
    const options = { model: 'bench:model', query, limit: 200, signal: never };
    const vectors = new VectorPages(library);
    const first = await watched(() => nearestPassages(vectors, options));
    report(
      `${VECTORS} embeddings of ${SIZE} numbers: the first search`,
      `${ms(first.took)}, loop held at most ${ms(first.longest)}`,
    );
    const times: number[] = [];
    let longest = 0;
    for (let time = 0; time < 5; time += 1) {
      const one = await watched(() => nearestPassages(vectors, options));
      times.push(one.took);
      longest = Math.max(longest, one.longest);
    }
    report('  the next ones', `${ms(median(times))}, loop held at most ${ms(longest)}`);
  } finally {
    stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2).map(Number).filter(Number.isInteger);
for (const count of wanted.length === 0 ? [200, 5_000] : wanted) await benchFiles(count);
await benchVectors();
