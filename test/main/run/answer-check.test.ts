import { expect, it } from 'vitest';
import { checkAnswer } from '#main/run/answer-check.ts';
import { ScriptedChatModel, type ScriptedReply } from '../../fakes/scripted-chat-model.ts';

const says = (kind: string): ScriptedReply => ({ content: JSON.stringify({ kind }) });

async function check(answer: string, replies: readonly ScriptedReply[]) {
  const model = new ScriptedChatModel(replies);
  const finding = await checkAnswer(
    answer,
    { model: async () => model, systemPrompt: 'Judge.' },
    { signal: new AbortController().signal, onReply: () => undefined },
  );
  return { rule: finding?.rule ?? null, asked: model.requests.length };
}

it('marks what a model takes for abuse, hatred or a threat, and nothing else', async () => {
  expect(await check('x', [says('none')])).toEqual({ rule: null, asked: 1 });
  for (const kind of ['abuse', 'hate', 'threat']) {
    expect(await check('x', [says(kind)])).toEqual({ rule: `toxic_${kind}`, asked: 1 });
  }
  expect(await check('  ', [])).toEqual({ rule: null, asked: 0 });
});

it('says so if the model gives no usable answer', async () => {
  const broken: ScriptedReply = async () => Promise.reject(new Error('no connection'));
  expect((await check('x', [broken])).rule).toBe('toxic_unchecked');
  expect((await check('x', [{ content: 'hm' }, { content: 'hm' }])).rule).toBe('toxic_unchecked');
});

it('looks at a long answer in pieces, as data, and at no more than four', async () => {
  const pieces = Array.from({ length: 9 }, () => says('none'));
  expect(await check('x'.repeat(50_000), pieces)).toEqual({ rule: null, asked: 4 });
  expect(await check('x'.repeat(50_000), [says('none'), says('threat')])).toEqual({
    ...{ rule: 'toxic_threat', asked: 2 },
  });
});
