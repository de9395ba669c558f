import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import { Executor, type ExecutorParts } from '../agents/executor.ts';
import { readPromptFile } from '../agents/prompt-files.ts';
import { createDelegate } from '../agents/research/delegation.ts';
import type { ResearchAgent, ResearchParts } from '../agents/research/research-agent.ts';
import { readResearchPrompts } from '../agents/research/research-prompts.ts';
import { createSkillAgents } from '../agents/skill-agents.ts';
import type { Clock } from '../base/clock.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import { createAskToStart } from '../orchestrator/ask-to-start.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import {
  type Classification,
  type ClassifiedTask,
  quickRoute,
} from '../orchestrator/quick-route.ts';
import { createRunTests } from '../orchestrator/run-tests.ts';
import { describeOutput } from '../skills/describe-output.ts';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import { skillCall } from '../skills/start-skill.ts';
import type { RunJournal } from '../storage/types.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../tools/tool-pipeline.ts';

export interface AgentParts {
  readonly promptsDir: string;
  readonly catalogue: ToolCatalogue;
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  readonly journal: RunJournal;
  readonly checkpointer: ExecutorParts['checkpointer'];
  readonly documents: Pick<DocumentReader, 'extractText'>;
  /** Holds files during a handoff from one agent to another. */
  readonly transfersDir: string;
  readonly skills: SkillRegistry;
  readonly settings: () => Settings;
  readonly sessions: Pick<SkillSessions, 'unfinished' | 'isStopped'>;
  readonly clock: Clock;
}

/** Creates the agents and their orchestrator. `warm` preloads what the first run needs. */
export function createAgents(parts: AgentParts): {
  readonly orchestrator: Orchestrator;
  readonly warm: () => Promise<unknown>;
} {
  const { catalogue, pipeline, broker, journal, settings, skills } = parts;
  const { documents, transfersDir } = parts;
  const executor: Executor = new Executor({
    ...{ catalogue, pipeline, journal },
    checkpointer: parts.checkpointer,
    skillAgents: (context) => createSkillAgents({ executor, research, journal }, context),
  });
  const research = lazyResearch(() => ({
    ...{ catalogue, pipeline, journal },
    prompts: readResearchPrompts(parts.promptsDir),
    depth: () => settings().researchDepth,
    pageTimeoutMs: () => settings().researchPageSeconds * 1000,
  }));
  const orchestrator = new Orchestrator({
    ...{ executor, research, journal, settings, clock: parts.clock },
    // Skills are looked up only if the task may name one.
    classify: (task) => quickRoute(task) ?? classifyByRules(task, skills),
    findSkillCall: (skillId, { prompt }) => skillCall(skills, skillId, prompt),
    describeOutput,
    unfinishedSkill: (task) => parts.sessions.unfinished(task),
    isStopped: (task) => parts.sessions.isStopped(task),
    delegateFor: (context) =>
      createDelegate({
        ...{ agent: research, context, journal, transfersDir },
        maxHandoffs: () => settings().maxHandoffs,
        extract: (bytes, name) => textOf(documents, bytes, name),
      }),
    askToStart: createAskToStart(broker),
    runTestsAt: createRunTests({ pipeline, catalogue }),
    tools: () =>
      [...catalogue.forAgent('executor').values()]
        .filter(({ definition }) => definition.name !== 'make_plan')
        .map(({ schema }) => schema),
    prompts: {
      planner: readPromptFile(parts.promptsDir, 'planner'),
      judge: readPromptFile(parts.promptsDir, 'judge'),
      route: readPromptFile(parts.promptsDir, 'route'),
    },
  });
  return {
    orchestrator,
    warm: () => Promise.all([executor.warm(), orchestrator.warm()]),
  };
}

/** Classifies with the rules, which are loaded on first use. */
async function classifyByRules(
  task: ClassifiedTask,
  skills: SkillRegistry,
): Promise<Classification> {
  const { classify } = await import('../orchestrator/classify.ts');
  if (!NAMES_A_SKILL.test(task.prompt)) return classify(task);
  return classify({ ...task, skills: skills.ready().map(({ id }) => id) });
}

/** Of a scan, so much is read for research. */
const SOURCE_CHARS = 40_000;

const NAMES_A_SKILL = /skill|技能|^\s*\//i;

/** The text of a file; null if it has no readable text. */
async function textOf(
  documents: AgentParts['documents'],
  bytes: Uint8Array,
  name: string,
): Promise<string | null> {
  try {
    const scans = { chars: SOURCE_CHARS };
    return (await documents.extractText(bytes, { name: path.basename(name), scans })).text;
  } catch (error) {
    // An unreadable file is not listed as a source.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The research agent, loaded on first use, because most runs never need it. */
function lazyResearch(makeParts: () => ResearchParts): Pick<ResearchAgent, 'run' | 'research'> {
  let opened: Promise<ResearchAgent> | null = null;
  const open = async (): Promise<ResearchAgent> => {
    const { ResearchAgent: Agent } = await import('../agents/research/research-agent.ts');
    return new Agent(makeParts());
  };
  const agent = (): Promise<ResearchAgent> => {
    opened ??= open();
    return opened;
  };
  return {
    run: async (messages, context) => (await agent()).run(messages, context),
    research: async (...args) => (await agent()).research(...args),
  };
}
