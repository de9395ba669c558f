import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playByModel } from '../../scripts/miniwob/by-model.ts';
import type { Oracle } from '../../scripts/miniwob/oracles/oracle.ts';
import { renderReport } from '../../scripts/miniwob/report.ts';
import { type Episode, runEpisode } from '../../scripts/miniwob/run-task.ts';
import { serveTasks, type TaskServer } from '../../scripts/miniwob/task-server.ts';
import { type Task, taskOf } from '../../scripts/miniwob/tasks.ts';
import { parseView } from '../../scripts/miniwob/view.ts';
import { type OpenBrowsers, openBrowsers } from '../fakes/browser/open-browsers.ts';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';

describe('the reading of a view', () => {
  it('knows elements with their name, value, states and options from text', () => {
    const lines = parseView(
      [
        '## Results',
        'Two "texts" here',
        '[e3] link "Home"',
        '  [f2e4] textbox "Search \\"it\\"" = "a = b" focused',
        '[e5] combobox "Size" = "M" options: "S", "M"',
        'frame [e9] "Map":',
      ].join('\n'),
    );
    expect(lines.map(({ raw, indent, ...rest }) => rest)).toEqual([
      { ref: null, role: 'heading', name: 'Results', ...nothing },
      { ref: null, role: 'text', name: 'Two "texts" here', ...nothing },
      { ...{ ref: 'e3', role: 'link', name: 'Home' }, ...nothing },
      {
        ...{ ref: 'f2e4', role: 'textbox', name: 'Search "it"', value: 'a = b' },
        ...{ states: ['focused'], options: [] },
      },
      {
        ...{ ref: 'e5', role: 'combobox', name: 'Size', value: 'M' },
        ...{ states: [], options: ['S', 'M'] },
      },
      { ...{ ref: 'e9', role: 'text', name: 'Map' }, ...nothing },
    ]);
  });
});

const nothing = { value: null, states: [], options: [] };

/** The few parts of the tasks' own library that the harness uses. */
const CORE = `
  var WOB_TASK_READY = true, WOB_EPISODE_ID = 0, WOB_RAW_REWARD_GLOBAL = 0, WOB_REWARD_REASON = null;
  Math.seedrandom = (seed) => { window.seed = Number(seed); };
  var core = { cover_div: {}, clearTimer() {}, startEpisodeReal() { genProblem(); },
    endEpisode(reward) { WOB_RAW_REWARD_GLOBAL = reward; WOB_EPISODE_ID += 1; } };
`;
const TASK = `<!doctype html><title>Enter</title><script src="../core/core.js"></script>
  <script>
    function genProblem() {
      const word = 'word' + window.seed;
      query.textContent = 'Enter "' + word + '" into the text field and press Submit.';
      submit.onclick = () => core.endEpisode(field.value === word ? 1 : -1);
    }
  </script>
  <body><div id="query"></div><input id="field"><button id="submit">Submit</button></body>`;

describe.skipIf(chromiumPath === null)(`a task page in the browser${chromiumNote}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-tasks-'));
  let server: TaskServer;
  let opened: OpenBrowsers;

  beforeAll(async () => {
    mkdirSync(join(folder, 'core'));
    mkdirSync(join(folder, 'miniwob'));
    writeFileSync(join(folder, 'core', 'core.js'), CORE);
    writeFileSync(join(folder, 'miniwob', 'enter-text.html'), TASK);
    server = await serveTasks(folder, 'tasks.test');
    opened = await openBrowsers({ sites: ['tasks.test'] });
  });

  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const play = async (oracle: Oracle | null, seed: number) => {
    const task: Task = { ...taskOf('enter-text'), oracle };
    const parts = { server, browsers: opened.browsers, run: opened.run(), threadId: 'thr_1' };
    const { passed, reason } = await runEpisode(task, seed, parts);
    return { passed, reason };
  };

  it('is passed by its oracle with every seed, and only then', async () => {
    const { oracle } = taskOf('enter-text');
    expect([await play(oracle, 1), await play(oracle, 2)]).toEqual([
      { passed: true, reason: '' },
      { passed: true, reason: '' },
    ]);
    expect(await play((page) => page.submit(), 3)).toEqual({
      passed: false,
      reason: 'reward -1: "Enter "word3" into the text field and press Submit."',
    });
  });

  it('is played by a model through the whole app', async () => {
    await using model = await startDirectedModel(({ results, turn }) => {
      const act = (name: string, given: Record<string, string>) => ({
        calls: [{ name, arguments: given }],
      });
      const first = results[0] ?? '';
      if (first === '')
        return act('browser_navigate', { url: /Open (\S+) in/.exec(turn)?.[1] ?? '' });
      const refOf = (role: string): string =>
        new RegExp(`\\[(e\\d+)\\] ${role}`).exec(first)?.[1] ?? '';
      const word = /Enter "(.+?)" into/.exec(first)?.[1] ?? '';
      // It is wrong about the second one, and gives up on the third.
      if (word === 'word3') return { content: 'I cannot do this.' };
      const text = word === 'word2' ? 'another' : word;
      if (results.length === 1) return act('browser_type', { ref: refOf('textbox'), text });
      return results.length === 2
        ? act('browser_click', { ref: refOf('button') })
        : { content: 'ok' };
    });
    const [result] = await playByModel({
      ...{ dir: folder, names: ['enter-text'], seeds: 3, timeoutSeconds: 60 },
      answerer: {
        kind: 'model',
        ref: { provider: 'ollama', name: 'x' },
        overrides: { baseUrl: model.url },
      },
    });
    expect(result?.episodes.map(({ ms: _ms, ...rest }) => rest)).toEqual([
      { seed: 1, passed: true, reason: '', actions: 3 },
      { seed: 2, passed: false, reason: 'reward -1', actions: 3 },
      {
        seed: 3,
        passed: false,
        reason: 'no reward; the run completed: I cannot do this.',
        actions: 1,
      },
    ]);
  });

  it('names what the view lacks, and which action failed', async () => {
    const lacking: Oracle = async (page) => {
      await page.one('slider');
    };
    const failing: Oracle = async (page) => {
      await page.act({ kind: 'click', at: { ref: 'e999' } });
    };
    expect(await play(lacking, 1)).toEqual({ passed: false, reason: 'view lacks: no slider' });
    expect((await play(failing, 1)).reason).toMatch(/^action failed: click: /);
  });
});

describe('the report', () => {
  const episode = (seed: number, reason: string): Episode => {
    return { seed, passed: reason === '', reason, actions: 3, ms: 500 };
  };

  it('counts whole tasks and episodes by group, and names each miss with its seeds', () => {
    const report = renderReport([
      { task: taskOf('click-test'), episodes: [episode(1, ''), episode(2, '')] },
      { task: taskOf('enter-text'), episodes: [episode(1, 'view lacks: x'), episode(2, '')] },
      { task: taskOf('hover-shape'), episodes: [episode(1, 'drawn'), episode(2, 'drawn')] },
    ]);
    expect(report).toContain(
      'tasks with accessible targets: 1 of 2 tasks with every seed (50.0 %), 3 of 4 episodes (75.0 %)',
    );
    expect(report).toContain('  enter-text 1/2\n    view lacks: x (seed 1)');
    expect(report).toContain('drawn in svg or on a canvas: 0 of 1 tasks with every seed');
    expect(report).toContain('    drawn (seed 1, 2)');
  });
});
