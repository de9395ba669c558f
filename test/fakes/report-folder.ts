import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { parseStoredQuestion } from '#main/hitl/stored-question.ts';
import { openStores } from '#main/storage/open-stores.ts';

/** A data folder with one run that ended with a report. */
export function folderWithReport(): string {
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
