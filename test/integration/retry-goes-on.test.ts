import { describe, expect, it, onTestFinished } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { startFixtureWeb } from '../fakes/fixture-web/server.ts';
import { DONE, file, plan, roleOf, stepOf, TASK, writeFileOfStep } from '../fakes/planned-task.ts';
import { researchRule } from '../fakes/research-model.ts';

/** Runs that are tried again go on with what was done, over the real app, HTTP, search and pages. */

const QUESTION =
  'What is the installed capacity of the Norvik tidal power station, and what did it cost to build?';
const rule = researchRule();

function researches({ messages, format }: DirectedRequest): DirectedReply {
  const said = messages.map(({ role, content = '' }) => ({ role, content }));
  return { content: rule({ messages: said, format }) };
}

const isAbout = ({ format }: DirectedRequest, property: string): boolean =>
  property in ((format?.properties as object | undefined) ?? {});

async function openWeb() {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const settings = {
    ...{ searchProvider: 'searxng', searxngUrl: web.searchUrl },
    egressPrivateHosts: ['127.0.0.1:*'],
  };
  const asked = (): string[] => web.requests.map(({ host, path }) => host + path);
  return { asked, settings };
}

/** A page whose connection is cut: it is tried once more. */
const CUT = 'mirror/norvik-gone';
const twice = (all: readonly string[]): string[] =>
  all.filter((one, at) => all.indexOf(one) !== at);

describe('a research that was stopped and is tried again', () => {
  it('goes on with its questions, searches, pages and notes, and its log has every source it cites', async () => {
    const web = await openWeb();
    let stop: (() => void) | null = null;
    let notes = 0;
    const bench = await openAppBench((request) => {
      if (isAbout(request, 'excerpts')) {
        notes += 1;
        if (notes === 3) stop?.();
      }
      return researches(request);
    }, web.settings);
    const { api } = bench.app;
    const started = await bench.start(QUESTION, { mode: 'research', network: 'open' });
    stop = () => api['runs.cancel']({ runId: started.id });
    const first = await bench.settled(started.id);
    expect([first.run.status, first.of('report').length]).toEqual(['cancelled', 0]);
    stop = null;
    const before = { asked: web.asked(), requests: bench.requests.length };
    expect(before.asked.length).toBeGreaterThan(3);
    const again = await bench.settled(api['runs.retry']({ runId: started.id }).run.id);
    expect([again.run.status, again.run.error]).toEqual(['completed', null]);
    // Nothing is searched for or read a second time, and no question is planned again.
    const later = web.asked().slice(before.asked.length);
    expect(later.filter((one) => before.asked.includes(one))).toEqual([]);
    expect(twice(web.asked())).toEqual([CUT]);
    const after = bench.requests.slice(before.requests);
    expect(after.filter((request) => isAbout(request, 'queries'))).toEqual([]);
    // Sources with their excerpts are in the log of the run that cites them.
    const excerpts = new Set(
      again
        .of('source')
        .flatMap(({ index, excerpts: held = [] }) =>
          held.map(({ number }) => `${index}.${number}`),
        ),
    );
    const [report] = again.of('report');
    expect(report?.citations.length).toBeGreaterThan(2);
    for (const { sourceIndex, excerptNumber } of report?.citations ?? []) {
      expect(excerpts).toContain(`${sourceIndex}.${excerptNumber}`);
    }
    expect(again.of('search_plan')[0]?.subQuestions).toEqual(
      first.of('search_plan')[0]?.subQuestions,
    );
    expect(report?.markdown).toMatch(/320 MW/);
  });

  it('begins afresh where the same question is asked again', async () => {
    const web = await openWeb();
    const bench = await openAppBench(researches, web.settings);
    const options = { mode: 'research', network: 'open', researchDepth: 'fast' } as const;
    const first = await bench.play(QUESTION, options);
    const count = web.asked().length;
    const second = await bench.play(QUESTION, options);
    expect([first.run.status, second.run.status]).toEqual(['completed', 'completed']);
    expect(bench.requests.filter((request) => isAbout(request, 'queries')).length).toBe(2);
    expect(web.asked().length).toBeGreaterThan(count);
  });

  it('goes on with a research that was handed over, where the same task is handed over again', async () => {
    const web = await openWeb();
    let stop: (() => void) | null = null;
    let notes = 0;
    const bench = await openAppBench((request) => {
      if (request.format === null) {
        const report = request.results.find((text) => text.includes('320 MW'));
        if (report !== undefined) return { content: 'It is 320 MW.' };
        return { calls: [{ name: 'delegate_to_research', arguments: { task: QUESTION } }] };
      }
      if (isAbout(request, 'excerpts')) {
        notes += 1;
        if (notes === 3) stop?.();
      }
      return researches(request);
    }, web.settings);
    const { api } = bench.app;
    const started = await bench.start('Find out about it and tell me.', { network: 'open' });
    stop = () => api['runs.cancel']({ runId: started.id });
    const first = await bench.settled(started.id);
    expect(first.run.status).toBe('cancelled');
    stop = null;
    const again = await bench.settled(api['runs.retry']({ runId: started.id }).run.id);
    expect([again.run.status, again.answer]).toEqual(['completed', 'It is 320 MW.']);
    expect(twice(web.asked())).toEqual([CUT]);
    const sources = new Set(again.of('source').map(({ index }) => index));
    for (const { sourceIndex } of again.of('report')[0]?.citations ?? []) {
      expect(sources).toContain(sourceIndex);
    }
  });
});

describe('a planned run that is tried again', () => {
  it('keeps its finished steps over attempts that never got to a model, and its log tells of them', async () => {
    let isBroken = true;
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return plan([
            { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
            { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
          ]);
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'Both are there.' };
        case 'step':
          if (isBroken && stepOf(request) === 'Make costs.txt') throw new Error('stopped');
          return writeFileOfStep(request);
      }
    });
    const { api } = bench.app;
    const first = await bench.play(TASK);
    expect(first.run.status).toBe('failed');
    isBroken = false;
    const { ollamaUrl } = api['settings.get']().settings;
    api['settings.update']({ changes: { ollamaUrl: 'http://127.0.0.1:9' } });
    const second = await bench.settled(api['runs.retry']({ runId: first.run.id }).run.id);
    expect([second.run.status, second.of('plan_overview')]).toEqual(['failed', []]);
    api['settings.update']({ changes: { ollamaUrl } });
    const third = await bench.settled(api['runs.retry']({ runId: second.run.id }).run.id);
    expect([third.run.status, third.answer]).toEqual(['completed', 'Both are there.']);
    expect(bench.requests.filter((request) => roleOf(request) === 'planner').length).toBe(1);
    expect(third.of('tool_call').map(({ arguments: given }) => given.path)).toEqual(['costs.txt']);
    expect(third.of('plan_step_completed').map(({ stepId, status }) => [stepId, status])).toEqual([
      ['s1', 'completed'],
      ['s2', 'completed'],
    ]);
    const [carried] = third.of('verification');
    expect([carried?.stepId, carried?.verdict]).toEqual(['s1', 'verified']);
  });
});
