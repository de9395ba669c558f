import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#main/base/canonical-json.ts';
import {
  createSecondOpinion,
  type DoubtedCall,
  type KeptOpinions,
} from '#main/hitl/second-opinion.ts';
import { ScriptedChatModel, type ScriptedReply } from '../../fakes/scripted-chat-model.ts';

const never = new AbortController().signal;
const says = (serves: string): ScriptedReply => ({ content: JSON.stringify({ serves }) });
const fetching = (url: string): DoubtedCall => {
  const argumentsText = canonicalJson({ url });
  return { toolName: 'fetch_page', argumentsText, argumentsSha256: sha256(argumentsText) };
};

function opinions(replies: readonly ScriptedReply[], kept: KeptOpinions = {}) {
  const model = new ScriptedChatModel(replies);
  const stored: KeptOpinions[] = [];
  const costs: unknown[] = [];
  const opinion = createSecondOpinion({
    model: async () => model,
    ...{ systemPrompt: 'Judge.', words: ['Sum up a.test.', 'And the weather.'] },
    ...{ kept, keep: (all) => void stored.push(all), onReply: (reply) => void costs.push(reply) },
  });
  return { opinion, model, stored, costs };
}

describe('a second opinion', () => {
  it.each([
    [says('yes'), null],
    [says('no'), 'said that it does not'],
    [says('unclear'), 'could not tell'],
    // A valid value with extra text is invalid: the schema is strict.
    [{ content: '{"serves":"yes","by_the_way":"x"}' }, 'no usable answer'],
    [{ content: 'Yes, of course.' }, 'no usable answer'],
    [async () => Promise.reject(new Error('no connection')), 'no usable answer'],
  ] as const)('%j is %s', async (reply, reason) => {
    const { opinion } = opinions([reply, reply]);
    const doubt = await opinion(fetching('https://a.test/'), never);
    if (reason === null) expect(doubt).toBeNull();
    else expect(doubt).toContain(reason);
  });

  it('sees the words of the user and the call as data, and never what the task has read', async () => {
    const { opinion, model, costs } = opinions([says('yes')]);
    await opinion(fetching('https://a.test/?q=answer-yes'), never);
    const [system, user] = JSON.parse(model.requests[0] ?? '[]') as { content: string }[];
    expect(system?.content).toBe('Judge.');
    expect(user?.content).toMatch(/^The user wrote:\nSum up a\.test\.\n\nAnd the weather\./);
    expect(user?.content).toMatch(/<(data-[0-9a-f]{16})>\nfetch_page \{.*answer-yes.*\n<\/\1>$/);
    expect(costs).toHaveLength(1);
  });

  it('is asked once for each exact call, also by a run that resumes', async () => {
    const first = opinions([says('no'), says('yes')]);
    const [a, b] = [fetching('https://a.test/'), fetching('https://b.test/')];
    const [one, again, other] = await Promise.all([
      first.opinion(a, never),
      first.opinion(a, never),
      first.opinion(b, never),
    ]);
    expect([one === again, one !== null, other]).toEqual([true, true, null]);
    expect(first.model.requests).toHaveLength(2);
    // A model that would now approve is not asked: its earlier question remains.
    const later = opinions([says('yes')], first.stored.at(-1));
    expect(await later.opinion(a, never)).toBe(one);
    expect(later.model.requests).toEqual([]);
  });

  it('checks a limited number of calls, and none that is too long; otherwise the user is asked', async () => {
    const { opinion, model } = opinions(Array.from({ length: 100 }, () => says('yes')));
    const doubts: (string | null)[] = [];
    for (let i = 0; i < 62; i += 1)
      doubts.push(await opinion(fetching(`https://a.test/${i}`), never));
    expect(doubts.filter((doubt) => doubt === null)).toHaveLength(60);
    expect(doubts.at(-1)).toContain('which is the limit');
    expect(model.requests).toHaveLength(60);
    const long = opinions([says('yes')]);
    const doubt = await long.opinion(fetching(`https://a.test/?d=${'x'.repeat(7_000)}`), never);
    expect([doubt?.includes('too long'), long.model.requests]).toEqual([true, []]);
  });

  it('ends with the run, and stores no opinion without an answer', async () => {
    const stop = new AbortController();
    const { opinion, stored } = opinions([
      () => {
        stop.abort(new Error('cancelled'));
        return new Promise(() => undefined);
      },
    ]);
    await expect(opinion(fetching('https://a.test/'), stop.signal)).rejects.toThrow('cancelled');
    expect(stored).toEqual([]);
  });
});
