import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ResearchAgent } from '#main/agents/research/research-agent.ts';
import { readResearchPrompts } from '#main/agents/research/research-prompts.ts';
import { tool as fetchPageTool } from '#main/tools/definitions/fetch-page.ts';
import { openConversation } from '../../../fakes/conversation.ts';
import { fixtureSearchTool } from '../../../fakes/fixture-web/search-tool.ts';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { inlineDocuments } from '../../../fakes/inline-documents.ts';
import { startModelServer } from '../../../fakes/model-server/server.ts';
import { noBrowsers } from '../../../fakes/no-browsers.ts';
import { researchRule } from '../../../fakes/research-model.ts';

it('is the agent of a real run: offline, from search snippets, with the report as its answer', async () => {
  const web = await startFixtureWeb();
  onTestFinished(() => web[Symbol.asyncDispose]());
  const server = await startModelServer({ models: [{ name: 'fake:latest' }] }, researchRule());
  onTestFinished(() => server.close());
  const conversation = await openConversation(server, {
    ...{ contextWindow: 8_192, withFiles: true },
    tools: [
      fixtureSearchTool(web.searchUrl),
      fetchPageTool({ library: null, documents: inlineDocuments, browsers: noBrowsers }),
    ],
    agent: (parts) =>
      new ResearchAgent({
        ...parts,
        prompts: readResearchPrompts(path.resolve('resources/prompts')),
        depth: () => 'fast',
        pageTimeoutMs: () => 3_000,
      }),
  });
  const { run, events } = await conversation.say('Norvik tidal power station installed capacity', {
    ...{ provider: 'ollama', name: 'fake:latest' },
  });
  expect([run.status, run.error]).toEqual(['completed', null]);
  const report = events.find((event) => event.type === 'report');
  const complete = events.find((event) => event.type === 'complete');
  expect(report?.type === 'report' && report.markdown).toMatch(/capacity of 3[24]0 MW .* \[\d\]/);
  expect(complete?.type === 'complete' && complete.answer).toBe(
    report?.type === 'report' ? report.markdown : null,
  );
  const streamed = events.flatMap((event) => (event.type === 'token' ? [event.text] : [])).join('');
  expect(streamed).toBe(complete?.type === 'complete' ? complete.answer : null);
  expect(web.requests.filter(({ host }) => host !== 'search')).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
});
