import { expect, it } from 'vitest';
import type { Notice } from '#main/api/types.ts';
import { openAppBench } from '../../fakes/app-bench.ts';

it('looks through the folders again when the settings name others, and says so, only then', async () => {
  const { app, dataDir } = await openAppBench(() => ({ content: 'unused' }));
  const { api } = app;
  const notices: Notice['kind'][] = [];
  const looked: string[][] = [];
  app.onBroadcast(({ kind }) => {
    notices.push(kind);
    // What it finds there is that of the new folders.
    if (kind === 'skills_changed') looked.push([...api['settings.get']().settings.skillFolders]);
  });

  api['settings.update']({ changes: { skillFolders: [dataDir] } });
  api['settings.update']({ changes: { skillFolders: [dataDir] } });
  api['settings.update']({ changes: { commandTimeoutSeconds: 61 } });
  api['settings.update']({ changes: { skillFolders: [] } });

  expect(looked).toEqual([[dataDir], []]);
  const changed = 'settings_changed';
  expect(notices).toEqual([changed, 'skills_changed', changed, changed, changed, 'skills_changed']);
});
