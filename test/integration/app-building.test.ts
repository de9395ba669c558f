import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunOptions } from '#contract/entities.ts';
import { compose } from '#main/compose.ts';
import { type AppBench, openAppBench, type PlayedRun } from '../fakes/app-bench.ts';
import { type DirectedReply, startDirectedModel } from '../fakes/directed-model.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { osSandboxReady } from '../setup/os-sandbox.ts';

/** Tasks that build an app in the whole app: the real sandbox, a real server, a real browser, a scripted model. */

const note = osSandboxReady ? '' : ' (skipped: no bubblewrap here)';
const TASK = 'Build me a habit tracker web app';

const call = (name: string, given: Record<string, unknown> = {}): DirectedReply => ({
  calls: [{ name, arguments: given }],
});
const write = (file: string, content: string): DirectedReply =>
  call('app_write_file', { path: file, content });

const HABITS = `import { useState } from 'react';

export default function App() {
  const [habits, setHabits] = useState<string[]>([]);
  const [name, setName] = useState('');
  return (
    <main>
      <h1>Habits</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setHabits([...habits, name]);
          setName('');
        }}
      >
        <label>
          New habit <input value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <button>Add</button>
      </form>
      <ul>
        {habits.map((habit) => (
          <li key={habit}>{habit}</li>
        ))}
      </ul>
    </main>
  );
}
`;
const BROKEN = HABITS.replace('setHabits([...habits, name]);', 'setHabits(habits.add(name));');
const CREATE = call('create_app_project', { name: 'Habit tracker', template: 'react' });
const MAIN = 'habit-tracker/src/App.tsx';
const STEPS = [{ fill: 'New habit', value: 'Read' }, { click: 'Add' }, { expect: 'Read' }];

async function play(
  plan: readonly (DirectedReply | ((bench: AppBench) => DirectedReply))[],
  options: Partial<RunOptions> = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly bench: AppBench; readonly played: PlayedRun; readonly results: string[] }> {
  await withBrowserOnPath();
  const left = [...plan];
  const bench: AppBench = await openAppBench(() => {
    const next = left.shift() ?? { content: 'See the preview.' };
    return typeof next === 'function' ? next(bench) : next;
  }, settings);
  const played = await bench.play(TASK, options);
  const results = played.of('tool_result').map(({ content }) => content);
  return { bench, played, results };
}

describe.skipIf(!osSandboxReady || chromiumPath === null)(
  `a task that builds an app${note}`,
  () => {
    it('writes it from a template, shows it, checks it by its steps, and walks through it in the browser', async () => {
      const { bench, played, results } = await play([
        CREATE,
        write(MAIN, HABITS),
        call('app_start_server'),
        call('app_check', { steps: STEPS }),
        call('load_tools', { family: 'browser' }),
        ({ app: { api } }) => {
          const threadId = api['threads.list']({}).threads[0]?.id ?? '';
          const url = api['apps.state']({ threadId }).previewUrl;
          return call('browser_navigate', { url });
        },
        call('browser_type', { ref: 'e2', text: 'Run' }),
        call('browser_click', { ref: 'e3' }),
      ]);
      const { threadId } = played.run;
      const state = bench.app.api['apps.state']({ threadId });
      expect(results).toHaveLength(8);
      expect(state).toMatchObject({
        folder: 'habit-tracker',
        template: 'react',
        server: 'running',
      });
      expect(results[2]).toContain(`Preview: ${state.previewUrl}`);
      expect(results[3]).toMatch(
        /^No problems found\.\nDone: filling "New habit"; pressing "Add"; finding "Read"/,
      );
      expect(results[7]).toContain('Run');
      const streams = played.of('browser_stream').map(({ streamUrl }) => streamUrl);
      expect(streams).toEqual([`app:${threadId}`, `browser:${threadId}`]);
      // It shows what the agent wrote, and no words of others.
      expect(played.of('interrupt')).toEqual([]);
      expect(played.events.some((event) => JSON.stringify(event).includes('untrusted'))).toBe(
        false,
      );
      expect(await bench.file(threadId, 'habit-tracker/package.json')).toContain('"habit-tracker"');
    });

    it('is told what is wrong, with the file and the line, until it is right', async () => {
      const { results } = await play([
        CREATE,
        write(MAIN, BROKEN),
        call('app_start_server'),
        call('app_check', { steps: STEPS }),
        write(MAIN, HABITS.replace('</ul>', '')),
        call('app_check'),
        write(MAIN, HABITS),
        call('app_check'),
      ]);
      expect(results[3]).toMatch(
        /^Fix the first one[^\n]*\n1\. types \(habit-tracker\/src\/App\.tsx:12\): TS2339/,
      );
      expect(results[3]).toContain('> 12 |           setHabits(habits.add(name));');
      expect(results[3]).toMatch(
        /error \(habit-tracker\/src\/App\.tsx:12\): After pressing "Add": habits\.add is not a function/,
      );
      expect(results[5]).toMatch(/1\. overlay \(habit-tracker\/src\/App\.tsx:\d+\)/);
      expect(results[7]).toMatch(/^No problems found\./);
    });

    it('is refused a write that leaves something out, once', async () => {
      const cut = HABITS.replace(
        /<form[\s\S]*<\/form>/,
        '{/* ... the form stays unchanged ... */}',
      );
      const { bench, played, results } = await play([
        CREATE,
        write(MAIN, HABITS),
        write(MAIN, cut),
        write(MAIN, cut),
      ]);
      expect(results[2]).toMatch(/^habit-tracker\/src\/App\.tsx was not written\. Line 9/);
      expect(results[3]).toMatch(/^Wrote \d+ bytes/);
      expect(await bench.file(played.run.threadId, MAIN)).toBe(cut);
    });

    it('has done what it says it did, with the files that it made', async () => {
      const said = 'I started the app, and I changed src/App.tsx.';
      for (const content of ['Done.', said]) {
        const plan = [CREATE, write(MAIN, HABITS), call('app_start_server'), { content }];
        const { played } = await play(plan);
        expect([played.run.status, played.answer]).toEqual(['completed', content]);
      }
      // Without a call of this kind the same words are not verified.
      const { played } = await play(Array.from({ length: 6 }, () => ({ content: said })));
      expect(played.run.status).toBe('unverified');
    });

    it('keeps its files from other apps, and starts none where there is none', async () => {
      const { results } = await play([
        call('app_start_server'),
        call('app_check'),
        CREATE,
        write(MAIN, HABITS),
        CREATE,
        call('create_app_project', { name: 'x', template: 'static', folder: '../out' }),
      ]);
      expect(results[0]).toContain('This task has no app. Create one with create_app_project.');
      expect(results[1]).toContain('This task has no app.');
      expect(results[4]).toContain('habit-tracker has files already (habit-tracker/src/App.tsx)');
      expect(results[5]).toContain('leads out of the workspace');
    });

    it.each([
      ['offline', 'this task is offline'],
      ['allowlist', 'registry.npmjs.org is not allowed'],
    ] as const)('installs nothing where the network is %s', async (network, why) => {
      const { results } = await play(
        [CREATE, call('app_install_packages', { packages: ['left-pad'] })],
        { network },
        { egressHosts: [] },
      );
      expect(results[1]).toContain(`Nothing was installed: ${why}.`);
    });

    it('takes no address, folder or option for a package', async () => {
      const { results } = await play([
        CREATE,
        call('app_install_packages', { packages: ['https://evil.example/x.tgz'] }),
        call('app_install_packages', { packages: ['--global', 'x'] }),
        call('app_install_packages', { packages: ['../x', "a'; touch y; '"] }),
      ]);
      expect(results).toHaveLength(4);
      for (const refused of results.slice(1)) expect(refused).toContain('a package name');
    });
  },
);

describe.skipIf(!osSandboxReady)(`an app after the app was closed${note}`, () => {
  it('comes back when its task is opened, at the same address; with the task it is gone', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'hyperagent-apps-'));
    const plan = [CREATE, call('app_start_server')];
    const model = await startDirectedModel(() => plan.shift() ?? { content: 'See the preview.' });
    const open = () =>
      compose({
        ...{ dataDir, entryPoint: 'browser' as const, attended: true, readOnly: false, seal: null },
      });
    onTestFinished(async () => {
      await model[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const first = await open();
    first.api['settings.update']({
      changes: {
        model: { provider: 'ollama', name: 'x' },
        ...{ ollamaUrl: model.url, sandbox: 'os', snapshotHours: 0 },
      },
    });
    const options = { approve: 'all' as const };
    const { run } = await first.api['runs.start']({ prompt: TASK, attachmentIds: [], options });
    await first.runs.settled(run.id);
    const { threadId } = run;
    const before = first.api['apps.state']({ threadId });
    expect(before.server).toBe('running');
    await first[Symbol.asyncDispose]();

    const second = await open();
    const closed = second.api['apps.state']({ threadId });
    expect(closed).toMatchObject({ server: 'stopped', comesBack: true, folder: 'habit-tracker' });
    const back = await second.api['apps.start']({ threadId });
    expect([back.server, back.previewUrl]).toEqual(['running', before.previewUrl]);
    expect(second.api['apps.log']({ threadId }).text).toContain('VITE');
    await second.api['threads.delete']({ threadId });
    expect(() => second.api['apps.state']({ threadId })).toThrow();
    await expect(fetch(new URL(back.previewUrl ?? '').href)).rejects.toThrow();
    await second[Symbol.asyncDispose]();
  });
});
