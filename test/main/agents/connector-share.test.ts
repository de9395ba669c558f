import { expect, it, onTestFinished } from 'vitest';
import { Executor } from '#main/agents/executor.ts';
import type { AgentContext } from '#main/agents/types.ts';
import { ToolSearch } from '#main/connectors/tool-search.ts';
import type { ConnectorCalls, UsableTool } from '#main/connectors/types.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { SEARCHED_TOOLS } from '../../fakes/connectors/tool-search.ts';
import { openConversation } from '../../fakes/conversation.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';

/** What a model of this window is sent with its requests, while these tools are usable. */
async function sentTo(
  window: number,
  usable: () => readonly UsableTool[],
  changes: Partial<Pick<AgentContext, 'toolNames' | 'connectorShare'>> = {},
) {
  const call = { name: 'call_tool', arguments: { name: 'github__create_issue', arguments: {} } };
  const server = await startModelServer({
    models: [{ name: 'fake:latest', trainedContext: window }],
    turns: [{ steps: [{ call }] }, { steps: [{ text: 'Done.' }] }],
  });
  onTestFinished(() => server.close());
  const connectors: ConnectorCalls = {
    get revision() {
      return usable().length;
    },
    usable,
    find: (query) => new ToolSearch(usable()).find(query),
    call: async () => ({ text: 'made', isError: false, pictures: [] }),
  };
  const catalogue = new ToolCatalogue({
    ...{
      pictures: noPictures,
      scans: noScans,
      browsers: noBrowsers,
      apps: noApps,
      edits: noEdits,
      slides: noSlides,
      images: noImages,
    },
    ...{ skills: noSkills(), commandTimeoutMs: () => 1000, search: noSearch, library: null },
    ...{ documents: inlineDocuments, connectors },
  });
  const { say } = await openConversation(server, {
    ...{ contextWindow: window, tools: [] },
    agent: (parts) => {
      const executor = new Executor({ ...parts, catalogue });
      return { run: (messages, context) => executor.run(messages, { ...context, ...changes }) };
    },
  });
  await say('Make an issue', { provider: 'ollama', name: 'fake:latest' });
  return server.recording.to('/api/chat').map(({ body }) => {
    const { tools } = JSON.parse(body) as { tools: { function: { name: string } }[] };
    const names = tools.map((tool) => tool.function.name);
    return {
      names: names.filter((name) => name.includes('__') || /^(?:search|call)_tools?$/.test(name)),
      bytes: Buffer.byteLength(JSON.stringify(tools)),
      prefix: JSON.stringify(tools),
    };
  });
}

it('sends no schema of 200 tools to a window of 8k, but what finds and calls them', async () => {
  const [without] = await sentTo(8_192, () => []);
  const requests = await sentTo(8_192, () => SEARCHED_TOOLS);
  expect(without?.names).toEqual([]);
  expect(requests.map(({ names }) => names)).toEqual([
    ['search_tools', 'call_tool'],
    ['search_tools', 'call_tool'],
  ]);
  // Bytes of a schema are at least three to a token: far below 5 % of the window.
  expect((requests[0]?.bytes ?? 0) - (without?.bytes ?? 0)).toBeLessThan(8_192 * 0.05 * 3);
  expect(requests[0]?.prefix).toBe(requests[1]?.prefix);
});

it('sends the tools themselves where they fit into their share', async () => {
  const few = SEARCHED_TOOLS.slice(0, 3);
  const [first] = await sentTo(131_072, () => few);
  expect(first?.names).toEqual(few.map(({ fullName }) => fullName));
});

it('takes the share that the user chose', async () => {
  const few = SEARCHED_TOOLS.slice(0, 3);
  const finders = ['search_tools', 'call_tool'];
  const [none] = await sentTo(131_072, () => few, { connectorShare: 0 });
  expect(none?.names).toEqual(finders);
  const [all] = await sentTo(8_192, () => few, { connectorShare: 1 });
  expect(all?.names).toEqual(few.map(({ fullName }) => fullName));
});

it('keeps what it sent while tools come and go during a run', async () => {
  let reads = 0;
  const requests = await sentTo(131_072, () => {
    reads += 1;
    return reads < 4 ? SEARCHED_TOOLS.slice(0, 3) : SEARCHED_TOOLS.slice(0, 2);
  });
  expect(requests).toHaveLength(2);
  expect(requests[1]?.prefix).toBe(requests[0]?.prefix);
  expect(requests[0]?.names).toHaveLength(3);
});

it('sends an agent that is given tools by name exactly these, whatever they take', async () => {
  const names = SEARCHED_TOOLS.slice(0, 10).map(({ fullName }) => fullName);
  const [first] = await sentTo(8_192, () => SEARCHED_TOOLS, { toolNames: names });
  expect(first?.names).toEqual(names);
});
