import type { RunEventOf } from '#contract/events/run-event.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { TOOL_NAMES, type ToolFamily, toolFacts } from '#contract/tools.ts';
import type { AgentName, ExecutionMode, RiskLevel, ToolCategory } from '#contract/vocabulary.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { modulesOf } from '../base/modules-of.ts';
import type { ConnectorCalls } from '../connectors/types.ts';
import type { JudgedCall } from '../hitl/approval-rules.ts';
import type { ToolSchema } from '../models/types.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import { connectorTools } from './connector-tool.ts';
import type { ToolParts } from './define-tool.ts';
import type { KnownTool } from './prepare-call.ts';
import { toToolSchema } from './tool-schema.ts';
import type { ToolDefinition } from './types.ts';

/** Categories of tools that each agent may use. */
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
    'connector',
    'skill',
    'handoff',
    'hitl',
  ],
  research: ['search', 'image', 'browser', 'skill', 'handoff', 'hitl'],
};

const PAGE_TIMEOUT_MS = 25_000;
const NO_FAMILY: ReadonlySet<ToolFamily> = new Set();

export interface ToolCatalogueParts
  extends Omit<ToolParts, 'toolNames' | 'pageTimeoutMs' | 'readModule' | 'connectors'> {
  /** None if absent. */
  readonly connectors?: ConnectorCalls;
  readonly readModule?: ToolParts['readModule'];
  readonly pageTimeoutMs?: () => number;
}

function noModule(name: string): Promise<string> {
  throw new Error(`There is no ${name}.py here`);
}

const NO_CONNECTORS: ConnectorCalls = {
  revision: 0,
  usable: () => [],
  find: () => [],
  call: () => Promise.reject(new Error('There are no connectors here')),
};

type CreateTool = (parts: ToolParts) => ToolDefinition;

/** The `tool` of each module in `definitions/`, by its path. */
const CREATE_TOOL: Readonly<Record<string, CreateTool>> = import.meta.env
  ? import.meta.glob<CreateTool>('./definitions/*.ts', { eager: true, import: 'tool' })
  : modulesOf(import.meta.dirname, { pattern: './definitions/*.ts', name: 'tool' });

/** The tools of the contract, in its order, each from the file with its name. */
function createTools(parts: ToolParts): ToolDefinition[] {
  return TOOL_NAMES.map((name) => {
    const file = `./definitions/${name.replaceAll('_', '-')}.ts`;
    const created = CREATE_TOOL[file]?.(parts);
    if (created?.name === name) return created;
    throw new Error(`${file} of src-main/tools does not define ${name}`);
  });
}

interface AgentTools {
  readonly revision: string;
  readonly tools: ReadonlyMap<string, KnownTool>;
}

/** Every tool, in the order in which models see them. */
export class ToolCatalogue {
  readonly all: readonly ToolDefinition[];
  #everyone: ReadonlyMap<string, KnownTool> | null = null;
  readonly #schemas = new Map<ToolDefinition, ToolSchema>();
  readonly #byAgent = new Map<string, AgentTools>();
  readonly #skills: SkillRegistry;
  readonly #parts: Pick<ToolParts, 'connectors' | 'pictures'>;
  #connectors: { readonly revision: number; readonly tools: readonly KnownTool[] } | null = null;

  constructor(parts: ToolCatalogueParts) {
    this.#skills = parts.skills.registry;
    const { connectors = NO_CONNECTORS, pictures } = parts;
    this.#parts = { connectors, pictures };
    this.all = createTools({
      pageTimeoutMs: () => PAGE_TIMEOUT_MS,
      readModule: noModule,
      ...parts,
      connectors,
      toolNames: () => new Set(this.byName.keys()),
    });
  }

  /** Tools of connectors, built once for each state of them. */
  get #ofConnectors(): readonly KnownTool[] {
    const { revision } = this.#parts.connectors;
    if (this.#connectors?.revision !== revision) {
      this.#connectors = { revision, tools: connectorTools(this.#parts) };
      this.#everyone = null;
    }
    return this.#connectors.tools;
  }

  /** Every tool by name, for any agent. */
  get byName(): ReadonlyMap<string, KnownTool> {
    const others = this.#ofConnectors.map((tool) => [tool.definition.name, tool] as const);
    this.#everyone ??= new Map([
      ...this.all.map(
        (definition) =>
          [definition.name, { definition, schema: this.#schema(definition) }] as const,
      ),
      ...others,
    ]);
    return this.#everyone;
  }

  /** The highest risk of a tool: `high` where it depends on the arguments. */
  riskOf(name: string): RiskLevel {
    const risk = this.all.find((tool) => tool.name === name)?.risk ?? 'high';
    return typeof risk === 'function' ? 'high' : risk;
  }

  /** A logged call in the form that rules match; for a removed tool, its arguments alone. */
  readonly judgedCall = ({
    name,
    arguments: given,
  }: Pick<RunEventOf<'tool_call'>, 'name' | 'arguments'>): JudgedCall => {
    const tool = this.byName.get(name)?.definition;
    const parsed = tool === undefined ? null : safeParse(tool.input, given);
    const subjects = parsed?.success === true ? (tool?.subjects?.(parsed.data) ?? {}) : {};
    return { toolName: name, argumentsText: canonicalJson(given), subjects };
  };

  /** The fixed part of a tool's schema, built once. */
  #schema(definition: ToolDefinition): ToolSchema {
    const schema = this.#schemas.get(definition) ?? toToolSchema(definition);
    this.#schemas.set(definition, schema);
    return schema;
  }

  /** A tool's schema with its current list appended: the same bytes as long as the list is the same. */
  #listedSchema(definition: ToolDefinition): ToolSchema {
    const schema = this.#schema(definition);
    const listed = definition.listed?.() ?? '';
    return listed === '' ? schema : { ...schema, description: `${schema.description} ${listed}` };
  }

  /**
   * The tools of an agent by name, with their schemas, which are rebuilt when the skills change; those of a family
   * only if it is loaded.
   */
  forAgent(
    agent: AgentName,
    mode: ExecutionMode = 'standard',
    loaded: ReadonlySet<ToolFamily> = NO_FAMILY,
  ): ReadonlyMap<string, KnownTool> {
    const key = [agent, mode, ...loaded].join(' ');
    const made = this.#byAgent.get(key);
    const revision = `${this.#skills.revision} ${this.#parts.connectors.revision}`;
    if (made?.revision === revision) return made.tools;
    const categories = AGENT_TOOL_MAPPING[agent];
    const ofConnectors = categories.includes('connector') ? this.#ofConnectors : [];
    // Nothing to find where there is none.
    const hidden = ofConnectors.length === 0 ? 'connector' : null;
    const tools = this.all
      .filter((tool) => categories.includes(tool.category))
      .filter((tool) => tool.category !== hidden && toolFacts(tool.name)?.onlyApp !== true)
      .filter((tool) => {
        const family = toolFacts(tool.name)?.family;
        return family === undefined || loaded.has(family);
      })
      .filter((tool) => mode === 'codeact' || toolFacts(tool.name)?.onlyCodeact !== true)
      .map((definition) => ({ definition, schema: this.#listedSchema(definition) }));
    const byName = new Map([...tools, ...ofConnectors].map((tool) => [tool.definition.name, tool]));
    // The revision from before the list was read, so that a change during the read is seen next time.
    this.#byAgent.set(key, { revision, tools: byName });
    return byName;
  }
}
