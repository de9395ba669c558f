import { expect, it } from 'vitest';
import { tool as askUser } from '#main/tools/definitions/ask-user.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { knownTools, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';

const skills = { sessions: { noteMessage: () => undefined } } as unknown as Parameters<
  typeof askUser
>[0]['skills'];

it.each([
  ['with options', { question: 'Where to?', options: ['here', 'there'] }],
  ['with yes or no', { question: 'Write over it?', confirm: true }],
  ['without any', { question: 'Where to?' }],
])('a question %s takes an answer in own words', async (_name, input) => {
  const bench = toolBench();
  const results = executeToolBatch([call('a', 'ask_user', input)], bench.context, {
    pipeline: bench.pipeline,
    tools: knownTools([askUser({ skills })]),
  });
  const { interruptId } = await bench.openQuestion();
  bench.broker.respond('run_1', interruptId, { action: 'input', text: 'Only on Fridays' });
  const [result] = await results;
  expect([result?.status, result?.content]).toEqual(['ok', 'The user answered: Only on Fridays']);
});

it('what the app itself asks takes no words', async () => {
  const bench = toolBench();
  const question = {
    ...{ subject: 'the plan', kind: 'confirm' as const, title: 'Start?', message: '' },
    ...{ reasons: [], options: [] },
  };
  const answer = bench.broker.ask(question, bench.context);
  const { interruptId } = await bench.openQuestion();
  expect(() =>
    bench.broker.respond('run_1', interruptId, { action: 'input', text: 'yes' }),
  ).toThrow('yes or no');
  bench.broker.respond('run_1', interruptId, { action: 'confirm' });
  expect(await answer).toEqual({ action: 'confirm' });
});
