import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AppState } from '#contract/apps.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { mainColour } from '../setup/main-colour.ts';
import { osSandboxReady } from '../setup/os-sandbox.ts';

/** The states of an app that an agent builds: the real sandbox, a real server, a real browser, a scripted model. */

const note = osSandboxReady ? '' : ' (skipped: no bubblewrap here)';
const STYLE = 'tea/src/index.css';
const call = (name: string, given: Record<string, unknown> = {}): DirectedReply => ({
  calls: [{ name, arguments: given }],
});
const paint = (colour: string): string =>
  `html, body, #root, main { background: ${colour}; min-height: 100vh; margin: 0; }\n`;
const style = (colour: string): DirectedReply =>
  call('app_write_file', { path: STYLE, content: paint(colour) });

/** The whole app with a model that plays the given calls. */
async function openStates() {
  await withBrowserOnPath();
  const steps: DirectedReply[] = [];
  const bench = await openAppBench(() => steps.shift() ?? { content: 'It is done.' }, {
    snapshotHours: 24,
  });
  const { api } = bench.app;
  const list = async (threadId: string): Promise<AppState[]> =>
    (await api['apps.states']({ threadId })).states;
  return {
    ...{ bench, api, list },
    play: async (prompt: string, plan: readonly DirectedReply[], threadId?: string) => {
      steps.push(...plan);
      const { run } = await api['runs.start']({
        ...(threadId === undefined ? {} : { threadId }),
        ...{ prompt, attachmentIds: [], options: { approve: 'all' } },
      });
      return (await bench.settled(run.id)).run;
    },
    /** The newest state, once the app was looked at. */
    seen: async (threadId: string): Promise<AppState> => {
      const pictured = async (): Promise<boolean> =>
        (await list(threadId)).at(-1)?.hasPicture === true;
      await vi.waitUntil(pictured, { timeout: 60_000, interval: 50 });
      return (await list(threadId)).at(-1) as AppState;
    },
    picture: async (threadId: string, { snapshotId }: AppState): Promise<string> => {
      const { data } = api['apps.picture']({ threadId, snapshotId });
      return await mainColour(Buffer.from(data, 'base64'));
    },
  };
}

describe.skipIf(!osSandboxReady || chromiumPath === null)(`the states of an app${note}`, () => {
  it('are seen, compared and gone back to, with what the user changed', async () => {
    const { bench, api, play, list, seen, picture } = await openStates();
    const { threadId } = await play('Build a red tea app', [
      call('create_app_project', { name: 'Tea', template: 'react' }),
      style('#d01010'),
      call('app_start_server'),
    ]);
    const red = await seen(threadId);
    await play('Make it blue', [style('#1010d0')], threadId);
    const blue = await seen(threadId);
    expect([red, blue].map(({ by, prompt }) => [by, prompt])).toEqual([
      ['turn', 'Build a red tea app'],
      ['turn', 'Make it blue'],
    ]);
    expect(await picture(threadId, red)).toBe('480x300 red');
    expect(await picture(threadId, blue)).toBe('480x300 blue');
    const compared = { threadId, snapshotId: blue.snapshotId, since: blue.since, ownOnly: true };
    expect(api['snapshots.changes'](compared)).toMatchObject({
      changes: [{ path: STYLE, kind: 'modified' }],
      count: 1,
    });

    // The user paints it green in an editor of their own, and goes back.
    const { folder } = await api['files.list']({ threadId });
    writeFileSync(path.join(folder, STYLE), paint('#10d010'));
    expect((await list(threadId)).filter(({ isCurrent }) => isCurrent)).toEqual([]);
    await api['snapshots.restore']({ threadId, snapshotId: red.snapshotId });
    expect(await bench.file(threadId, STYLE)).toBe(paint('#d01010'));
    const runs = (): boolean => api['apps.state']({ threadId }).server === 'running';
    await vi.waitUntil(runs, { timeout: 60_000 });
    const after = await list(threadId);
    expect(after.map(({ by, prompt, isCurrent }) => [by, prompt, isCurrent])).toEqual([
      ['turn', 'Build a red tea app', true],
      ['turn', 'Make it blue', false],
      ['user', null, false],
    ]);
    // And takes their own again.
    await api['snapshots.restore']({ threadId, snapshotId: after[2]?.snapshotId ?? '' });
    expect(await bench.file(threadId, STYLE)).toBe(paint('#10d010'));

    // The next turn goes on from there, and the app looks so.
    await play('Thanks', [call('app_check')], threadId);
    const green = await seen(threadId);
    expect(await picture(threadId, green)).toBe('480x300 green');
    await api['threads.delete']({ threadId });
    await expect(api['apps.states']({ threadId })).rejects.toThrow();
  });

  it('have no picture of a server that still runs what the files were before', async () => {
    const { api, play, list, seen, picture } = await openStates();
    const server = (colour: string): DirectedReply =>
      call('sandbox_file', {
        ...{ operation: 'write', path: 'tea/server.js' },
        content: `require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<body style="background: ${colour}"><h1>Tea</h1>');
}).listen(3000, '127.0.0.1');\n`,
      });
    const { threadId } = await play('Build a red tea app', [
      call('sandbox_file', {
        ...{ operation: 'write', path: 'tea/package.json' },
        content: JSON.stringify({ scripts: { dev: 'node server.js' } }),
      }),
      server('#d01010'),
      call('app_start_server', { folder: 'tea' }),
    ]);
    const red = await seen(threadId);
    const { endedAt } = await play('Make it blue', [server('#1010d0')], threadId);
    // Its file is touched, in case the server watches it, before the picture is given up.
    const { folder } = await api['files.list']({ threadId });
    const file = path.join(folder, 'tea/server.js');
    await vi.waitUntil(() => statSync(file).mtimeMs > (endedAt ?? 0), { timeout: 60_000 });
    expect((await list(threadId)).map(({ hasPicture }) => hasPicture)).toEqual([true, false]);

    // What cannot be gone back to does not stop it.
    const { since, port } = { since: red.snapshotId, port: api['apps.state']({ threadId }).ports };
    await expect(
      api['snapshots.restore']({ threadId, snapshotId: `${since}x` }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(api['apps.state']({ threadId })).toMatchObject({ server: 'running', ports: port });

    await api['apps.stop']({ threadId });
    await api['apps.start']({ threadId });
    const blue = await seen(threadId);
    expect([await picture(threadId, red), await picture(threadId, blue)]).toEqual([
      '480x300 red',
      '480x300 blue',
    ]);
  });
});
