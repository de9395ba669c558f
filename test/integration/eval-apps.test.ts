import http from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BRIEFS } from '../../scripts/eval/app-briefs/all.ts';
import type { AppBrief } from '../../scripts/eval/app-briefs/types.ts';
import { evaluate } from '../../scripts/eval/evaluate.ts';
import { appTask, type Solution, solutionOf, whyNot } from '../../scripts/eval/sets/apps.ts';
import type { AppTask } from '../../scripts/eval/types.ts';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { chromiumPath, launchChromium } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { sample } from '../setup/sampling.ts';

/** The set of apps: each brief can be fulfilled, and nothing fulfils it by chance. */

const briefOf = (name: string): AppBrief => {
  const brief = BRIEFS.find((one) => one.name === name);
  if (brief === undefined) throw new Error(`There is no brief "${name}".`);
  return brief;
};

async function resultsOf(...tasks: AppTask[]) {
  await withBrowserOnPath();
  const set = { name: 'own', tasks: () => tasks };
  const [result] = await evaluate([set], { answerer: { kind: 'scripted' }, timeoutSeconds: 300 });
  return (result?.tasks ?? []).map(({ task, why }) => [task, why]);
}

/** The stored solution with a text in one file replaced. */
function changed(brief: AppBrief, file: string, text: string, other: string): Solution {
  const { template, files } = solutionOf(brief);
  const source = files[file] ?? '';
  expect(source).toContain(text);
  return { template, files: { ...files, [file]: source.replaceAll(text, other) } };
}

test('there are 25 briefs of different names, with three points or more', () => {
  expect(new Set(BRIEFS.map(({ name }) => name)).size).toBe(25);
  expect(BRIEFS.filter(({ points }) => points.length < 3)).toEqual([]);
});

describe.skipIf(chromiumPath === null)('a page that only says what a brief asks for', () => {
  const chosen = sample(BRIEFS, { name: 'briefs of apps against words', size: 4 });

  test(`fulfils no point of ${chosen.map(({ name }) => name).join(', ')}`, async () => {
    const words = chosen.map(({ prompt }) => `<p>${prompt.replaceAll('<', '&lt;')}</p>`).join('');
    const server = http.createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Words</title><main>${words}</main>`);
    });
    const port = await listen(server, '127.0.0.1');
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      await closeServer(server);
    });
    const points = chosen.flatMap((brief) => brief.points);
    // All at once: each waits for what does not come.
    const held = await Promise.all(
      points.map(async (point) => {
        const why = await whyNot(point, `http://127.0.0.1:${port}/`, browser);
        return why === null ? [point.says] : [];
      }),
    );
    expect(held.flat()).toEqual([]);
  });
});

describe.skipIf(!osSandboxReady || chromiumPath === null)(
  `a brief that a scripted model builds${osSandboxNote}`,
  () => {
    test('is fulfilled by its solution', async () => {
      const chosen = sample(BRIEFS, { name: 'briefs of apps', size: 5 });
      const results = await resultsOf(...chosen.map((brief) => appTask(brief, solutionOf(brief))));
      expect(results).toEqual(chosen.map(({ name }) => [name, '']));
    });

    test('fails by the points that do not hold, and where no app runs', async () => {
      const [habits, guests] = [briefOf('habit-tracker'), briefOf('guestbook')];
      const results = await resultsOf(
        appTask(habits, changed(habits, 'src/App.tsx', 'Already in the list', 'Known')),
        appTask(guests, changed(guests, 'server.js', '.listen(', '.notThere(')),
      );
      expect(results).toEqual([
        [
          habits.name,
          expect.stringMatching(
            /^1 of 5 points do not hold: [^;]*"Already in the list" is not shown/,
          ),
        ],
        [guests.name, expect.stringMatching(/^no app runs at the end/)],
      ]);
    });
  },
);
