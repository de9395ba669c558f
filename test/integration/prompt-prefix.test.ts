import { expect, onTestFinished, test } from 'vitest';
import { openConversation } from '../fakes/conversation.ts';
import { recordingTool } from '../fakes/fake-tools.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/**
 * That a server can keep what it has computed: every request begins with the bytes of the one before,
 * as they went over the wire, across rounds, approvals and turns.
 */
const ROUNDS = 20;

test(`over ${ROUNDS} rounds, two approvals and two turns, no byte of the prefix moves`, async () => {
  const call = (n: number) =>
    n === 7 || n === 13 ? { name: 'danger', arguments: { n } } : { name: 'look', arguments: { n } };
  const server = await startModelServer({
    models: [{ name: 'fake:latest', trainedContext: 32_768 }],
    turns: [
      ...Array.from({ length: ROUNDS }, (_, n) => ({
        steps: [{ text: `Step ${n}.` }, { call: call(n) }],
      })),
      { steps: [{ text: 'Done.' }] },
      { steps: [{ call: call(40) }] },
      { steps: [{ text: 'Done again.' }] },
    ],
  });
  onTestFinished(() => server.close());
  const { say } = await openConversation(server, {
    contextWindow: 32_768,
    approve: 'ask',
    tools: [
      recordingTool('look', []),
      recordingTool('danger', [], { risk: 'high', effect: 'opaque' }),
    ],
  });
  const model = { provider: 'ollama', name: 'fake:latest' };
  const runs = [await say('Do it in steps.', model), await say('And again.', model)];
  const bodies = server.recording.to('/api/chat').map(({ body }) => body);
  const end = /\](?:,"format":.*)?\}$/;
  const moved = bodies.flatMap((body, i) => {
    const before = bodies[i - 1]?.replace(end, '');
    return before === undefined || body.startsWith(before) ? [] : [i];
  });
  const events = runs.flatMap((run) => run.events);
  const prefixes = events.flatMap((event) => (event.type === 'usage' ? [event.prefix?.hit] : []));
  expect({
    ends: runs.map(({ run }) => run.status),
    requests: bodies.length,
    approvals: events.filter(({ type }) => type === 'interrupt').length,
    moved,
    reported: new Set(prefixes),
  }).toEqual({
    ends: ['completed', 'completed'],
    requests: ROUNDS + 3,
    approvals: 2,
    moved: [],
    reported: new Set([true]),
  });
});
