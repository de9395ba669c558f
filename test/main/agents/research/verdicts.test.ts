import { expect, it, onTestFinished } from 'vitest';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { type ModelRule, RuleChatModel, researchRule } from '../../../fakes/research-model.ts';
import { ofType, researchBench } from './bench.ts';

const QUESTION = 'Norvik tidal power station installed capacity';
/** Words cannot compare it with an English page; its figure can be. */
const CHINESE = '诺维克潮汐电站的装机容量为320兆瓦。';
const FALSE =
  'The Norvik tidal power station has an installed capacity of 999 MW from 40 turbines.';

/** A model that adds statements to its report, and compares statements with `compare`. */
function rule(added: readonly string[], compare: (user: string) => string): ModelRule {
  const base = researchRule();
  return (request) => {
    const asked = Object.keys((request.format?.properties as object | undefined) ?? {});
    const user = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    if (asked.includes('verdicts')) return compare(user);
    const answer = base(request);
    if (!asked.includes('sections')) return answer;
    const report = JSON.parse(answer) as { summary: { excerpts: number[] }[]; sections: unknown[] };
    const excerpts = report.summary[0]?.excerpts ?? [];
    const statements = added.map((text) => ({ text, excerpts }));
    return JSON.stringify({
      ...report,
      sections: [...report.sections, { heading: 'Added', statements }],
    });
  };
}

async function researched(added: readonly string[], compare: (user: string) => string) {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const model = new RuleChatModel(rule(added, compare));
  const bench = researchBench(web, { model, depth: 'fast' });
  const { answer, unverified } = await bench.start(QUESTION);
  const citations = ofType(bench.events, 'report')[0]?.citations ?? [];
  const asked = model.requests.filter(({ format }) =>
    JSON.stringify(format ?? {}).includes('verdicts'),
  );
  const ofAdded = citations.filter(({ claim }) => added.includes(claim));
  return { answer, unverified, asked: asked.length, ofAdded };
}

const saying = (words: string) => () =>
  JSON.stringify({ verdicts: [{ number: 1, verdict: 'says', words }] });

it('asks a model about what rules leave open, and takes a yes that quotes the passage', async () => {
  const { ofAdded, unverified, asked } = await researched(
    [CHINESE],
    saying('has an installed capacity of 320 MW'),
  );
  expect(asked).toBe(1);
  expect(ofAdded.length).toBeGreaterThan(0);
  expect(ofAdded.filter(({ supported, unchecked }) => !supported || unchecked === true)).toEqual(
    [],
  );
  expect(unverified).toEqual([]);
});

it.each([
  ['prose', () => 'All of this looks fine to me!'],
  ['a yes without words of the passage', saying('the capacity is certainly right')],
  [
    'an answer about another statement',
    () => '{"verdicts":[{"number":7,"verdict":"says","words":""}]}',
  ],
  ['an empty list', () => '{"verdicts":[]}'],
])('says that it could not be checked after %s', async (_what, compare) => {
  const { ofAdded, unverified, answer, asked } = await researched([CHINESE], compare);
  expect(asked).toBeGreaterThan(0);
  expect(ofAdded.length).toBeGreaterThan(0);
  expect(ofAdded.every(({ supported, unchecked }) => !supported && unchecked === true)).toBe(true);
  expect(answer).toMatch(
    /为320兆瓦。 \[\d+\] \(⚠ this could not be checked against the quoted passage\)/,
  );
  expect(unverified).toEqual([`Could not be checked against its source: ${CHINESE}`]);
});

it('takes a no, and asks nobody about what rules have decided', async () => {
  const no = () => '{"verdicts":[{"number":1,"verdict":"silent","words":""}]}';
  const denied = await researched([CHINESE], no);
  expect(denied.unverified).toEqual([`The cited passage does not support: ${CHINESE}`]);
  const yes = saying('has an installed capacity of 320 MW');
  const false_ = await researched([FALSE], yes);
  expect([false_.asked, false_.unverified]).toEqual([
    0,
    [`The cited passage does not support: ${FALSE}`],
  ]);
});

it('says in the report which search failed, and ends unverified', async () => {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const model = new RuleChatModel(researchRule());
  // Nobody listens there.
  const bench = researchBench(
    { ...web, searchUrl: 'http://127.0.0.1:9' },
    { model, depth: 'fast' },
  );
  const { answer, unverified } = await bench.start(QUESTION);
  expect(answer).toContain(`This search failed: ${QUESTION}`);
  expect(unverified).toEqual(['No page was read.', `This search failed: ${QUESTION}`]);
});
