import { expect, it } from 'vitest';
import type { Notice } from '#main/ipc/types.ts';
import { openAppBench } from '../../fakes/app-bench.ts';

it('looks through the folders again when the settings name others, and says so, only then', async () => {
  const { app, dataDir } = await openAppBench(() => ({ content: 'unused' }));
  const { settings, skills } = app.services;
  const notices: Notice['kind'][] = [];
  const looked: string[][] = [];
  const { refresh } = skills;
  skills.refresh = () => {
    // What it finds there is that of the new folders.
    looked.push([...settings.get().skillFolders]);
    refresh();
  };
  app.onBroadcast(({ kind }) => notices.push(kind));

  settings.update({ skillFolders: [dataDir] });
  settings.update({ skillFolders: [dataDir] });
  settings.update({ commandTimeoutSeconds: 61 });
  settings.update({ skillFolders: [] });

  expect(looked).toEqual([[dataDir], []]);
  const changed = 'settings_changed';
  expect(notices).toEqual([changed, 'skills_changed', changed, changed, changed, 'skills_changed']);
});
