import type { RunEventOf } from '#contract/events/run-event.ts';
import type { AgentName, ExecutionMode, RiskLevel, ToolCategory } from '#contract/vocabulary.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Clock } from '../base/clock.ts';
import type { JudgedCall } from '../hitl/approval-rules.ts';
import type { ToolSchema } from '../models/types.ts';
import type { LibraryReader, SearchService } from '../search/types.ts';
import type { MarkdownCatalogue } from '../skills/markdown/markdown-catalogue.ts';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { SkillExecutor } from '../skills/skill-executor.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import { askUserTool } from './ask-user.ts';
import { completeSkillStepTool } from './complete-skill-step.ts';
import { delegateToResearchTool } from './delegate-to-research.ts';
import { executeCodeTool } from './execute-code.ts';
import { executeScriptTool } from './execute-script.ts';
import { fetchPageTool, type PageSources } from './fetch-page.ts';
import { invokeSkillTool } from './invoke-skill.ts';
import { listSkillsTool } from './list-skills.ts';
import { loadSkillTool } from './load-skill.ts';
import type { KnownTool } from './prepare-call.ts';
import { readFileTool } from './read-file.ts';
import { requestHumanApprovalTool } from './request-human-approval.ts';
import { sandboxFileTool } from './sandbox-file.ts';
import { shellCommandTool } from './shell-command.ts';
import { toToolSchema } from './tool-schema.ts';
import type { ToolDefinition } from './types.ts';
import { webSearchTool } from './web-search.ts';

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
    'skill',
    'handoff',
    'hitl',
  ],
  research: ['search', 'image', 'browser', 'skill', 'handoff', 'hitl'],
};

const PAGE_TIMEOUT_MS = 25_000;

/** Tools of runs that were started with `codeact`. */
const CODEACT_ONLY: ReadonlySet<string> = new Set(['execute_script']);

export interface ToolCatalogueParts {
  readonly commandTimeoutMs: () => number;
  readonly search: SearchService;
  readonly library: LibraryReader | null;
  readonly skills: {
    readonly registry: SkillRegistry;
    readonly executor: SkillExecutor;
    readonly markdown: Pick<MarkdownCatalogue, 'open'>;
    readonly sessions: SkillSessions;
    readonly clock: Clock;
  };
  /** Time limit of a page that a skill reads. */
  readonly pageTimeoutMs?: () => number;
  readonly documents: PageSources['documents'];
}

interface AgentTools {
  readonly revision: number;
  readonly tools: ReadonlyMap<string, KnownTool>;
}

/** Every tool, in the order in which models see them. */
export class ToolCatalogue {
  readonly all: readonly ToolDefinition[];
  #everyone: ReadonlyMap<string, KnownTool> | null = null;
  readonly #schemas = new Map<ToolDefinition, ToolSchema>();
  readonly #byAgent = new Map<string, AgentTools>();
  readonly #skills: SkillRegistry;

  constructor(parts: ToolCatalogueParts) {
    const { commandTimeoutMs, search, library, documents, skills, pageTimeoutMs } = parts;
    this.#skills = skills.registry;
    this.all = [
      executeCodeTool(commandTimeoutMs),
      shellCommandTool(commandTimeoutMs),
      executeScriptTool(commandTimeoutMs),
      sandboxFileTool(),
      webSearchTool(search),
      fetchPageTool({ library, documents }),
      invokeSkillTool({
        ...{ ...skills, toolNames: () => new Set(this.byName.keys()) },
        pageTimeoutMs: pageTimeoutMs ?? (() => PAGE_TIMEOUT_MS),
      }),
      listSkillsTool(skills.registry),
      loadSkillTool(skills),
      readFileTool(skills),
      completeSkillStepTool(skills),
      askUserTool(skills.sessions),
      requestHumanApprovalTool(skills.sessions),
      delegateToResearchTool(),
    ];
  }

  /** Every tool by name, for any agent. */
  get byName(): ReadonlyMap<string, KnownTool> {
    this.#everyone ??= new Map(
      this.all.map((definition) => [
        definition.name,
        { definition, schema: this.#schema(definition) },
      ]),
    );
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
    const tool = this.all.find((one) => one.name === name);
    const parsed = tool?.input.safeParse(given);
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

  /** The tools of an agent by name, with their schemas, which are rebuilt when the skills change. */
  forAgent(agent: AgentName, mode: ExecutionMode = 'standard'): ReadonlyMap<string, KnownTool> {
    const key = `${agent} ${mode}`;
    const made = this.#byAgent.get(key);
    const { revision } = this.#skills;
    if (made?.revision === revision) return made.tools;
    const categories = AGENT_TOOL_MAPPING[agent];
    const tools = this.all
      .filter((tool) => categories.includes(tool.category))
      .filter((tool) => mode === 'codeact' || !CODEACT_ONLY.has(tool.name))
      .map((definition) => ({ definition, schema: this.#listedSchema(definition) }));
    const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
    // The revision from before the list was read, so that a change during the read is seen next time.
    this.#byAgent.set(key, { revision, tools: byName });
    return byName;
  }
}
