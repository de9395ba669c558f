import { expect, it } from 'vitest';
import { skill as webResearch } from '#main/skills/builtin/web-research/skill.ts';
import type { SkillHost } from '#main/skills/types.ts';
import type { DirectedRequest } from '../../../fakes/directed-model.ts';
import { RuleChatModel } from '../../../fakes/research-model.ts';
import { openSkillBench } from '../../../fakes/skill-bench.ts';
import { answerOf, Killed, openSkillLives } from '../../../fakes/skill-lives.ts';
import { type SmallPage, startSmallWeb } from '../../../fakes/small-web.ts';
import { phaseOf, webResearchRule } from '../../../fakes/web-research-model.ts';

const PAGES: readonly SmallPage[] = ['north', 'south', 'east', 'west'].map((side, at) => ({
  title: `Vessin dam, ${side} side`,
  text: `The Vessin dam has a ${side} wing that is ${140 + at} metres long and was built in ${1961 + at}. It is looked after by the ${side} office of ${side} works.`,
}));
const PARAMS = { topic: 'Vessin dam wing length', max_sources: 3 };
const rule = webResearchRule({ queries: ['dam one', 'dam two'], followUps: ['dam three'] });

/** A host whose models, searches and pages write down what they were asked for. */
function openHost(pages = PAGES, contextWindow = 8_192) {
  const asked: string[] = [];
  const model = new RuleChatModel(({ messages, format }) => {
    const turn = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const request = { turn, format } as DirectedRequest;
    asked.push(`${phaseOf(request)} ${turn}`);
    return rule(request).content ?? '';
  }, contextWindow);
  const call: SkillHost['call'] = async ({ name, arguments: given }) => {
    asked.push(`${name} ${String(given.query ?? given.url)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (name === 'fetch_page') return answerOf(pages[Number(String(given.url).slice(-1))]?.text);
    const found = pages.map(({ title, text }, at) => ({
      ...{ url: `http://dam.test/${at}`, title, snippet: text, publishedAt: null },
      provider: 'searxng',
    }));
    return answerOf(found);
  };
  return { asked, model, host: { call, model: async () => model } };
}

it('goes on after a kill at every write to the same result, and asks for nothing that was stored', async () => {
  const whole = openHost();
  const first = openSkillLives([webResearch]).life({ host: whole.host });
  const result = await first.execute('web_research', PARAMS);
  expect(result).toMatchObject({ ok: true });
  expect(new Set(whole.asked).size).toBe(whole.asked.length);
  const writes = first.writes();
  expect(writes).toBeGreaterThan(40);
  for (let killAt = 1; killAt <= writes; killAt += 1) {
    const { asked, host } = openHost();
    const lives = openSkillLives([webResearch]);
    const dying = lives.life({ host, killAt });
    await expect(dying.execute('web_research', PARAMS)).rejects.toBeInstanceOf(Killed);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = [...asked];
    const unsettled = lives.unsettled(['once']);
    const next = await lives.life({ host }).execute('web_research', PARAMS);
    expect(next).toEqual(result);
    const repeated = asked.slice(before.length).filter((one) => before.includes(one));
    expect(repeated.length).toBeLessThanOrEqual(unsettled);
    expect(new Set(asked)).toEqual(new Set(whole.asked));
  }
});

it('keeps within a window of 4k, whatever the pages hold', async () => {
  const long = PAGES.map((page, at) => ({
    ...page,
    text: Array.from(
      { length: 400 },
      (_none, line) => `${page.text} Wing ${line} has a length of ${line * 7 + at} metres.`,
    ).join('\n\n'),
  }));
  const { model, host } = openHost(long, 4_096);
  const result = await openSkillLives([webResearch]).life({ host }).execute('web_research', PARAMS);
  expect(result).toMatchObject({ ok: true, output: { sources: { length: 3 } } });
  expect(model.largest).toBeGreaterThan(2_000);
  expect(model.largest).toBeLessThanOrEqual(4_096);
});

it('rests in the real app where the run is paused, and then asks for nothing twice', async () => {
  const web = await startSmallWeb(PAGES);
  let pause = (): void => undefined;
  const bench = await openSkillBench((request) => {
    if (phaseOf(request) === 'statements') pause();
    return rule(request);
  }, web.searchSettings);
  const { api, runs } = bench.app;
  const { run, ended } = await bench.begin('web_research', PARAMS, { run: { network: 'open' } });
  pause = () => api['runs.pause']({ runId: run.id });
  expect((await runs.settled(run.id)).status).toBe('paused');
  pause = () => undefined;
  const before = bench.requests.length;
  expect(bench.requests.filter((request) => phaseOf(request) === 'statements')).toHaveLength(1);
  await api['runs.resume']({ runId: run.id });
  const played = await ended();
  expect(played.output).toMatchObject({
    sources: [{ index: 1 }, { index: 2 }, { index: 3 }],
  });
  expect(bench.requests.length).toBeGreaterThan(before);
  const turns = bench.requests.map(({ turn }) => turn);
  expect(new Set(turns).size).toBe(turns.length);
  expect(new Set(web.requests).size).toBe(web.requests.length);
  const stages = played
    .of('stage')
    .filter(({ skill }) => skill !== undefined)
    .map(({ name, status, description }) => `${name} ${status} ${description}`);
  expect(new Set(stages).size).toBe(stages.length);
  expect(played.of('skill_output')).toHaveLength(1);
});
