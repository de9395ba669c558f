import { expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type {
  ConversationFitterParts,
  StoredSummary,
} from '#main/agents/context/conversation-fitter.ts';
import { writeUserTurn } from '#main/agents/context/user-turn.ts';
import { USUAL_COMPRESSION } from '#main/agents/context/window-budget.ts';
import type { ChatMessage } from '#main/models/types.ts';
import { fitterFor } from '../../../fakes/fitter.ts';
import { call } from '../../../fakes/scripted-chat-model.ts';

/** Long conversations in a window that holds little of them. */

const signal = new AbortController().signal;
const system: ChatMessage = { role: 'system', content: 'Be brief. '.repeat(300) };
const WINDOW = 4_096;

const said = (text: string): ChatMessage => ({
  role: 'user',
  content: writeUserTurn(text, ['Today: 2026-11-21']),
});
const answered = (content: string): ChatMessage => ({ role: 'assistant', content });
const round = (n: number, size = 200): ChatMessage[] => [
  { role: 'assistant', content: '', toolCalls: [call(`c${n}`, 'look', { n })] },
  {
    role: 'tool',
    content: `total-${n}: ${n}42\n${'x '.repeat(size / 2)}`,
    ...{ toolCallId: `c${n}`, toolName: 'look' },
  },
];

function openFitter(parts: Partial<ConversationFitterParts> = {}, contextWindow = WINDOW) {
  const events: RunEventDraft[] = [];
  const summaries: StoredSummary[] = [];
  const fitter = fitterFor(
    { ref: { provider: 'fake', name: 'small' }, contextWindow },
    {
      ...{ signal, emit: (event: RunEventDraft) => void events.push(event) },
      store: (summary: StoredSummary) => void summaries.push(summary),
      ...parts,
    },
  );
  const stages = (): string[] =>
    events.flatMap((event) =>
      event.type === 'stage' && event.status === 'completed' ? [event.description ?? ''] : [],
    );
  return { fitter, summaries, stages };
}

const textOf = (view: readonly ChatMessage[]): string =>
  view.map(({ content }) => content).join('\n');

test('a summary makes room for many messages: 200 short turns need few', async () => {
  const { fitter, summaries } = openFitter();
  const messages: ChatMessage[] = [system];
  for (let turn = 1; turn <= 200; turn += 1) {
    messages.push(said(`Turn ${turn}: what is ${turn} times ${turn}?`));
    const { messages: view, tokens } = await fitter.fit(messages, []);
    expect([tokens <= WINDOW * 0.9, textOf(view).includes(`Turn ${turn}:`)]).toEqual([true, true]);
    messages.push(answered(`It is ${turn * turn}, as you can work out by hand.`));
  }
  expect(summaries.length).toBeLessThanOrEqual(12);
});

test('messages of which ten do not fit leave room for several too', async () => {
  const { fitter, summaries } = openFitter();
  const messages: ChatMessage[] = [system];
  for (let turn = 1; turn <= 60; turn += 1) {
    messages.push(said(`Turn ${turn}: what is in part ${turn}?`));
    await fitter.fit(messages, []);
    messages.push(answered(`Part ${turn} has ${'a few words that say little. '.repeat(20)}`));
  }
  expect(summaries.length).toBeLessThanOrEqual(12);
});

test('one turn of 100 rounds keeps its words, and few rounds need a summary', async () => {
  const { fitter, summaries } = openFitter();
  const words =
    'Look at every table, please, one after the other, and write down each total that you find.';
  const messages: ChatMessage[] = [system, said(words)];
  for (let n = 1; n <= 100; n += 1) {
    const { messages: view } = await fitter.fit(messages, []);
    expect(textOf(view)).toContain(words);
    messages.push(...round(n));
  }
  expect(summaries.length).toBeLessThanOrEqual(12);
  expect(summaries.at(-1)?.summary).toContain('total-90: 9042');
});

test('a long message of before is shortened to its facts, visibly, and the task goes on', async () => {
  const { fitter, stages } = openFitter();
  const long = `Here is my log. ${'It says nothing new. '.repeat(400)} The file is /workspace/plans/house.md.`;
  const messages: ChatMessage[] = [
    system,
    said('Begin.'),
    answered('Yes.'),
    said('One more.'),
    answered('Yes.'),
  ];
  messages.splice(1, 0, said(long), answered('Read.'));
  messages.push(said('What did I ask first?'));
  const { messages: view } = await fitter.fit(messages, []);
  const text = textOf(view);
  expect([
    text.includes('1. Here is my log.'),
    text.includes('/workspace/plans/house.md'),
    text.includes('Begin.'),
    text.includes('What did I ask first?'),
    stages().at(-1),
  ]).toEqual([
    true,
    true,
    true,
    true,
    expect.stringMatching(/, and shortened 1 of your older messages to their facts$/),
  ]);
});

test('a round that is too large for the window becomes what is known of it, before the task would end', async () => {
  const { fitter } = openFitter();
  const large = { path: '/workspace/out/page.html', text: 'x '.repeat(9_000) };
  const messages: ChatMessage[] = [
    system,
    said('Write the page.'),
    { role: 'assistant', content: '', toolCalls: [call('c1', 'write', large)] },
    {
      role: 'tool',
      content: 'Written: /workspace/out/page.html',
      toolCallId: 'c1',
      toolName: 'write',
    },
  ];
  const { messages: view, tokens } = await fitter.fit(messages, []);
  const text = textOf(view);
  expect([
    tokens <= WINDOW * 0.9,
    text.includes('Write the page.'),
    text.includes('/workspace/out/page.html'),
  ]).toEqual([true, true, true]);
});

test('facts outlive the summaries after the one that first had them', async () => {
  const { fitter, summaries } = openFitter();
  const messages: ChatMessage[] = [
    system,
    said('The plan is in /workspace/plans/house.md.'),
    answered('I see.'),
  ];
  for (let turn = 1; summaries.length < 4; turn += 1) {
    messages.push(
      said(`And what about part ${turn} of it?`),
      answered('That part is as before. '.repeat(8)),
    );
    await fitter.fit([...messages, said('Go on.')], []);
  }
  expect(summaries.at(-1)?.summary).toContain('/workspace/plans/house.md');
});

test('with compression off nothing is summarised, and the limit is named', async () => {
  const compression = { ...USUAL_COMPRESSION, enabled: false };
  const { fitter, summaries, stages } = openFitter({ compression });
  const messages: ChatMessage[] = [system];
  for (let n = 1; n <= 8; n += 1) messages.push(said(`Turn ${n}`), answered('Yes. '.repeat(100)));
  const { messages: view } = await fitter.fit([...messages, said('Now?')], []);
  expect([view.length, summaries, stages()]).toEqual([18, [], []]);
  for (let n = 1; n <= 30; n += 1) messages.push(said(`More ${n}`), answered('Yes. '.repeat(100)));
  await expect(fitter.fit([...messages, said('Now?')], [])).rejects.toMatchObject({
    code: 'MODEL_CONTEXT_EXCEEDED',
    message: expect.stringMatching(
      /does not fit the context window .*switch it on in the settings/,
    ),
  });
  expect([summaries, stages()]).toEqual([[], []]);
});

test('the threshold and the number of kept messages are those of the settings', async () => {
  const messages: ChatMessage[] = [system];
  for (let n = 1; n <= 30; n += 1) messages.push(said(`Turn ${n}`), answered('Yes. '.repeat(40)));
  messages.push(said('Now?'));
  const covered = async (threshold: number, keep: number): Promise<number | undefined> => {
    const compression = { enabled: true, threshold, keep };
    const { fitter, summaries } = openFitter({ compression }, 131_072);
    await fitter.fit(messages, []);
    return summaries.at(-1)?.covers;
  };
  expect([await covered(60_000, 10), await covered(2_500, 10), await covered(2_500, 4)]).toEqual([
    undefined,
    51,
    57,
  ]);
});

test('a summary that an earlier version stored stands with the turns of the user', async () => {
  const stored = { covers: 2, summary: 'It was begun.' };
  const { fitter } = openFitter({ stored });
  const messages: ChatMessage[] = [system, said('Begin it.'), answered('Begun.'), said('Go on.')];
  const { messages: view } = await fitter.fit(messages, []);
  expect(view[1]?.content).toMatch(
    /word for word:\n1\. Begin it\.\nWhat resulted:\nIt was begun\./,
  );
});
