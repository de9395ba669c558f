import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Settings } from '#contract/settings.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { IndexThread } from '#main/library/index-thread.ts';
import { Library } from '#main/library/library.ts';
import { createEmbeddingService } from '#main/models/embeddings/embedding-service.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { openLibraryDatabase } from '#main/storage/library-database.ts';
import { openLibraryStore } from '#main/storage/library-store.ts';
import { libraryFile, writeLibraryFolder } from '../fakes/library-folder.ts';
import { openData } from '../fakes/open-data.ts';
import { keepPages } from '../fakes/read-scans.ts';
import { heldBy, type LoopHeld } from './core/loop-held.ts';
import { median } from './core/measure.ts';

/**
 * What the library costs, with 200 and with 5,000 mixed files:
 *
 *   npm run bench library [FILES]...
 *
 * Indexing, looking again at what did not change, and what the event loop of the app knew of it: how long
 * it was held (99th percentile and longest, beside a loop that does nothing in the same run, for a busy
 * machine holds every loop), and the longest piece of work that its own thread did between two turns. A
 * search beside a plain LIKE scan for the same words over the same text; and a look at every one of 100,000
 * embeddings.
 */

const SEARCHES = 50;
const VECTORS = 100_000;
const SIZE = 768;
const FLOOR_MS = 3_000;
const never = new AbortController().signal;

const report = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
};
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;

const held = ({ p99, longest, ownWork }: LoopHeld): string =>
  `; loop held ${ms(p99)} p99, ${ms(longest)} at most; own work at most ${ms(ownWork)}`;

async function benchFiles(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-bench-library-'));
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-data-'));
  const stores = openData(dataDir);
  let settings = Settings.parse({});
  const library = new Library({
    ...{ counts: stores.library, settings: () => settings, dataDir, readOnly: false },
    root: process.cwd(),
    readScans: keepPages,
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
    const first = await heldBy(async () => {
      await library.add(folder);
      await library.settled();
    });
    const [state] = library.list().folders;
    report(
      `${count} files, indexed (${state?.indexed} of them)`,
      `${Math.round(count / (first.took / 1000))} files/s${held(first)}`,
    );
    const again = await heldBy(async () => {
      library.refresh();
      await library.settled();
    });
    report(
      `${count} files, looked at again unchanged`,
      `${Math.round(count / (again.took / 1000))} files/s${held(again)}`,
    );
    await benchSearch(count, library, dataDir);
    const gone = await heldBy(async () => {
      library.remove(folder);
      await library.settled();
    });
    report(`${count} files, forgotten`, `${ms(gone.took)}${held(gone)}`);
  } finally {
    await library[Symbol.asyncDispose]();
    stores.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function benchSearch(count: number, library: Library, dataDir: string): Promise<void> {
  const database = new BetterSqlite3(join(dataDir, 'library.db'), { readonly: true });
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
  const place = { file: join(dataDir, 'library.db'), dataDir, readOnly: false };
  const query = fillVectors(place);
  const index = new IndexThread({
    ...{ ...place, root: process.cwd(), readScans: keepPages, onUnread: () => undefined },
  });
  const search = () =>
    index.call(
      'search',
      {
        ...{ query: '', limit: 10, folders: new Set(['/bench']) },
        embedding: { model: 'bench:model', vector: query },
      },
      { signal: never },
    );
  try {
    const first = await heldBy(search);
    const what = `${VECTORS} embeddings of ${SIZE} numbers: the first search`;
    report(what, `${ms(first.took)}${held(first)}`);
    const times: number[] = [];
    const next = await heldBy(async () => {
      for (let time = 0; time < 5; time += 1) {
        const began = performance.now();
        await search();
        times.push(performance.now() - began);
      }
    });
    report('  the next ones', `${ms(median(times))}${held(next)}`);
  } finally {
    await index[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** An index of embeddings alone; one more of them to search with. */
function fillVectors(place: Parameters<typeof openLibraryDatabase>[0]): Float32Array {
  let seed = 1;
  const random = (): Float32Array =>
    Float32Array.from({ length: SIZE }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return (seed / 2 ** 32 - 0.45) / Math.sqrt(SIZE / 12);
    });
  const connection = openLibraryDatabase(place);
  const store = openLibraryStore(connection);
  for (let base = 0; base < VECTORS; base += 1_000) {
    store.transaction(() => {
      const file = { key: `k${base}`, folder: '/bench', path: `f${base}` };
      const id = store.beginFile({ ...file, title: 't', kind: 'text', at: 0 });
      for (let position = 0; position < 1_000; position += 1) {
        store.addPassage(id, { position, text: 'x', title: '', words: '' });
        const vector = random();
        store.putVector(base + position + 1, 'bench:model', new Uint8Array(vector.buffer));
      }
    });
  }
  connection.close();
  return random();
}

const floor = await heldBy(() => new Promise((resolve) => setTimeout(resolve, FLOOR_MS)));
report('a loop that does nothing', held(floor).slice(2));
const wanted = process.argv.slice(2).map(Number).filter(Number.isInteger);
for (const count of wanted.length === 0 ? [200, 5_000] : wanted) await benchFiles(count);
await benchVectors();
