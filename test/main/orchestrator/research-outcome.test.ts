import { expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import type { Agent, AgentContext } from '#main/agents/types.ts';
import { systemClock } from '#main/base/clock.ts';
import { Orchestrator } from '#main/orchestrator/orchestrator.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';

async function research(unverified?: readonly string[]) {
  const agent: Agent = {
    run: async () => ({
      ...{ answer: '# Report', rounds: 3, toolCalls: 2, calls: [] },
      ...(unverified === undefined ? {} : { unverified }),
    }),
  };
  const orchestrator = new Orchestrator({
    ...{ executor: agent, research: agent, clock: systemClock, findSkillCall: () => null },
    runTestsAt: () => async () => [],
    classify: () =>
      ({ route: 'research', agent: 'research', skill: null, reason: 'mode' }) as never,
    settings: () => Settings.parse({}),
    delegateFor: () => null,
    describeOutput: JSON.stringify,
    journal: memoryJournal().journal,
    askToStart: async () => true,
    tools: () => [],
    prompts: { planner: '', judge: '', route: '' },
  });
  const events: RunEventDraft[] = [];
  const context = {
    ...{ runId: 'r', record: () => undefined, sandbox: { workspace: null } },
    emit: (event: RunEventDraft) => events.push(event),
  } as unknown as AgentContext;
  const prompt = 'How deep is Lake Vessin?';
  const messages = [{ role: 'user', content: prompt }] as const;
  const { outcome, answer } = await orchestrator.run(
    { prompt, mode: 'research', attachments: 0, messages },
    context,
  );
  const verifications = events.filter(({ type }) => type === 'verification');
  return { outcome, answer, verifications };
}

test('research that could not show everything ends unverified, and names what', async () => {
  const { outcome, answer, verifications } = await research(['This search failed: Vessin depth']);
  expect([outcome, answer]).toEqual([
    'unverified',
    '# Report\n\n**Not verified.** No check could confirm this:\n\n- This search failed: Vessin depth',
  ]);
  expect(verifications).toMatchObject([
    {
      verdict: 'unverified',
      facts: [{ claim: 'This search failed: Vessin depth', holds: false }],
    },
  ]);
});

test('research that showed everything is completed', async () => {
  expect(await research()).toEqual({ outcome: 'completed', answer: '# Report', verifications: [] });
  expect(await research([])).toEqual({
    outcome: 'completed',
    answer: '# Report',
    verifications: [],
  });
});
