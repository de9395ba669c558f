import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '#contract/settings.ts';
import { Executor } from '#main/agents/executor.ts';
import type { AgentContext } from '#main/agents/types.ts';
import { systemClock } from '#main/base/clock.ts';
import { RUN_STEP } from '#main/base/step-path.ts';
import { classify } from '#main/orchestrator/classify.ts';
import { Orchestrator } from '#main/orchestrator/orchestrator.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { callParts, knownTools, toolBench } from '../fakes/fake-tools.ts';
import { fitterFor } from '../fakes/fitter.ts';
import { memoryJournal } from '../fakes/memory-journal.ts';
import { ScriptedChatModel } from '../fakes/scripted-chat-model.ts';
import { median } from './core/measure.ts';

/**
 * What the orchestrator adds to a task of one step: the executor alone and the executor behind the graph,
 * measured in turns in one run, with a model in the same process that answers at once:
 *
 *   npm run bench orchestration
 */
const TASKS = 300;
const PROMPT = 'How many rows does sales.csv have?';
const ANSWER = 'I counted them: there are 17 rows.';

const dir = mkdtempSync(join(tmpdir(), 'hyperagent-orchestration-'));
const bench = toolBench({ approve: 'all' });
const executor = new Executor({
  catalogue: { forAgent: () => knownTools([]) } as unknown as ToolCatalogue,
  pipeline: bench.pipeline,
  ...memoryJournal(),
});
const settings = Settings.parse({});
const orchestrator = new Orchestrator({
  ...{ executor, research: executor, classify, clock: systemClock, settings: () => settings },
  findSkillCall: () => null,
  describeOutput: JSON.stringify,
  delegateFor: () => null,
  journal: memoryJournal().journal,
  askToStart: async () => true,
  runTestsAt: () => async () => [],
  tools: () => [],
  prompts: { planner: '', judge: '', route: '' },
});
await Promise.all([executor.warm(), orchestrator.warm()]);

let requests = 0;
function contextOf(n: number): AgentContext {
  const model = new ScriptedChatModel([
    async () => {
      requests += 1;
      return { content: ANSWER };
    },
  ]);
  const { threadId, approve, sandbox, egress, signal, emit, broker } = bench.context;
  const fitter = fitterFor(model, { signal, emit });
  return {
    ...{ runId: `run_${n}`, threadId, approve, egress, signal, emit, model, fitter },
    ...{
      ...callParts(),
      broker,
      roundsBefore: 0,
      executionMode: 'standard',
      branch: RUN_STEP,
    },
    ...{ maxRounds: 50, repeatsBeforeHint: 3, errorsBeforeReplan: 5, connectorShare: 0.05 },
    sandbox: { ...sandbox, workspace: new HostWorkspace(dir) },
    tier: async () => model,
    vision: async () => model,
    openFitter: () => fitter,
    record: () => undefined,
  };
}

const messages = [
  { role: 'system', content: 'Do what is asked.' },
  { role: 'user', content: PROMPT },
] as const;
const [bare, whole]: [number[], number[]] = [[], []];
for (let n = 0; n < TASKS; n += 1) {
  const first = performance.now();
  await executor.run(messages, contextOf(2 * n));
  const second = performance.now();
  const task = { prompt: PROMPT, mode: 'task', attachments: 0, messages } as const;
  await orchestrator.run(task, contextOf(2 * n + 1));
  bare.push(second - first);
  whole.push(performance.now() - second);
}
rmSync(dir, { recursive: true });

const [alone, behind] = [median(bare), median(whole)];
process.stdout.write(
  [
    `A task of one step, median of ${TASKS}, in turns:`,
    `  executor alone          ${alone.toFixed(2)} ms`,
    `  behind the orchestrator ${behind.toFixed(2)} ms: ${(behind / alone).toFixed(2)} x, ${(behind - alone).toFixed(2)} ms more (goal: 10)`,
    `  model requests a task   ${(requests / (2 * TASKS)).toFixed(2)} each`,
    '',
  ].join('\n'),
);
