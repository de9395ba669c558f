import { expect, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { Agent, AgentContext } from '#main/agents/types.ts';
import { systemClock } from '#main/base/clock.ts';
import { classify } from '#main/orchestrator/classify.ts';
import { Orchestrator } from '#main/orchestrator/orchestrator.ts';
import type { FindSkillCall } from '#main/orchestrator/types.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';

/** The first calls that the executor gets for a prompt in a mode. */
async function firstCalls(mode: 'data' | 'task', prompt: string, findSkillCall: FindSkillCall) {
  let given: AgentContext['firstCalls'];
  const executor: Agent = {
    run: async (_messages, context) => {
      given = context.firstCalls;
      return { answer: 'Here it is.', rounds: 1, toolCalls: 0, calls: [] };
    },
  };
  const orchestrator = new Orchestrator({
    ...{ executor, research: executor, classify, findSkillCall, clock: systemClock },
    settings: () => Settings.parse({}),
    delegateFor: () => null,
    describeOutput: JSON.stringify,
    journal: memoryJournal().journal,
    askToStart: async () => true,
    runTestsAt: () => async () => [],
    tools: () => [],
    prompts: { planner: '', judge: '', route: '' },
  });
  const context = {
    ...{ runId: 'r', emit: () => undefined, record: () => undefined },
    sandbox: { workspace: null },
  } as unknown as AgentContext;
  const messages = [{ role: 'user', content: prompt }] as const;
  await orchestrator.run({ prompt, mode, attachments: 0, messages }, context);
  return given;
}

const installed: FindSkillCall = (skillId, { prompt }) => ({
  name: 'invoke_skill',
  arguments: { skill_id: skillId, params: { task: prompt } },
});

test('a dedicated mode starts with its skill, without asking the model', async () => {
  expect(await firstCalls('data', 'Total the sales.', installed)).toEqual([
    {
      name: 'invoke_skill',
      arguments: { skill_id: 'data_analysis', params: { task: 'Total the sales.' } },
    },
  ]);
});

test('starts with the skill that the user named; without it, the agent still runs', async () => {
  const prompt = 'Use the code_review skill on app.py';
  expect((await firstCalls('task', prompt, installed))?.[0]?.arguments.skill_id).toBe(
    'code_review',
  );
  expect(await firstCalls('task', prompt, () => null)).toBeUndefined();
});
