import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundedSchema } from '#main/connectors/bounded-schema.ts';
import { fullNameOf, toolSchemaOf } from '#main/connectors/tool-definition.ts';
import type { UsableTool } from '#main/connectors/types.ts';

interface SearchSet {
  readonly servers: readonly {
    readonly name: string;
    readonly tools: readonly { name: string; description: string; inputSchema: object }[];
  }[];
  readonly queries: readonly { readonly query: string; readonly expects: readonly string[] }[];
}

const SET = join(import.meta.dirname, 'tool-search.json');
const { servers, queries } = JSON.parse(readFileSync(SET, 'utf8')) as SearchSet;

/** Queries with the tools that they look for, written by somebody who did not know the search. */
export const SEARCH_QUERIES: SearchSet['queries'] = queries;

/** The 200 tools of 10 servers that they were written for. */
export const SEARCHED_TOOLS: readonly UsableTool[] = servers.flatMap(({ name: connector, tools }) =>
  tools.map((tool) => ({
    ...{ connectorId: connector, connector, name: tool.name, title: '' },
    fullName: fullNameOf(connector, tool.name),
    schema: toolSchemaOf(connector, tool),
    argumentsSchema: boundedSchema(tool.inputSchema) ?? {},
    isRepeatable: false,
    reach: { hosts: [], writes: [], isRemote: false },
  })),
);
