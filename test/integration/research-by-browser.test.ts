import { expect, it, onTestFinished } from 'vitest';
import { openBrowsers } from '../fakes/browser/open-browsers.ts';
import { chromiumProcesses } from '../fakes/browser/process-tree.ts';
import { startFixtureWeb } from '../fakes/fixture-web/server.ts';
import { RuleChatModel, researchRule } from '../fakes/research-model.ts';
import { ofType, researchBench, storedTexts } from '../main/agents/research/bench.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';

const QUESTION =
  'What is the installed capacity of the Norvik tidal power station and when was Norvik opened?';

/** A research over a web whose pages are made by scripts. */
async function research(browserPath?: null) {
  const web = await startFixtureWeb({
    ...{ byScripts: true, leaveOut: ['slow', 'gone', 'pdf', 'image', 'json', 'text', 'gb18030'] },
  });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const opened = await openBrowsers(browserPath === undefined ? {} : { browserPath });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const bench = researchBench(web, {
    ...{ model: new RuleChatModel(researchRule()), browsers: opened.browsers },
    pageTimeoutMs: 120_000,
  });
  const { answer } = await bench.start(QUESTION);
  return { bench, answer };
}

it.skipIf(chromiumPath === null)(
  `research reads pages that scripts make, and cites them${chromiumNote}`,
  async () => {
    const { bench, answer } = await research();
    expect(storedTexts(bench).join('\n')).toContain('installed capacity of 320 MW');
    expect(answer).toMatch(/320 MW from 40 turbines\. \[\d+\]/);
    const [report] = ofType(bench.events, 'report');
    expect(report?.citations.filter(({ supported }) => !supported)).toEqual([]);
    await expect.poll(() => chromiumProcesses('browser')).toEqual([]);
  },
);

it('without a browser they are skipped, with the reason', async () => {
  const { bench, answer } = await research(null);
  expect(storedTexts(bench)).toEqual([]);
  expect(answer).toContain('scripts make it, and the browser did not read it');
});
