import { expect, it } from 'vitest';
import type { Artifact } from '#contract/artifacts.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { openArtifacts } from '#main/storage/artifact-store.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import type { OpenDatabase } from '#main/storage/open-database.ts';
import { openRunCopier } from '#main/storage/run-copier.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { insertRun, open, temporaryDir } from './support.ts';

type Change = readonly [
  operation: 'create' | 'modify' | 'delete',
  path: string,
  size?: number,
  origin?: string,
];

/** Stores these changes as events of a run, numbered from `from`. */
function change(
  { connection }: OpenDatabase,
  changes: readonly Change[],
  { runId = 'run_1', from = 1 } = {},
): void {
  writeEvents(connection).append(
    changes.map(([operation, path, size = 10, origin = 'call_1'], i): RunEvent => {
      const seq = from + i;
      return {
        ...{ runId, seq, at: seq, type: 'workspace_update' },
        operation,
        path,
        size,
        origin,
      };
    }),
  );
}

function opened(dataDir = temporaryDir()) {
  const database = open(dataDir);
  insertRun(database);
  return { database, dataDir, store: openArtifacts(database.connection) };
}

const brief = ({ path, size, isDeleted, kind }: Artifact) =>
  `${path} ${kind} ${size}${isDeleted ? ' deleted' : ''}`;
const LIFE: readonly Change[] = [
  ['create', 'upload.csv', 5, 'attachment'],
  ['create', 'server.log', 6, 'other'],
  ['create', 'a/chart.png', 10],
  ['create', 'notes.md', 20],
  ['modify', 'upload.csv', 30],
  ['create', 'draft.py', 40],
  ['delete', 'draft.py', 0],
  ['create', 'old.txt', 50],
  ['delete', 'old.txt', 0],
  ['create', 'new.txt', 50],
  ['modify', 'notes.md', 60],
  ['modify', 'a/chart.png', 70, 'other'],
  ['create', 'deck.pptx', 80],
  ['delete', 'deck.pptx', 0, 'other'],
  ['create', 'old.txt', 90],
];
const AFTER = [
  'old.txt document 90',
  'deck.pptx slides 80 deleted',
  'notes.md document 60',
  'new.txt document 50',
  'draft.py code 40 deleted',
  'upload.csv table 30',
  'a/chart.png image 70',
];

it('lists what calls made or changed, newest change first, and marks what was deleted since', () => {
  const { database, store } = opened();
  change(database, LIFE);
  const { artifacts, next } = store.list({ limit: 50 });
  expect([artifacts.map(brief), next]).toEqual([AFTER, null]);
  expect(artifacts[2]).toEqual({
    ...{ id: expect.any(Number), threadId: 'thr_1', threadTitle: 'A task', runId: 'run_1' },
    ...{
      seq: 11,
      origin: 'call_1',
      at: 11,
      path: 'notes.md',
      kind: 'document',
      size: 60,
      isDeleted: false,
    },
  });
});

it('finds the files of a database from before, by the same rules, also beside a damaged row', () => {
  const dataDir = temporaryDir();
  const before = open(dataDir, { migrations: migrations.filter(({ version }) => version < 15) });
  insertRun(before);
  change(before, LIFE);
  before.connection
    .sql('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
    .run('run_1', 99, 99, 'workspace_update', '{"operation":"create","pa');
  before.close();
  const store = openArtifacts(open(dataDir).connection);
  expect(store.list({ limit: 50 }).artifacts.map(brief)).toEqual(AFTER);
});

it('is read in pages that miss and repeat nothing, though files change between them', () => {
  const { database, store } = opened();
  change(
    database,
    Array.from({ length: 2400 }, (_, i): Change => ['create', `f${i}.${i % 2 ? 'png' : 'csv'}`]),
  );
  const paths: string[] = [];
  let pages = 0;
  for (let beforeId: number | undefined; ; pages += 1) {
    const { artifacts, next } = store.list({ kind: 'image', limit: 100, beforeId });
    paths.push(...artifacts.map(({ path }) => path));
    change(database, [['modify', 'f2399.png']], { from: 5000 + pages });
    if (next === null) break;
    beforeId = next;
  }
  const expected = Array.from({ length: 1200 }, (_, i) => `f${2399 - 2 * i}.png`);
  expect([paths, pages]).toEqual([expected, 11]);
});

it('filters by words of the path in any case and width, by kind and by task', () => {
  const { database, store } = opened();
  insertRun(database, 'run_2', 'thr_2');
  change(database, [
    ['create', 'Bericht/ÜBERSICHT 2026.pdf'],
    ['create', 'research/tea.md'],
    ['create', '销售报告.docx'],
    ['create', 'png'],
    ['create', '.png'],
    ['create', 'tea/100%_done.csv'],
  ]);
  change(database, [['create', 'tea.png']], { runId: 'run_2' });
  const found = (filter: object): string[] =>
    store.list({ limit: 50, ...filter }).artifacts.map(({ path }) => path);
  expect({
    umlaut: found({ words: ' übersicht  BERICHT ' }),
    chinese: found({ words: '报告' }),
    wide: found({ words: 'ＴＥＡ', threadId: 'thr_1' }),
    pattern: found({ words: '%_d' }),
    anything: found({ words: '%' }),
    kind: found({ kind: 'report' }),
    image: found({ kind: 'image' }),
    none: found({ words: 'tea', kind: 'slides' }),
    task: found({ threadId: 'thr_2' }),
    unknown: found({ threadId: 'thr_9' }),
  }).toEqual({
    umlaut: ['Bericht/ÜBERSICHT 2026.pdf'],
    chinese: ['销售报告.docx'],
    wide: ['tea/100%_done.csv', 'research/tea.md'],
    pattern: ['tea/100%_done.csv'],
    anything: ['tea/100%_done.csv'],
    kind: ['research/tea.md'],
    image: ['tea.png'],
    none: [],
    task: ['tea.png'],
    unknown: [],
  });
});

it('keeps any name of a file as it is', () => {
  const { database, store } = opened();
  const names = [
    '\u202egnp.exe',
    'two\nlines.txt',
    `${'deep/'.repeat(800)}x.txt`,
    `'); DROP TABLE artifacts; --.csv`,
    '{"path":"x"}',
  ];
  change(
    database,
    names.map((path): Change => ['create', path]),
  );
  expect(store.list({ limit: 50 }).artifacts.map(({ path }) => path)).toEqual(names.toReversed());
});

it('has the files of a copied task twice, and none of an imported run', () => {
  const { database, store } = opened();
  change(database, [
    ['create', 'a.txt'],
    ['create', 'b.txt'],
  ]);
  insertRun(database, 'run_2', 'thr_2');
  openRunCopier(database.connection).events({ from: 'run_1', to: 'run_2', upToSeq: 1 });
  const runs = writeRuns(database.connection);
  const origin = { kind: 'import', runId: 'run_x', seq: null, messages: 0 } as const;
  runs.insert({ ...runs.get('run_1'), id: 'run_3', threadId: 'thr_2', origin });
  change(database, [['create', 'imported.txt']], { runId: 'run_3' });
  const listed = store.list({ limit: 50 }).artifacts.map(({ threadId, path }) => [threadId, path]);
  expect(listed).toEqual([
    ['thr_2', 'a.txt'],
    ['thr_1', 'b.txt'],
    ['thr_1', 'a.txt'],
  ]);
});

it('follows a restore, and goes with its task', () => {
  const { database, store } = opened();
  insertRun(database, 'run_2', 'thr_2');
  change(database, LIFE);
  change(database, [['create', 'mine.txt']], { runId: 'run_2' });
  store.sync(
    'thr_1',
    new Map([
      ['notes.md', 20],
      ['draft.py', 41],
    ]),
  );
  expect(store.list({ limit: 50 }).artifacts.map(brief)).toEqual([
    'mine.txt document 10',
    'old.txt document 90 deleted',
    'deck.pptx slides 80 deleted',
    'notes.md document 20',
    'new.txt document 50 deleted',
    'draft.py code 41',
    'upload.csv table 30 deleted',
    'a/chart.png image 70 deleted',
  ]);
  writeThreads(database.connection).delete('thr_1');
  expect(store.list({ limit: 50 }).artifacts.map(brief)).toEqual(['mine.txt document 10']);
});
