import type { ConnectorTool } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { sha256 } from '../base/canonical-json.ts';
import type { ConnectorStore, StoredConnector, StoredTool } from '../storage/connector-store.ts';
import { boundedSchema } from './bounded-schema.ts';
import { hostsOf } from './config.ts';
import {
  definitionsIn,
  definitionText,
  fullNameOf,
  parseDefinition,
  shownTool,
  stateOf,
  type ToolDefinitionText,
  tokensOf,
  toolSchemaOf,
  whyUnusable,
} from './tool-definition.ts';
import type { ConnectorReach, UsableTool } from './types.ts';

type ToolStore = Pick<ConnectorStore, 'tools' | 'putTools'>;

/** The tools of connectors, with what the user approved of each: only what is still as it was approved may be called. */
export class ReviewedTools {
  readonly #store: ToolStore;
  readonly #onChange: () => void;

  constructor(store: ToolStore, onChange: () => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** What a server lists now. */
  take(connector: StoredConnector, listed: readonly unknown[]): void {
    const known = new Map(this.#store.tools(connector.id).map((tool) => [tool.name, tool]));
    const now = new Map<string, StoredTool>();
    for (const definition of definitionsIn(listed)) {
      const { name } = definition;
      const before = known.get(name);
      now.set(name, {
        ...{ name, now: definitionText(definition), isGone: false },
        approved: before?.approved ?? null,
        isEnabled: before?.isEnabled ?? true,
        isRepeatable: before?.isRepeatable ?? false,
      });
    }
    // One that was approved is kept: if it comes back as it was, it counts as approved.
    const gone = [...known.values()].filter(
      ({ name, approved }) => !now.has(name) && approved !== null,
    );
    this.#put(connector, [...now.values(), ...gone.map((tool) => ({ ...tool, isGone: true }))]);
  }

  shown({ id, name }: StoredConnector): ConnectorTool[] {
    return this.#store.tools(id).map((tool) => shownTool(name, tool));
  }

  /** Throws `CONFLICT` unless all of them are what the user saw, and can be used. */
  approve(
    connector: StoredConnector,
    tools: readonly { readonly name: string; readonly sha256: string }[],
  ): ConnectorTool[] {
    const known = this.#store.tools(connector.id);
    for (const { name, sha256: seen } of tools) {
      const tool = known.find((one) => one.name === name);
      const short = name.slice(0, 100);
      if (tool === undefined || tool.isGone || sha256(tool.now) !== seen) {
        throw conflict(`The tool ${short} is no longer what you looked at. Look at it again.`);
      }
      const problem = whyUnusable(connector.name, tool.now);
      if (problem !== null) throw conflict(`The tool ${short} cannot be used. ${problem}`);
    }
    const approved = new Set(tools.map(({ name }) => name));
    this.#put(
      connector,
      known.map((tool) => (approved.has(tool.name) ? { ...tool, approved: tool.now } : tool)),
    );
    return this.shown(connector);
  }

  /** Throws `NOT_FOUND`. */
  change(
    connector: StoredConnector,
    name: string,
    changes: Partial<Pick<StoredTool, 'isEnabled' | 'isRepeatable'>>,
  ): ConnectorTool[] {
    const known = this.#store.tools(connector.id);
    if (!known.some((tool) => tool.name === name)) throw noTool(connector.name, name);
    this.#put(
      connector,
      known.map((tool) => (tool.name === name ? { ...tool, ...changes } : tool)),
    );
    return this.shown(connector);
  }

  /** Its definition as it was approved. Throws `NOT_FOUND`, and `CONFLICT` that says why it may not be called. */
  callable(connector: StoredConnector, name: string): ToolDefinitionText {
    const tool = this.#store.tools(connector.id).find((one) => one.name === name);
    if (tool === undefined) throw noTool(connector.name, name);
    const shown = shownTool(connector.name, tool);
    if (shown.state !== 'approved') throw notApproved(connector.name, shown);
    if (!tool.isEnabled) {
      throw conflict(`The tool ${name.slice(0, 100)} of "${connector.name}" is switched off.`);
    }
    return parseDefinition(tool.now);
  }

  usable({ id, name: connector, config }: StoredConnector): UsableTool[] {
    const reach = reachOf(config);
    return this.#store.tools(id).flatMap((tool): UsableTool[] => {
      const problem = whyUnusable(connector, tool.now);
      if (stateOf(tool, problem) !== 'approved' || !tool.isEnabled) return [];
      const definition = parseDefinition(tool.now);
      const { name, title = '', inputSchema } = definition;
      return [
        {
          ...{ connectorId: id, connector, name, title, reach, isRepeatable: tool.isRepeatable },
          fullName: fullNameOf(connector, name),
          argumentsSchema: boundedSchema(inputSchema) ?? {},
          schema: toolSchemaOf(connector, definition),
        },
      ];
    });
  }

  /** How many are in which state, and what the usable ones cost in each request. */
  count(connector: StoredConnector) {
    const states = this.#store
      .tools(connector.id)
      .map((tool) => stateOf(tool, whyUnusable(connector.name, tool.now)));
    const of = (wanted: ConnectorTool['state']): number =>
      states.filter((state) => state === wanted).length;
    const usable = connector.isEnabled ? this.usable(connector) : [];
    return {
      usable: usable.length,
      waiting: of('new') + of('changed'),
      unusable: of('unusable'),
      tokens: usable.reduce((sum, { schema }) => sum + tokensOf(schema), 0),
    };
  }

  #put({ id }: StoredConnector, tools: readonly StoredTool[]): void {
    if (JSON.stringify(this.#store.tools(id)) === JSON.stringify(tools)) return;
    this.#store.putTools(id, tools);
    this.#onChange();
  }
}

function reachOf(config: StoredConnector['config']): ConnectorReach {
  const folders = config.kind === 'program' ? config.folders : [];
  return {
    hosts: hostsOf(config),
    writes: folders.flatMap(({ path, access }) => (access === 'write' ? [path] : [])),
    isRemote: config.kind === 'remote',
  };
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}

function noTool(connector: string, name: string): AppError {
  return new AppError(
    'NOT_FOUND',
    `The connector "${connector}" has no tool ${name.slice(0, 100)}.`,
  );
}

function notApproved(connector: string, { name, state, problem }: ConnectorTool): AppError {
  const why: Readonly<Record<ConnectorTool['state'], string>> = {
    new: 'has not been reviewed.',
    changed:
      'is not what it was when you approved it, and is switched off until you look at the change.',
    gone: 'is no longer offered by its server.',
    unusable: `cannot be used. ${problem ?? ''}`,
    approved: '',
  };
  return new AppError(
    'CONFLICT',
    `The tool ${name.slice(0, 100)} of "${connector}" ${why[state]} Review it under Connectors, or with: hyperagent mcp tools ${connector}`,
    { details: { connector, tool: name } },
  );
}
