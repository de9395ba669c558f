import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { playExample } from '../fakes/skill-bench.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { osSandboxReady } from '../setup/os-sandbox.ts';

/** The skill that builds apps, in the whole app: the real sandbox, a real server, a real browser, a scripted model. */

const note = osSandboxReady ? '' : ' (skipped: no bubblewrap here)';

const MAIN = 'src/App.tsx';
const POINTS = ['After the habit Read was added, the list shows Read', 'Read can be removed again'];
const PLAN = {
  ...{ name: 'Habits', template: 'react', points: POINTS },
  files: [{ path: MAIN, purpose: 'The list of habits with its form.' }],
};
const CHANGE = { files: [{ path: MAIN, purpose: 'Habits can be removed.' }], points: [POINTS[1]] };
const ADD = [
  { action: 'fill', name: 'New habit', value: 'Read' },
  { action: 'click', name: 'Add' },
  { action: 'expect', name: 'Read' },
];
const REMOVE = [...ADD, { action: 'click', name: 'Remove' }, { action: 'gone', name: 'Read' }];

const habits = (row: string): string => `\`\`\`tsx
import { useState } from 'react';

export default function App() {
  const [habits, setHabits] = useState<string[]>([]);
  const [name, setName] = useState('');
  const add = () => {
    if (name !== '') setHabits([...habits, name]);
    setName('');
  };
  return (
    <main>
      <h1>Habits</h1>
      <form onSubmit={(event) => { event.preventDefault(); add(); }}>
        <label>New habit <input value={name} onChange={(event) => setName(event.target.value)} /></label>
        <button>Add</button>
      </form>
      {habits.length === 0 && <p>Nothing yet</p>}
      <ul>{habits.map((habit) => <li key={habit}>${row}</li>)}</ul>
    </main>
  );
}
\`\`\``;
const WITHOUT_REMOVE = habits('{habit}');
const WITH_REMOVE = habits(
  '{habit} <button onClick={() => setHabits(habits.filter((one) => one !== habit))}>Remove</button>',
);

/** Plays the model for the skill: the file as it is given, tests of the points of each plan, no repairs. */
function builder(files: readonly string[]) {
  let next = 0;
  return ({ system, turn, format }: DirectedRequest): DirectedReply => {
    const json = (value: unknown): DirectedReply => ({ content: JSON.stringify(value) });
    if (system.startsWith('You plan a web app')) return json(PLAN);
    if (system.startsWith('You plan a change')) return json(CHANGE);
    if (system.startsWith('You repair')) return { content: 'I would not know how.' };
    if (system.startsWith('You write tests')) {
      const isFirst = turn.includes(`1. ${POINTS[0]}`);
      const steps = isFirst ? [ADD, REMOVE] : [REMOVE];
      return json({ tests: steps.map((one, index) => ({ point: index + 1, steps: one })) });
    }
    if (system.startsWith('You write one file')) {
      next += 1;
      return { content: files[Math.min(next, files.length) - 1] ?? '' };
    }
    return format === null ? { content: 'The app is in the App tab.' } : json({});
  };
}

describe.skipIf(!osSandboxReady || chromiumPath === null)(`the app builder${note}`, () => {
  it('plays the example in its folder: what a check finds is repaired, and tests show the points', async () => {
    await withBrowserOnPath();
    const { example, played, bench } = await playExample('app_builder');
    expect(played.output).toMatchObject(example.expected);
    expect(played.output.preview_url).toMatch(/^http:\/\/[0-9a-f]{16}\.localhost:\d+\/$/);
    expect(played.stages).toEqual([
      ...['plan', 'scaffold', 'generate', 'start', 'check', 'repair', 'check_2', 'test'],
      'finalize',
    ]);
    // Its file and line, and the lines around it.
    const repair = bench.requests.find(({ system }) => system.startsWith('You repair'));
    expect(repair?.turn).toMatch(
      /error \(tea-counter\/src\/main\.js:\d+\): After pressing "Add a cup"/,
    );
    expect(played.of('browser_stream')).toMatchObject([
      { streamUrl: `app:${played.run.threadId}` },
    ]);
    expect(played.of('skill_output')).toMatchObject([
      { skillId: 'app_builder', previewUrl: played.output.preview_url },
    ]);
    expect(JSON.stringify(played.events)).not.toContain('untrusted":"');
  });

  it('is the mode App: a task is built, ends as unverified for what no test shows, and is changed by the next turn', async () => {
    await withBrowserOnPath();
    const bench = await openAppBench(builder([WITHOUT_REMOVE, WITH_REMOVE]));
    const { api } = bench.app;
    const first = await bench.play('A list of my habits', { mode: 'app' });
    expect(first.of('tool_call').map(({ name }) => name)).toContain('invoke_skill');
    expect(first.run.status).toBe('unverified');
    const [{ facts, verdict } = { facts: [], verdict: '' }] = first.of('verification');
    expect([verdict, facts.map(({ claim, holds }) => [claim, holds])]).toEqual([
      'unverified',
      [
        [POINTS[0], true],
        [POINTS[1], false],
      ],
    ]);
    expect(facts[0]?.evidence).toBe('filling "New habit"; pressing "Add"; finding "Read"');
    expect(facts[1]?.evidence).toContain('Nothing is named "Remove" that can be pressed.');
    expect(first.answer).toContain(POINTS[1]);
    const { threadId } = first.run;
    const { server, folder } = api['apps.state']({ threadId });
    expect([server, folder]).toEqual(['running', 'habits']);

    const { run } = await api['runs.start']({
      ...{ threadId, prompt: 'Let me remove habits', attachmentIds: [] },
      options: { approve: 'all', mode: 'app' },
    });
    const second = await bench.settled(run.id);
    expect(second.run.status).toBe('completed');
    expect(second.of('verification')).toMatchObject([
      { verdict: 'verified', facts: [{ claim: POINTS[1], holds: true }] },
    ]);
    expect(api['apps.state']({ threadId }).folder).toBe('habits');
    expect(await bench.file(threadId, `habits/${MAIN}`)).toContain('Remove');
    const [written] = second.of('skill_output');
    expect(written?.output.files_created).toEqual([`habits/${MAIN}`]);
  });

  it('asks before the server starts, and ends where it may not', async () => {
    await withBrowserOnPath();
    const bench = await openAppBench(builder([WITH_REMOVE]));
    const played = await bench.play('A list of my habits', { mode: 'app', approve: 'never' });
    const { threadId } = played.run;
    expect(played.of('tool_result').find(({ name }) => name === 'invoke_skill')?.content).toContain(
      'TOOL_DENIED',
    );
    expect(bench.app.api['apps.state']({ threadId }).server).toBe('stopped');
    expect(await bench.file(threadId, `habits/${MAIN}`)).toContain('Remove');
  });
});
