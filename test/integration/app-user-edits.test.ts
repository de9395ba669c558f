import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AppBench, openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { osSandboxReady } from '../setup/os-sandbox.ts';

/** A user who edits an app that an agent builds: the real sandbox, a real server, a real browser, a scripted model. */

const note = osSandboxReady ? '' : ' (skipped: no bubblewrap here)';
const MAIN = 'tea/src/App.tsx';
const STYLE = 'tea/src/index.css';
const app = (heading: string, button = 'Add'): string =>
  `export default function App() {
  return (
    <main>
      <h1>${heading}</h1>
      <button>${button}</button>
    </main>
  );
}
`;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const call = (name: string, given: Record<string, unknown> = {}): DirectedReply => ({
  calls: [{ name, arguments: given }],
});
const write = (content: string): DirectedReply => call('app_write_file', { path: MAIN, content });

type Step = (request: DirectedRequest) => DirectedReply | Promise<DirectedReply>;

async function open() {
  await withBrowserOnPath();
  const steps: Step[] = [];
  const bench: AppBench = await openAppBench(
    (request) => steps.shift()?.(request) ?? { content: 'It is done.' },
    { snapshotHours: 24 },
  );
  const play = async (prompt: string, plan: readonly Step[], threadId?: string) => {
    steps.push(...plan);
    const { run } = await bench.app.api['runs.start']({
      ...(threadId === undefined ? {} : { threadId }),
      ...{ prompt, attachmentIds: [], options: { approve: 'all' } },
    });
    const played = await bench.settled(run.id);
    expect(steps).toEqual([]);
    return { ...played, results: played.of('tool_result').map(({ content }) => content) };
  };
  return { bench, play };
}

describe.skipIf(!osSandboxReady || chromiumPath === null)(
  `an app that its user edits${note}`,
  () => {
    it('shows their text at once, and the agent builds on it, whichever editor they used', async () => {
      const { bench, play } = await open();
      const { api } = bench.app;
      const first = await play('Build a tea app', [
        () => call('create_app_project', { name: 'Tea', template: 'react' }),
        () => write(app('Tea')),
        () => call('app_start_server'),
      ]);
      const { threadId } = first.run;
      const { previewUrl: url } = api['apps.state']({ threadId });
      const dir = (await api['files.list']({ threadId })).folder;
      // In an editor of their own, between two turns.
      writeFileSync(path.join(dir, STYLE), 'body { margin: 7px; }\n');
      let turn = '';
      const second = await play(
        'Name the button Brew',
        [
          ({ messages }) => {
            turn = messages.at(-1)?.content ?? '';
            return call('load_tools', { family: 'browser' });
          },
          () => call('browser_navigate', { url }),
          async () => {
            // In the Files tab, while the agent works.
            const text = app('My own heading');
            const given = { threadId, path: MAIN, text, was: hash(app('Tea')) };
            await api['files.write'](given);
            return call('browser_wait', { text: 'My own heading' });
          },
          () => write(app('Tea', 'Brew')),
          () => write(app('My own heading', 'Brew')),
          () => call('browser_wait', { text: 'Brew' }),
          () => call('app_check'),
        ],
        threadId,
      );
      expect(turn).toContain(`"/workspace/${STYLE}" (modified by the user, or by a program`);
      expect(turn).not.toContain('node_modules');
      const [, , shown, refused, wrote, brewed, checked] = second.results;
      expect(shown).toContain('My own heading');
      expect(refused).toContain('Nothing was done. The user changed tea/src/App.tsx');
      expect(refused).toContain('<h1>My own heading</h1>');
      expect(wrote).toMatch(/^Wrote \d+ bytes/);
      expect(brewed).toContain('Brew');
      expect(checked).toMatch(/^No problems found\./);
      expect(await bench.file(threadId, MAIN)).toBe(app('My own heading', 'Brew'));
      // What the user saved is a state of its own, though the agent went on from it.
      const { snapshots } = api['snapshots.list']({ threadId });
      const kept = await Promise.all(
        snapshots
          .filter(({ files }) => files > 0)
          .map(({ id: snapshotId }) =>
            api['snapshots.diff']({ threadId, snapshotId, since: null, path: MAIN }),
          ),
      );
      expect(kept.map(({ after }) => (after.kind === 'text' ? after.text : ''))).toContain(
        app('My own heading'),
      );
    });
  },
);
