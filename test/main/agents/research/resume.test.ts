import { expect, it } from 'vitest';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { RuleChatModel, researchRule } from '../../../fakes/research-model.ts';
import { sample } from '../../../setup/sampling.ts';
import { ofType, researchBench } from './bench.ts';

const QUESTION =
  'What is the installed capacity of the Norvik tidal power station and when was Norvik opened?';

/** Runs research whose process ends at the `at`th commit (0: never), and resumes it until it completes. */
async function research(at: number, cut: 'before' | 'after') {
  await using web = await startFixtureWeb({ leaveOut: ['slow'] });
  const rule = researchRule({ neverEnough: ['Norvik annual report', 'Norvik salmon seals'] });
  const bench = researchBench(web, { model: new RuleChatModel(rule), depth: 'standard' });
  let commits = 0;
  let lives = 0;
  const transaction = bench.stores.runStores.transaction;
  const commit = (work: () => void): void => {
    commits += 1;
    const isCut = commits === at;
    if (isCut && cut === 'before') throw new Error('The process ended');
    transaction(work);
    if (isCut) throw new Error('The process ended');
  };
  for (;;) {
    lives += 1;
    try {
      const { answer } = await bench.start(QUESTION, { commit, resumed: lives > 1 });
      const pages = web.requests.flatMap(({ host, path }) =>
        host === 'search' ? [] : [`${host}${path}`],
      );
      const addresses = new Map(Object.entries(web.bases).map(([host, base]) => [base, host]));
      const plain = (text: string): string =>
        [...addresses].reduce((result, [base, host]) => result.replaceAll(base, host), text);
      return {
        commits,
        lives,
        twice: pages.filter((page, index) => pages.indexOf(page) !== index),
        answer: plain(answer),
        sources: ofType(bench.events, 'source').map(
          ({ index, url, excerpts }) => `${index} ${plain(url)} ${excerpts?.length ?? '-'}`,
        ),
        plans: ofType(bench.events, 'search_plan').length,
        updates: ofType(bench.events, 'knowledge_update').length,
        reports: ofType(bench.events, 'report').length,
      };
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'The process ended') throw error;
    }
  }
}

/** Numbers of commits at which the process ends. */
const some = (commits: number, name: string, size: number): number[] =>
  sample(
    Array.from({ length: commits }, (_, i) => i + 1),
    { name: `research cut off ${name}`, size },
  );

it('resumes after each commit to the same report, with no page or event twice', async () => {
  const { commits, lives, ...whole } = await research(0, 'after');
  expect([lives, whole.twice, commits > 25]).toEqual([1, [], true]);
  for (const at of some(commits, 'after a commit', 8)) {
    const { commits: _all, lives: two, ...again } = await research(at, 'after');
    expect({ at, lives: two, ...again }).toEqual({ at, lives: 2, ...whole });
  }
});

it('resumes after a failed commit to the same report, and repeats at most one page', async () => {
  const { commits, lives: _one, twice: _none, ...whole } = await research(0, 'after');
  for (const at of some(commits, 'before a commit', 4)) {
    const { commits: _all, lives, twice, ...again } = await research(at, 'before');
    expect({ at, lives, ...again }).toEqual({ at, lives: 2, ...whole });
    expect(twice.length).toBeLessThanOrEqual(1);
  }
});

it('stops its requests when it is cancelled, and resumes from there', async () => {
  await using web = await startFixtureWeb();
  const bench = researchBench(web, { model: new RuleChatModel(researchRule()) });
  const { abort, context } = bench.open();
  const first = bench.agent.run([{ role: 'user', content: QUESTION }], context);
  await expect.poll(() => web.requests.length).toBeGreaterThan(3);
  abort.abort(new Error('Stop'));
  await expect(first).rejects.toThrow();
  const before = web.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(web.requests.length).toBe(before);
  const { answer } = await bench.start(QUESTION, { resumed: true });
  expect(answer).toContain('320 MW');
});
