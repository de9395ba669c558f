import type { AgentName, ToolCategory } from '#contract/vocabulary.ts';
import { askUserTool } from './ask-user.ts';
import { executeCodeTool } from './execute-code.ts';
import type { KnownTool } from './prepare-call.ts';
import { sandboxFileTool } from './sandbox-file.ts';
import { shellCommandTool } from './shell-command.ts';
import { toToolSchema } from './tool-schema.ts';
import type { ToolDefinition } from './types.ts';

/** Categories of tools that each agent has. */
export const AGENT_TOOL_MAPPING: Readonly<Record<AgentName, readonly ToolCategory[]>> = {
  orchestrator: [],
  planner: [],
  executor: [
    'search',
    'image',
    'slides',
    'browser',
    'code_exec',
    'data',
    'app_builder',
    'skill',
    'handoff',
    'hitl',
  ],
  research: ['search', 'image', 'browser', 'skill', 'handoff', 'hitl'],
};

/** Every tool there is, in the order in which models are shown them. */
export class ToolCatalogue {
  readonly all: readonly ToolDefinition[];
  readonly #byAgent = new Map<AgentName, ReadonlyMap<string, KnownTool>>();

  constructor({ commandTimeoutMs }: { readonly commandTimeoutMs: () => number }) {
    this.all = [
      executeCodeTool(commandTimeoutMs),
      shellCommandTool(commandTimeoutMs),
      sandboxFileTool(),
      askUserTool(),
    ];
  }

  /** The tools of an agent by name, with their schemas, which are made once. */
  forAgent(agent: AgentName): ReadonlyMap<string, KnownTool> {
    const made = this.#byAgent.get(agent);
    if (made !== undefined) return made;
    const categories = AGENT_TOOL_MAPPING[agent];
    const tools = this.all
      .filter((tool) => categories.includes(tool.category))
      .map((definition) => ({ definition, schema: toToolSchema(definition) }));
    const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.#byAgent.set(agent, byName);
    return byName;
  }
}
