import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DataLock } from '#main/storage/data-lock.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import {
  completeDeletion,
  deleteWindowData,
  finishDeletion,
  isMarkedForDeletion,
  markForDeletion,
} from '#main/user-data/delete-data.ts';
import { openData } from '../../fakes/open-data.ts';
import { temporaryDir } from '../storage/support.ts';
import { addTask } from './support.ts';

const CHILD = join(import.meta.dirname, 'children/killed-deletion.ts');
const start = { entryPoint: 'terminal', readOnly: false };

/** A data folder with something in each place where the app stores something. */
function usedFolder(): string {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  addTask(stores, { id: 'thr_1', title: 'Sales', prompt: 'Sum it up' });
  addTask(stores, { id: 'thr_2', title: 'Tea', prompt: 'Make tea' });
  stores.close();
  const own = [
    ...['library.db', 'library.db-wal', 'reserve', 'hyperagent.db-wal', 'hyperagent.db-shm'],
    ...['hyperagent-damaged-2026-01-01T00-00-00-000Z.db', '.writable-0123456789ab', 'probe-a1'],
    ...['logs/hyperagent.log', 'logs/hyperagent.1.log', 'attachments/att_1', 'pictures/thr_1/a'],
    ...['backups/hyperagent-daily-2026-01-01T00-00-00-000Z.db', 'snapshots/blobs/ab/abc'],
    ...['snapshots/aside/x', 'transfers/folder_1/x', 'folder-backups/thr_1/x', 'models/a.gguf'],
    ...['connectors/connector_1/x', 'connectors/connector_1.jsonl'],
    ...['models/b.gguf.part', 'models/b.gguf.part.json', 'skills/tea/SKILL.md', 'skills/tea/a.js'],
    ...['sandbox/host-facts.json', 'sandbox/etc/passwd', 'sandbox/inside/lib/x'],
    ...['workspaces/thr_1/a/b.txt', 'workspaces/thr_2/c.txt'],
    ...['window/Local State', 'window/Local Storage/leveldb/LOG', 'window/bounds.json'],
  ];
  for (const file of own) put(join(dataDir, file), 'app');
  return dataDir;
}

function put(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const left = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !lstatSync(join(dir, name)).isDirectory())
    .sort();

it('removes everything that the app stored, and no folder stays', async () => {
  const dataDir = usedFolder();
  markForDeletion(dataDir, { keepModels: false });
  expect(await completeDeletion({ dataDir, ...start })).toEqual({ links: [], models: null });
  expect(readdirSync(dataDir)).toEqual(['lock.db']);
  // Like new.
  const stores = openData(dataDir);
  expect([stores.runStores.threads.list(), stores.secrets.names()]).toEqual([[], []]);
  stores.close();
  expect(await completeDeletion({ dataDir, ...start })).toBeNull();
});

it('keeps downloaded models, unless it was chosen otherwise', async () => {
  const dataDir = usedFolder();
  markForDeletion(dataDir, { keepModels: true });
  const models = join(dataDir, 'models');
  expect(await completeDeletion({ dataDir, ...start })).toEqual({ links: [], models });
  expect(left(dataDir)).toEqual([
    'lock.db',
    ...['a.gguf', 'b.gguf.part', 'b.gguf.part.json'].map((name) => `models/${name}`),
  ]);
});

it('touches nothing of the user in the same folder, also under names that the app has too', async () => {
  const dataDir = usedFolder();
  const own = [
    ...['thesis.doc', 'hyperagent.dbx', 'hyperagent.db.backup', 'Library.db', 'lib/library.db'],
    ...['Pictures/thr_1.png', 'pictures/holiday.jpg', 'models/car.stl', 'models/thr_1/engine.stl'],
    ...['workspaces/client/code.c', 'skills/resume.doc', 'skills/drafts/notes.md', 'logs/boat.log'],
    ...['backups/photos.tar', 'attachments/mail.pdf', 'snapshots/2025/a', 'sandbox/castle.png'],
    ...['connectors/mine.jsonl', 'transfers/bank.csv', 'folder-backups/old/x', '.hidden'],
  ];
  for (const file of own) put(join(dataDir, file), 'mine');
  markForDeletion(dataDir, { keepModels: false });
  await completeDeletion({ dataDir, ...start });
  expect(left(dataDir)).toEqual([...own, 'lock.db'].sort());
  for (const file of own) expect(readFileSync(join(dataDir, file), 'utf8')).toBe('mine');
});

it('takes a folder "window" for its own only if a browser made it', async () => {
  const dataDir = temporaryDir();
  put(join(dataDir, 'window/frame.cad'), 'mine');
  markForDeletion(dataDir, { keepModels: false });
  deleteWindowData(dataDir);
  await completeDeletion({ dataDir, ...start });
  expect(left(dataDir)).toEqual(['lock.db', 'window/frame.cad']);
});

it('removes links, never what they lead to', async () => {
  const dataDir = usedFolder();
  const outside = temporaryDir();
  put(join(outside, 'models/a.gguf'), 'mine');
  put(join(outside, 'thr_9/x'), 'mine');
  put(join(outside, 'skill/SKILL.md'), 'mine');
  const { workspaces, skills, window } = dataPaths(dataDir);
  symlinkSync(outside, join(workspaces, 'thr_3'));
  symlinkSync(outside, join(workspaces, 'thr_1', 'inside'));
  symlinkSync(join(outside, 'thr_9', 'x'), join(window, 'link'));
  symlinkSync(join(outside, 'skill'), join(skills, 'linked'));
  const elsewhere = usedFolder();
  const { pictures } = dataPaths(elsewhere);
  spawnSync('rm', ['-r', pictures]);
  symlinkSync(outside, pictures);
  const before = left(outside);
  for (const dir of [dataDir, elsewhere]) markForDeletion(dir, { keepModels: false });
  const { links } = (await completeDeletion({ dataDir, ...start })) ?? {};
  expect(links).toEqual([
    { path: join(workspaces, 'thr_3'), target: outside },
    { path: join(skills, 'linked'), target: join(outside, 'skill') },
  ]);
  expect((await completeDeletion({ dataDir: elsewhere, ...start }))?.links).toEqual([
    { path: pictures, target: outside },
  ]);
  expect([left(dataDir), left(elsewhere)]).toEqual([['lock.db'], ['lock.db']]);
  expect(left(outside)).toEqual(before);
});

it('removes what programs made hard to remove', async () => {
  const dataDir = usedFolder();
  const workspace = dataPaths(dataDir).workspace('thr_1');
  mkdirSync(join(workspace, `${'d'.repeat(60)}/`.repeat(60)), { recursive: true });
  const script =
    'for i in $(seq 120); do mkdir -p dddddddddddddddddddddddddddddddddddddddd && cd d*; done';
  spawnSync('bash', ['-c', script], { cwd: workspace });
  mkdirSync(join(workspace, 'closed/inner'), { recursive: true });
  put(join(workspace, 'closed/inner/x'), 'x');
  spawnSync('chmod', ['-R', '000', join(workspace, 'closed')]);
  spawnSync('mkfifo', [join(workspace, 'pipe')]);
  markForDeletion(dataDir, { keepModels: false });
  await completeDeletion({ dataDir, ...start });
  expect(readdirSync(dataDir)).toEqual(['lock.db']);
});

it.each([0, 1, 4, 8])(
  'is completed by the next start after a kill before removal %i',
  async (number) => {
    const dataDir = usedFolder();
    put(join(dataDir, 'mine.txt'), 'mine');
    markForDeletion(dataDir, { keepModels: false });
    const { signal } = spawnSync(process.execPath, [CHILD, dataDir, String(number)]);
    expect(signal).toBe('SIGKILL');
    expect(isMarkedForDeletion(dataDir)).toBe(true);
    expect(left(dataDir).length).toBeGreaterThan(3);
    // A process that only reads shows no half data.
    await expect(completeDeletion({ dataDir, ...start, readOnly: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await completeDeletion({ dataDir, ...start });
    expect(left(dataDir)).toEqual(['lock.db', 'mine.txt']);
  },
);

it('goes on with the rest if something cannot be removed, and the next start tries again', async () => {
  const dataDir = usedFolder();
  const stuck = dataPaths(dataDir).workspace('thr_1');
  markForDeletion(dataDir, { keepModels: false });
  const remove = async (dir: string): Promise<void> => {
    if (dir === stuck) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    spawnSync('rm', ['-r', dir]);
  };
  await expect(finishDeletion(dataDir, { entryPoint: 'terminal', remove })).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    details: { path: stuck },
  });
  expect(left(dataDir)).toEqual([
    'hyperagent-deletion.json',
    'lock.db',
    'workspaces/thr_1/a/b.txt',
  ]);
  await completeDeletion({ dataDir, ...start });
  expect(readdirSync(dataDir)).toEqual(['lock.db']);
});

it('waits until no other process works in the folder', async () => {
  const dataDir = usedFolder();
  const lock = DataLock.acquire(dataPaths(dataDir), { pid: process.pid, entryPoint: 'desktop' });
  onTestFinished(() => lock.release(true));
  const before = left(dataDir);
  markForDeletion(dataDir, { keepModels: false });
  await expect(completeDeletion({ dataDir, ...start })).rejects.toMatchObject({
    code: 'DATA_DIR_IN_USE',
  });
  deleteWindowData(dataDir);
  expect(left(dataDir)).toEqual([...before, 'hyperagent-deletion.json'].sort());
});

it.each([
  ['no JSON', 'of files'],
  ['another JSON', '{"keepModels":false}'],
  ['nothing', ''],
])(
  'takes a file of that name with %s for one of the user, and deletes nothing',
  async (_what, text) => {
    const dataDir = usedFolder();
    const { deletion } = dataPaths(dataDir);
    writeFileSync(deletion, text);
    const before = left(dataDir);
    deleteWindowData(dataDir);
    expect(await completeDeletion({ dataDir, ...start })).toBeNull();
    expect(left(dataDir)).toEqual(before);
    const real = join(temporaryDir(), 'mark.json');
    writeFileSync(real, '{"format":"hyperagent.deletion","keepModels":false}');
    spawnSync('rm', [deletion]);
    symlinkSync(real, deletion);
    expect(await completeDeletion({ dataDir, ...start })).toBeNull();
  },
);

it('leaves the storage of the page to the desktop app, which deletes it before it opens', async () => {
  const dataDir = usedFolder();
  const { window } = dataPaths(dataDir);
  deleteWindowData(dataDir);
  expect(existsSync(window)).toBe(true);
  markForDeletion(dataDir, { keepModels: false });
  await completeDeletion({ dataDir, ...start, entryPoint: 'desktop' });
  expect(existsSync(window)).toBe(true);
  markForDeletion(dataDir, { keepModels: false });
  deleteWindowData(dataDir);
  expect(existsSync(window)).toBe(false);
});
