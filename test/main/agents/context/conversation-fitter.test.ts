import { expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { KeptSummary } from '#main/agents/context/conversation-fitter.ts';
import { collectFacts } from '#main/agents/context/facts.ts';
import { readUserTurn, writeUserTurn } from '#main/agents/context/user-turn.ts';
import type { ChatMessage } from '#main/models/types.ts';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';
import { fitterFor } from '../../../fakes/fitter.ts';
import { call, ScriptedChatModel } from '../../../fakes/scripted-chat-model.ts';

const signal = new AbortController().signal;
const system: ChatMessage = { role: 'system', content: 'Be brief.' };
const ref = { provider: 'fake', name: 'small' };

/** `count` turns, each with a call, a result of `size` characters and an answer. */
function conversation(count: number, size: number): ChatMessage[] {
  return Array.from({ length: count }, (_, i): ChatMessage[] => [
    { role: 'user', content: writeUserTurn(`Question ${i}`, ['Today: 2026-11-21']) },
    { role: 'assistant', content: '', toolCalls: [call(`c${i}`, 'look', { n: i })] },
    {
      role: 'tool',
      content: `total-${i}: ${i}42\n${'x '.repeat(size / 2)}`,
      toolCallId: `c${i}`,
      toolName: 'look',
    },
    { role: 'assistant', content: `Answer ${i}: see out/chart-${i}.png` },
  ]).flat();
}

function openFitter(contextWindow: number, more: Parameters<typeof fitterFor>[1] | object = {}) {
  const events: RunEventDraft[] = [];
  const kept: KeptSummary[] = [];
  const model = { ref, contextWindow };
  const fitter = fitterFor(model, {
    ...{ signal, emit: (event: RunEventDraft) => events.push(event) },
    keep: (summary: KeptSummary) => kept.push(summary),
    ...more,
  });
  const said = () => events.flatMap((event) => (event.type === 'stage' ? [event.description] : []));
  return { fitter, kept, said, model };
}

/** Calls without results, or results without calls: no server takes them. */
function torn(messages: readonly ChatMessage[]): string[] {
  const made = messages.flatMap((m) =>
    m.role === 'assistant' ? (m.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const answered = messages.flatMap((m) => (m.role === 'tool' ? [m.toolCallId] : []));
  return [
    ...made.filter((id) => !answered.includes(id)),
    ...answered.filter((id) => !made.includes(id)),
  ];
}

test('what fits is sent as it is, to the same objects', async () => {
  const { fitter, kept } = openFitter(32_768);
  const messages = [system, ...conversation(3, 100)];
  const fitted = await fitter.fit(messages, []);
  expect([fitted.messages.every((one, i) => one === messages[i]), kept]).toEqual([true, []]);
});

test('older messages are summed up with every turn of the person, and facts that code found', async () => {
  const { fitter, kept, said } = openFitter(4_096);
  const messages = [system, ...conversation(20, 2_000)];
  const { messages: view } = await fitter.fit(messages, []);
  const text = view.map(({ content }) => content).join('\n');
  expect({
    turns: Array.from({ length: 20 }, (_, i) => i).filter((i) => !text.includes(`Question ${i}`)),
    torn: torn(view),
    last: view.at(-1),
    facts: ['out/chart-3.png', 'total-3: 342'].filter((fact) => !kept[0]?.summary.includes(fact)),
    said: said()
      .at(-1)
      ?.replace(/\d+ earlier/, 'N earlier'),
  }).toEqual({
    turns: [],
    torn: [],
    last: messages.at(-1),
    facts: [],
    said: 'Summed up N earlier messages to fit the window of 4,096 tokens',
  });
});

test('the last ten messages stay whole where the window holds them', async () => {
  const { fitter, kept } = openFitter(8_192);
  const messages = [system, ...conversation(60, 400)];
  const { messages: view } = await fitter.fit(messages, []);
  expect(view.slice(-10)).toEqual(messages.slice(-10));
  expect(messages.length - 1 - (kept[0]?.covers ?? 0)).toBeGreaterThanOrEqual(10);
});

test('between two summaries every request begins with the one before', async () => {
  const { fitter, kept } = openFitter(4_096);
  const all = [system, ...conversation(40, 1_500)];
  let before: readonly string[] = [];
  let moved = 0;
  for (let length = 6; length <= all.length; length += 2) {
    const summaries = kept.length;
    const view = (await fitter.fit(all.slice(0, length), [])).messages.map((one) =>
      JSON.stringify(one),
    );
    const grows = before.every((text, i) => view[i] === text);
    if (!grows && kept.length === summaries)
      throw new Error(`It moved without a summary at ${length}`);
    if (!grows) moved += 1;
    before = view;
  }
  expect([moved > 0, moved <= kept.length, kept.length < 20]).toEqual([true, true, true]);
});

test('a summary is kept, and the next turn begins with the same bytes', async () => {
  const first = openFitter(4_096);
  const messages = [system, ...conversation(20, 2_000)];
  const view = (await first.fitter.fit(messages, [])).messages;
  const second = openFitter(4_096, { kept: first.kept.at(-1) ?? null });
  const again = (await second.fitter.fit(messages, [])).messages;
  expect([JSON.stringify(again) === JSON.stringify(view), second.kept]).toEqual([true, []]);
});

test('a model sums up; where it fails, its lines are taken from the answers', async () => {
  const good = new ScriptedChatModel([{ content: 'The totals were found.' }]);
  const bad = new ScriptedChatModel([
    async () => {
      throw new Error('gone');
    },
  ]);
  const messages = [system, ...conversation(20, 2_000)];
  const summaries: (string | undefined)[] = [];
  for (const model of [good, bad]) {
    const { fitter, kept } = openFitter(4_096, { openSummariser: async () => model });
    await fitter.fit(messages, []);
    summaries.push(kept[0]?.summary);
  }
  expect([
    summaries[0]?.includes('The totals were found.'),
    summaries[1]?.includes('- Answer 3'),
  ]).toEqual([true, true]);
  // The model that sums up is told every word of the person.
  expect(good.requests[0]).toContain('Question 0');
});

test('a server that holds less than was asked is fitted to, and it is said', async () => {
  const { fitter, said, model } = openFitter(32_768);
  const messages = [system, ...conversation(30, 1_000)];
  await fitter.fit(messages, []);
  model.contextWindow = 4_096;
  const { tokens } = await fitter.fit(messages, []);
  expect([tokens <= 4_096, said()[0]]).toEqual([
    true,
    'The server holds a window of 4,096 tokens, not the 32,768 that were asked for',
  ]);
});

test('a server that counts far less than was sent has cut the prompt, and it is said once', async () => {
  const { fitter, said } = openFitter(32_768);
  const messages = conversation(30, 1_000);
  for (const more of [0, 2]) {
    await fitter.fit([system, ...messages, ...messages.slice(0, more)], []);
    fitter.learn(900);
  }
  const told = said().filter((text) => text.includes('it seems to cut long prompts'));
  expect(told).toHaveLength(1);
});

test('what the person wrote is never cut: if it does not fit, it is said and nothing is sent', async () => {
  const { fitter } = openFitter(2_048);
  const words = 'word '.repeat(5_000);
  const messages = [system, { role: 'user' as const, content: writeUserTurn(words, ['Today: x']) }];
  await expect(fitter.fit(messages, [])).rejects.toMatchObject({ code: 'MODEL_CONTEXT_EXCEEDED' });
});

test('the estimate errs upwards, and follows what the server counts', () => {
  const estimator = new TokenEstimator();
  const prose = 'The quick brown fox jumps over the lazy dog. '.repeat(40);
  const chinese = '我们需要按地区汇总销售额并画一张图表。'.repeat(20);
  const before = [estimator.text(prose) >= prose.length / 4.5, estimator.text(chinese) >= 20 * 17];
  const estimate = estimator.text(prose);
  estimator.learn(estimate, estimate * 2);
  const after = estimator.text(prose);
  expect([before, after >= estimate * 2, after <= estimate * 2.3]).toEqual([
    [true, true],
    true,
    true,
  ]);
});

test('turns of the person are told from what the app says in their place', () => {
  const turn = writeUserTurn('Draw it\n\n<context>\nmine\n</context>', [
    'Today: x',
    'Attached files:',
  ]);
  expect([
    readUserTurn({ role: 'user', content: turn }),
    readUserTurn({ role: 'user', content: 'You have made the same call.' }),
    collectFacts(
      [{ role: 'assistant', content: 'See https://x.test/a. and /workspace/a b/c.csv' }],
      500,
    ),
  ]).toEqual(['Draw it\n\n<context>\nmine\n</context>', null, ['https://x.test/a', 'b/c.csv']]);
});
