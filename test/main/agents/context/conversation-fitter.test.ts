import { expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { StoredSummary } from '#main/agents/context/conversation-fitter.ts';
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
  const summaries: StoredSummary[] = [];
  const model = { ref, contextWindow };
  const fitter = fitterFor(model, {
    ...{ signal, emit: (event: RunEventDraft) => events.push(event) },
    store: (summary: StoredSummary) => summaries.push(summary),
    ...more,
  });
  const stages = () =>
    events.flatMap((event) => (event.type === 'stage' ? [event.description] : []));
  return { fitter, summaries, stages, model };
}

/** Calls without results, or results without calls: servers reject them. */
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

test('sends what fits unchanged, as the same objects', async () => {
  const { fitter, summaries } = openFitter(32_768);
  const messages = [system, ...conversation(3, 100)];
  const fitted = await fitter.fit(messages, []);
  expect([fitted.messages.every((one, i) => one === messages[i]), summaries]).toEqual([true, []]);
});

test('summarises older messages with every turn of the user, and facts that code found', async () => {
  const { fitter, summaries, stages } = openFitter(4_096);
  const messages = [system, ...conversation(20, 2_000)];
  const { messages: view } = await fitter.fit(messages, []);
  const text = view.map(({ content }) => content).join('\n');
  expect({
    turns: Array.from({ length: 20 }, (_, i) => i).filter((i) => !text.includes(`Question ${i}`)),
    torn: torn(view),
    last: view.at(-1),
    facts: ['out/chart-3.png', 'total-3: 342'].filter(
      (fact) => !summaries[0]?.summary.includes(fact),
    ),
    said: stages()
      .at(-1)
      ?.replace(/\d+ earlier/, 'N earlier'),
  }).toEqual({
    turns: [],
    torn: [],
    last: messages.at(-1),
    facts: [],
    said: 'Summarised N earlier messages to fit the context window of 4,096 tokens',
  });
});

test('the last ten messages stay whole if the window can hold them', async () => {
  const { fitter, summaries } = openFitter(8_192);
  const messages = [system, ...conversation(60, 400)];
  const { messages: view } = await fitter.fit(messages, []);
  expect(view.slice(-10)).toEqual(messages.slice(-10));
  expect(messages.length - 1 - (summaries[0]?.covers ?? 0)).toBeGreaterThanOrEqual(10);
});

test('between two summaries every request begins with the one before', async () => {
  const { fitter, summaries } = openFitter(4_096);
  const all = [system, ...conversation(40, 1_500)];
  let before: readonly string[] = [];
  let moved = 0;
  for (let length = 6; length <= all.length; length += 2) {
    const summariesBefore = summaries.length;
    const view = (await fitter.fit(all.slice(0, length), [])).messages.map((one) =>
      JSON.stringify(one),
    );
    const grows = before.every((text, i) => view[i] === text);
    if (!grows && summaries.length === summariesBefore)
      throw new Error(`It moved without a summary at ${length}`);
    if (!grows) moved += 1;
    before = view;
  }
  expect([moved > 0, moved <= summaries.length, summaries.length < 20]).toEqual([true, true, true]);
});

test('a summary is stored, and the next turn starts with the same bytes', async () => {
  const first = openFitter(4_096);
  const messages = [system, ...conversation(20, 2_000)];
  const view = (await first.fitter.fit(messages, [])).messages;
  const second = openFitter(4_096, { stored: first.summaries.at(-1) ?? null });
  const again = (await second.fitter.fit(messages, [])).messages;
  expect([JSON.stringify(again) === JSON.stringify(view), second.summaries]).toEqual([true, []]);
});

test('a model summarises; if it fails, the summary is taken from the answers', async () => {
  const good = new ScriptedChatModel([{ content: 'The totals were found.' }]);
  const bad = new ScriptedChatModel([
    async () => {
      throw new Error('gone');
    },
  ]);
  const messages = [system, ...conversation(20, 2_000)];
  const written: (string | undefined)[] = [];
  for (const model of [good, bad]) {
    const { fitter, summaries } = openFitter(4_096, { openSummariser: async () => model });
    await fitter.fit(messages, []);
    written.push(summaries[0]?.summary);
  }
  expect([
    written[0]?.includes('The totals were found.'),
    written[1]?.includes('- Answer 3'),
  ]).toEqual([true, true]);
  // The model that summarises gets every word of the user.
  expect(good.requests[0]).toContain('Question 0');
});

test('fits a server that offers a smaller window than requested, and reports it', async () => {
  const { fitter, stages, model } = openFitter(32_768);
  const messages = [system, ...conversation(30, 1_000)];
  await fitter.fit(messages, []);
  model.contextWindow = 4_096;
  const { tokens } = await fitter.fit(messages, []);
  expect([tokens <= 4_096, stages()[0]]).toEqual([
    true,
    'The server offers a context window of 4,096 tokens instead of the requested 32,768',
  ]);
});

test('reports once that a server which counts far fewer tokens than were sent has cut the prompt', async () => {
  const { fitter, stages } = openFitter(32_768);
  const messages = conversation(30, 1_000);
  for (const more of [0, 2]) {
    await fitter.fit([system, ...messages, ...messages.slice(0, more)], []);
    fitter.learn(900);
  }
  const reports = stages().filter((text) => text.includes('it seems to cut long prompts'));
  expect(reports).toHaveLength(1);
});

test('never cuts what the user wrote: if it does not fit, throws and sends nothing', async () => {
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

test('tells turns of the user from messages that the app sends as the user', () => {
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
