import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { REQUESTS } from '#contract/requests.ts';
import { artifactRequests } from '#main/api/artifacts.ts';
import { openData } from '../../fakes/open-data.ts';
import { someOptions, temporaryDir } from '../storage/support.ts';

const TRICK = 'two\nlines \u202egnp.csv';

function folderWithFiles() {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  const { threads, runs, events } = stores.runStores;
  threads.insert({ id: 'thr_1', title: 'Sales\nby region', createdAt: 1 });
  runs.insert({
    ...{ id: 'run_1', threadId: 'thr_1', status: 'completed', prompt: 'Go', options: someOptions },
    ...{ createdAt: 1, startedAt: 1, endedAt: 1, error: null, origin: null },
  });
  const files = ['chart.png', TRICK, 'total.py'];
  events.append(
    files.map((file, i) => ({
      ...{ runId: 'run_1', seq: i + 1, at: i, type: 'workspace_update', operation: 'create' },
      ...{ path: file, size: 1500 * (i + 1), origin: 'call_1' },
    })),
  );
  return { dataDir, stores };
}

it('answers from what is stored, and knows no other tasks', () => {
  const { stores } = folderWithFiles();
  const api = artifactRequests({
    ...{ artifacts: stores.artifacts, threads: stores.runStores.threads },
    ...{ sandbox: {} as never, pictures: {} as never },
  });
  const page = api['artifacts.list']({ threadId: 'thr_1', limit: 2 });
  expect(REQUESTS['artifacts.list'].output.parse(page)).toEqual(page);
  expect([page.artifacts.map((one) => one.path), page.next]).toEqual([['total.py', TRICK], 2]);
  expect(() => api['artifacts.list']({ threadId: '../thr_1' })).toThrow('no task');
  stores.close();
});

it('makes small pictures and copies of files of a task only, and says why there is none', async () => {
  const { stores } = folderWithFiles();
  const read: string[] = [];
  const preview = { width: 9, height: 9, preview: 'data:image/png;base64,AA==' };
  const api = artifactRequests({
    ...{ artifacts: stores.artifacts, threads: stores.runStores.threads },
    sandbox: {
      forTask: (threadId) => {
        const workspace = {
          dir: '/data/thr_1',
          read: async (file: string, most: number) => {
            read.push(`${threadId}/${file}`);
            const size = /huge/.test(file) ? most + 1 : file.length;
            return { data: Buffer.from(file), size };
          },
        };
        return { workspace } as never;
      },
    },
    pictures: {
      preview: async (bytes) => {
        if (bytes.length > 9) throw new AppError('PICTURE_UNREADABLE', 'It is broken.');
        return preview;
      },
    },
  });
  const caller = { closed: new AbortController().signal };
  const of = (file: string) => api['artifacts.preview']({ threadId: 'thr_1', path: file }, caller);
  expect([await of('chart.png'), await of('broken.png'), await of('huge.png')]).toEqual([
    preview,
    { problem: 'It is broken.' },
    { problem: 'The picture is too large for a preview.' },
  ]);
  const whole = (file: string) => api['artifacts.read']({ threadId: 'thr_1', path: file });
  expect(await whole('a/notes.txt')).toEqual({ fileName: 'notes.txt', data: btoa('a/notes.txt') });
  await expect(whole('huge.csv')).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  await expect(
    api['artifacts.read']({ threadId: '../thr_1', path: 'a/notes.txt' }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const elsewhere = api['artifacts.preview']({ threadId: '../thr_1', path: 'chart.png' }, caller);
  await expect(elsewhere).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(read).toEqual([
    'thr_1/chart.png',
    'thr_1/broken.png',
    'thr_1/huge.png',
    'thr_1/a/notes.txt',
    'thr_1/huge.csv',
  ]);
  stores.close();
});

it('the CLI lists them, one line each, whatever their names are', async () => {
  const { dataDir, stores } = folderWithFiles();
  stores.close();
  const cli = async (...args: string[]): Promise<string> => {
    const all = [path.resolve('src-main/cli.ts'), 'artifacts', ...args, '--data-dir', dataDir];
    return (await promisify(execFile)(process.execPath, all, { cwd: dataDir })).stdout;
  };
  const [tables, code, none] = [
    await cli('--kind', 'table'),
    JSON.parse(await cli('TOTAL', '--json')),
    await cli('nothing'),
  ];
  expect(tables).toBe(
    '1970-01-01 00:00  table        3.0 kB  two⟨U+000A⟩lines ⟨U+202E⟩gnp.csv  (thr_1, Sales⟨U+000A⟩by region)\n',
  );
  expect(code).toMatchObject({ artifacts: [{ path: 'total.py', kind: 'code' }], next: null });
  expect(none).toBe('No files found.\n');
  expect((await cli('--limit', '2')).split('\n').at(-2)).toBe('For the next ones, add: --before 2');
  await expect(cli('--limit', '0')).rejects.toMatchObject({ code: 2 });
});
