import { expect, onTestFinished, test } from 'vitest';
import { openConversation } from '../fakes/conversation.ts';
import { recordingTool } from '../fakes/fake-tools.ts';
import type { ServerOptionsInput } from '../fakes/model-server/options.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/**
 * Long conversations over real HTTP and a real database, against a server that cuts a prompt which is
 * too long without a word, and counts by a measure of its own.
 */
const TURNS = 60;
const RESULT = Array.from(
  { length: 1_000 },
  (_, i) => `row ${i}: ${(i * 7919) % 1000} items in /workspace/data-${i % 5}.csv`,
).join('\n');

const MODELS = [
  { name: 'small:latest', trainedContext: 131_072 },
  { name: 'other:latest', trainedContext: 131_072 },
];

/** A call that gives 50 kB in each turn, and then an answer; and summaries. */
const SCRIPT: ServerOptionsInput['turns'] = [
  {
    when: { user: '^The user asked:' },
    times: 'always',
    steps: [{ text: 'Rows were counted.' }],
  },
  {
    when: { round: 0 },
    times: 'always',
    steps: [{ call: { name: 'dump', arguments: {} } }],
  },
  { times: 'always', steps: [{ text: 'It is in the table, as asked: total: 1,000 rows.' }] },
];

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

test.each([
  [4_096, 4],
  [8_192, 4],
  [8_192, 2.4],
  [32_768, 4],
  [32_768, 2.4],
])(
  `in a window of %i with %d bytes a token, over ${TURNS} turns, no turn of the person is missing and no request is too large`,
  async (window, bytesPerToken) => {
    const server = await startModelServer({ models: [...MODELS], turns: SCRIPT, bytesPerToken });
    onTestFinished(() => server.close());
    const { say } = await openConversation(server, {
      contextWindow: window,
      tools: [recordingTool('dump', [], { run: async () => ({ content: RESULT }) })],
    });
    const spoken: string[] = [];
    const missing: string[] = [];
    const tooLarge: number[] = [];
    const ends = new Set<string>();
    const stages = new Set<string>();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const prompt = `Turn-${turn}: count the rows of region ${turn}.`;
      spoken.push(`Turn-${turn}: count the rows of region ${turn}.`);
      const name = turn <= TURNS / 2 ? 'small:latest' : 'other:latest';
      const before = server.recording.requests.length;
      const files = turn % 10 === 0 ? [`sales-${turn}.csv`] : [];
      const { run, events } = await say(prompt, { provider: 'ollama', name }, files);
      ends.add(run.status === 'completed' ? 'completed' : (run.error?.message ?? run.status));
      for (const event of events) {
        if (event.type === 'stage' && event.name === 'context')
          stages.add(event.description.replace(/\d+/g, 'N'));
      }
      for (const { path, json, promptTokens, dropped } of server.recording.requests.slice(before)) {
        if (path !== '/api/chat') continue;
        const text = (json as Body).messages.map(({ content }) => content).join('\n');
        if (!text.startsWith('You summarise')) {
          missing.push(...spoken.filter((one) => !text.includes(one)));
        }
        if ((promptTokens ?? 0) > window || dropped.length > 0) tooLarge.push(promptTokens ?? 0);
      }
    }
    expect({ ends: [...ends], missing, tooLarge }).toEqual({
      ends: ['completed'],
      missing: [],
      tooLarge: [],
    });
    expect([...stages].some((stage) => stage.startsWith('Summarised'))).toBe(true);
  },
  120_000,
);

test('200 turns go on in a window of 4,096 that the tools take half of: a summary makes room for several turns, and what is shortened is said', async () => {
  const turns = 200;
  const window = 4_096;
  const server = await startModelServer({ models: [...MODELS], turns: SCRIPT });
  onTestFinished(() => server.close());
  const description = 'Reads a table and says what is in it. '.repeat(160);
  const tool = recordingTool('dump', [], {
    description,
    run: async () => ({ content: 'region 7: 61 items in /workspace/data.csv' }),
  });
  const { say } = await openConversation(server, { contextWindow: window, tools: [tool] });
  const ends = new Set<string>();
  const stages: string[] = [];
  const faults: string[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const prompt = `Turn-${turn}: count the rows of region ${turn}, please, and say in one sentence how they compare with those of the region before it.`;
    const before = server.recording.requests.length;
    const { run, events } = await say(prompt, { provider: 'ollama', name: 'small:latest' });
    ends.add(run.status === 'completed' ? 'completed' : `${turn}: ${run.error?.message}`);
    for (const event of events) {
      if (event.type === 'stage' && event.name === 'context' && event.status === 'completed')
        stages.push(event.description);
    }
    for (const { path, json, promptTokens, dropped } of server.recording.requests.slice(before)) {
      if (path !== '/api/chat') continue;
      const text = (json as Body).messages.map(({ content }) => content).join('\n');
      if (text.startsWith('You summarise')) continue;
      if (!text.includes(prompt)) faults.push(`${turn}: without the newest turn`);
      if (dropped.length > 0 || (promptTokens ?? 0) > window) faults.push(`${turn}: too large`);
    }
    if (run.status !== 'completed') break;
  }
  const summaries = stages.filter((stage) => stage.startsWith('Summarised')).length;
  expect({ ends: [...ends], faults }).toEqual({ ends: ['completed'], faults: [] });
  expect(summaries).toBeLessThanOrEqual(turns / 5);
  expect(stages.some((stage) => /shortened .* of your older messages/.test(stage))).toBe(true);
}, 240_000);
