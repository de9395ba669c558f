import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { folderWithReport } from '../../fakes/report-folder.ts';

const run = promisify(execFile);
const CLI = path.resolve('src-main/cli.ts');

it('shows and exports the report of a run from its data folder', async () => {
  const dataDir = folderWithReport();
  const call = (...args: string[]) =>
    run(process.execPath, [CLI, 'reports', ...args, '--data-dir', dataDir], { cwd: dataDir });
  expect((await call('show', 'run_1')).stdout).toBe('# Norvik\n\nIt has 320 MW. [1]\n');
  const html = path.join(dataDir, 'out.html');
  await call('export', 'run_1', '--format', 'html', '-o', html);
  expect(readFileSync(html, 'utf8')).toContain(
    '<a class="ref" id="ref-1" href="#source-1">[1]</a>',
  );
  const { stdout } = await call('export', 'run_1', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ file: 'norvik.pdf', mimeType: 'application/pdf' });
  expect(readFileSync(path.join(dataDir, 'norvik.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  await expect(call('show', 'run_2')).rejects.toMatchObject({ code: 1 });
});
