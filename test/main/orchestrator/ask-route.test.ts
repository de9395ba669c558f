import { expect, test } from 'vitest';
import type { ChatModel } from '#main/models/types.ts';
import { askRoute } from '#main/orchestrator/ask-route.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';

const kept = () => ({ ...memoryJournal(), runId: 'r', persist: (work: () => void) => work() });
const question = (model: () => Promise<ChatModel>, signal = new AbortController().signal) => ({
  ...{ prompt: 'Make our docs searchable', systemPrompt: 'Judge.', signal, model },
  onReply: () => undefined,
});

test('a run that is stopped while the model loads ends, and keeps no answer', async () => {
  const stop = new AbortController();
  const where = kept();
  const asked = askRoute(
    question(() => new Promise(() => undefined), stop.signal),
    where,
  );
  stop.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  expect(where.journal.list('r', 'route')).toEqual([]);
});

test('a run that resumes keeps its route without asking again', async () => {
  const where = kept();
  let opened = 0;
  const model = {
    send: async () => ({ content: '{"route":"research"}' }),
  } as unknown as ChatModel;
  const open = async () => {
    opened += 1;
    return model;
  };
  const first = await askRoute(question(open), where);
  const again = await askRoute(question(open), where);
  expect([first?.route, again, opened]).toEqual(['research', first, 1]);
});
