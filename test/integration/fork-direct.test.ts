import { describe, expect, it } from 'vitest';
import { openAppBench, type PlayedRun } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';

/** Forks of runs without a plan, at every event, over the real app, HTTP, log and workspace. */

const CORRECTION = 'Your answer makes claims that are not true';
const LIST: DirectedReply = {
  calls: [{ name: 'sandbox_file', arguments: { operation: 'list', path: '.' } }],
};

function openWith(direct: (request: DirectedRequest) => DirectedReply) {
  return openAppBench(direct, { repeatsBeforeHint: 2 });
}
type Bench = Awaited<ReturnType<typeof openWith>>;

async function forkAt(bench: Bench, runId: string, seq: number): Promise<PlayedRun> {
  const { api } = bench.app;
  const { run } = await api['runs.fork']({ runId, seq });
  api['runs.resume']({ runId: run.id });
  return bench.settled(run.id);
}

/** What the model read, without ids, as one text for each message. */
const read = ({ messages }: DirectedRequest): string[] =>
  messages.map(({ role, content = '' }) => `${role}: ${content}`);

describe('a fork of a run that was corrected', () => {
  it('is corrected by its own answers, not by those of the run', async () => {
    const bench = await openWith(() => ({ content: 'I have saved the list to `list.txt`.' }));
    const first = await bench.play('Save a list of two letters.');
    expect([first.run.status, bench.requests.length]).toEqual(['unverified', 2]);
    const fork = await forkAt(bench, first.run.id, first.run.lastSeq);
    expect([fork.run.status, bench.requests.length]).toEqual(['unverified', 4]);
    expect(bench.requests.at(-1)?.turn).toContain(CORRECTION);
    // Whatever comes next has all of it, in order.
    const sent = read(bench.requests.at(-1) as DirectedRequest);
    await bench.app.api['runs.start']({
      ...{ threadId: fork.run.threadId, prompt: 'And now?', attachmentIds: [] },
      options: { approve: 'all' },
    }).then(({ run }) => bench.settled(run.id));
    expect(read(bench.requests.at(-2) as DirectedRequest).slice(0, sent.length)).toEqual(sent);
  });
});

describe('a fork at every event of a run with empty answers, repeated calls and a correction', () => {
  it('reads what the run read up to there, and stores what it reads', async () => {
    let n = 0;
    const script: DirectedReply[] = [
      { content: '' },
      ...[LIST, LIST, LIST],
      { content: 'I have saved the list to `list.txt`.' },
      LIST,
      { content: 'There is no list.' },
    ];
    const bench = await openWith(({ turn }) =>
      turn.startsWith('Next') ? { content: 'Yes.' } : (script[n++] ?? { content: 'Done.' }),
    );
    const first = await bench.play('Save a list of two letters.');
    expect([first.run.error, bench.requests.length]).toEqual([null, script.length]);
    const whole = read(bench.requests.at(-1) as DirectedRequest);
    expect(whole.some((one) => one.includes('Your answer was empty'))).toBe(true);
    expect(whole.some((one) => one.includes('Try another approach'))).toBe(true);
    for (let seq = 1; seq <= first.run.lastSeq; seq += 1) {
      // The fork is empty once, and repeats itself too.
      n = 0;
      const asked = bench.requests.length;
      const fork = await forkAt(bench, first.run.id, seq);
      expect([seq, fork.run.error]).toEqual([seq, null]);
      const own = bench.requests.slice(asked);
      const [opening, last] = [own[0], own.at(-1)].map((one) => read(one as DirectedRequest));
      expect(opening).toEqual([...whole, 'assistant: There is no list.'].slice(0, opening?.length));
      n = script.length;
      const { run } = await bench.app.api['runs.start']({
        ...{ threadId: fork.run.threadId, prompt: 'Next', attachmentIds: [] },
        options: { approve: 'all' },
      });
      await bench.settled(run.id);
      const next = read(bench.requests.at(-1) as DirectedRequest);
      expect({ seq, conversation: next.slice(0, last?.length) }).toEqual({
        seq,
        conversation: last,
      });
    }
  });
});
