import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { parseStoredQuestion } from '#main/hitl/stored-question.ts';
import { openStores } from '#main/storage/open-stores.ts';

const run = promisify(execFile);
const CLI = path.resolve('src-main/cli.ts');

/** A data folder with one run that ended with a report. */
function folderWithReport(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hyperagent-reports-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const stores = openStores({
    ...{ dataDir, entryPoint: 'terminal', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: parseStoredQuestion },
    ...{ clock: systemClock, logger: silentLogger },
  });
  stores.runStores.threads.insert({ id: 'thr_1', title: 'Research', createdAt: 1 });
  stores.runStores.runs.insert({
    ...{ id: 'run_1', threadId: 'thr_1', status: 'completed', prompt: 'x', createdAt: 1 },
    ...{ startedAt: 1, endedAt: 2, error: null, origin: null },
    options: {
      ...{ mode: 'research', model: { provider: 'fake', name: 'x' }, sandbox: 'auto' },
      ...{ network: 'offline', allowHosts: [], approve: 'ask', timeoutSeconds: null },
    },
  });
  const drafts: RunEventDraft[] = [
    {
      ...{ type: 'source', index: 1, url: 'https://a.test/', title: 'A' },
      excerpts: [{ number: 1, text: 'It has 320 MW.' }],
    },
    {
      ...{ type: 'report', reportId: 'r1', title: 'Norvik', path: 'research/norvik.md' },
      markdown: '# Norvik\n\nIt has 320 MW. [1]\n',
      citations: [{ claim: 'It has 320 MW.', sourceIndex: 1, excerptNumber: 1, supported: true }],
      ...{ agreements: [], contradictions: [], gaps: [] },
    },
  ];
  stores.runStores.events.append(
    drafts.map((draft, at) => ({ runId: 'run_1', seq: at + 1, at: 1, ...draft }) as RunEvent),
  );
  stores.close();
  return dataDir;
}

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
