import { z } from 'zod';
import { defineTool } from '#main/tools/define-tool.ts';
import type { ToolDefinition } from '#main/tools/types.ts';

/** `web_search` over the search engine of a fixture web, named and shaped as the app's own. */
export function fixtureSearchTool(searchUrl: string): ToolDefinition {
  return defineTool({
    name: 'web_search',
    category: 'search',
    description: 'Search for sources.',
    input: z.strictObject({ query: z.string().min(1), limit: z.int().min(1).max(20).optional() }),
    risk: 'low',
    effect: 'read',
    run: async ({ query, limit = 8 }, { signal }) => {
      const address = `${searchUrl}/search?q=${encodeURIComponent(query)}&format=json`;
      const answer = (await (await fetch(address, { signal })).json()) as {
        results: { url: string; title: string; content: string }[];
      };
      const data = answer.results.slice(0, limit).map(({ url, title, content }) => ({
        ...{ url, title, snippet: content, publishedAt: null, provider: 'searxng' },
      }));
      const content = data.map(({ title, url }) => `${title}\n${url}`).join('\n');
      return { content, data, untrusted: 'web search' };
    },
  });
}
