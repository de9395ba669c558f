import { z } from 'zod';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Tools of a search that are given with their arguments; others by their names, to be searched for by these. */
const SHOWN_IN_FULL = 5;

/** Finds tools of the user's connectors, where their schemas would take too much of the window. */
export function tool({ connectors }: Pick<ToolParts, 'connectors'>): ToolDefinition {
  return defineTool({
    name: 'search_tools',
    description:
      'Finds tools of the connectors that the user added (their services, accounts and data). Say what you want to do, in a few words. Call what it finds with call_tool.',
    listed: () => {
      const names = [...new Set(connectors.usable().map(({ connector }) => connector))];
      return names.length === 0 ? '' : `Connectors: ${names.slice(0, 20).join(', ')}.`;
    },
    input: z.strictObject({ query: z.string().min(1).max(500) }),
    risk: 'low',
    effect: 'read',
    run: async ({ query }) => {
      const found = connectors.find(query);
      if (found.length === 0) {
        const names = connectors.usable().map(({ fullName }) => fullName);
        const some = names.slice(0, 40).join(', ');
        const more = names.length > 40 ? ` and ${names.length - 40} more` : '';
        return { content: `Nothing fits these words. There are: ${some}${more}.` };
      }
      const [shown, others] = [found.slice(0, SHOWN_IN_FULL), found.slice(SHOWN_IN_FULL)];
      const full = shown.map(({ schema: { name, description, parameters } }) => ({
        ...{ name, description },
        arguments: parameters,
      }));
      return {
        content: [
          ...full.map((one) => JSON.stringify(one)),
          ...(others.length === 0
            ? []
            : [`Less likely: ${others.map(({ fullName }) => fullName).join(', ')}.`]),
        ].join('\n'),
        data: full,
        untrusted: `descriptions of connector tools`,
      };
    },
  });
}
