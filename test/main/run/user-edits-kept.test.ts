import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DirectedReply } from '../../fakes/directed-model.ts';
import { done, file, HEADING, openEditedTask, statesOf, write } from '../../fakes/edited-task.ts';

/** What the user changes beside the agent is not lost to it. */

describe('a file that the user changed', () => {
  it('is not written over by the model before it has seen it', async () => {
    const { say, put, text, unseen } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    put('a.txt', 'one, and mine');
    const { results } = await say('Go on', [
      write('a.txt', 'one and two'),
      () => {
        expect(text('a.txt')).toBe('one, and mine');
        return write('a.txt', 'one and two, and mine');
      },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(results[0]?.text).toContain('Nothing was done.');
    expect(results[0]?.text).toContain('one, and mine');
    expect(text('a.txt')).toBe('one and two, and mine');
    expect(unseen()).toEqual([]);
  });

  it.each(['delete', 'move'])('is not lost by %s', async (operation) => {
    const { say, put, text } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one'), write('b.txt', 'two')]);
    put('a.txt', 'mine');
    const given =
      operation === 'move' ? { path: 'b.txt', destination: 'a.txt' } : { path: 'a.txt' };
    const { results } = await say('Go on', [file({ operation, ...given })]);
    expect(results[0]?.ok).toBe(false);
    expect(text('a.txt')).toBe('mine');
  });

  it('is not written over by a second call of the same answer, which has not seen it either', async () => {
    const { say, put, text } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    put('a.txt', 'mine');
    const both = (...calls: DirectedReply[]): DirectedReply => ({
      calls: calls.flatMap((reply) => reply.calls ?? []),
    });
    const { results } = await say('Go on', [
      both(write('a.txt', 'two'), write('a.txt', 'two')),
      both(file({ operation: 'read', path: 'a.txt' }), write('a.txt', 'three')),
    ]);
    // Shown by the first refusal, and so known in the second answer.
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true, true]);
    put('a.txt', 'mine again');
    const next = await say('And on', [
      both(file({ operation: 'read', path: 'a.txt' }), write('a.txt', 'four')),
    ]);
    expect(next.results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(text('a.txt')).toBe('mine again');
  });

  it.each([
    ['delete', {}],
    ['move', { destination: 'g' }],
  ])('is not lost with its folder: %s', async (operation, more) => {
    const { say, save, text, unseen } = await openEditedTask();
    await say('Begin', [write('f/a.txt', 'one')]);
    await save('f/a.txt', 'mine');
    const { results } = await say('Go on', [
      () => {
        expect(unseen()).toEqual(['modified f/a.txt user']);
        return file({ operation, path: 'f', ...more });
      },
    ]);
    expect(results[0]?.ok).toBe(false);
    expect(results[0]?.text).toContain('f/a.txt');
    expect(text('f/a.txt')).toBe('mine');
    // Seen, the folder may go, and nothing is named that is not there.
    const next = await say('And on', [file({ operation, path: 'f', ...more })]);
    expect(next.results[0]?.ok).toBe(true);
    expect(unseen()).toEqual([]);
  });

  it('is not known by its beginning', async () => {
    const { say, put, text } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    put('a.txt', `${'x'.repeat(100_000)}mine`);
    const { results } = await say('Go on', [
      file({ operation: 'read', path: 'a.txt' }),
      write('a.txt', 'two'),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(text('a.txt').endsWith('mine')).toBe(true);
  });

  it('may be written once the model has read it', async () => {
    const { say, put, text } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    put('a.txt', 'mine');
    const { results } = await say('Go on', [
      file({ operation: 'read', path: '/workspace/a.txt' }),
      write('a.txt', 'mine and two'),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(text('a.txt')).toBe('mine and two');
  });

  it('is not repeated where it holds keys, or is long', async () => {
    const { say, put } = await openEditedTask();
    await say('Begin', [write('.env', 'A=1'), write('long.txt', 'one')]);
    put('.env', 'KEY=hunter2hunter2');
    put('long.txt', 'x'.repeat(10_000));
    const { results } = await say('Go on', [write('.env', 'A=2'), write('long.txt', 'two')]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false]);
    expect(results[0]?.text).not.toContain('hunter2');
    expect(results[1]?.text).not.toContain('xxxxx');
    expect(results[1]?.text).toContain('Read it first.');
  });

  it('stays in the history of the files, though the model writes over it', async () => {
    const { say, save, snapshots, dir } = await openEditedTask();
    const { run } = await say('Begin', [write('a.txt', 'one')]);
    await save('a.txt', 'mine');
    await say('Go on', [write('a.txt', 'two'), write('a.txt', 'two')]);
    expect(await statesOf('a.txt', snapshots, run.threadId)).toEqual(['two', 'mine', 'one']);
    expect(readFileSync(dir('a.txt'), 'utf8')).toBe('two');
  });
});

describe('a file that the user saves during a run', () => {
  it('is named to the model with its next request, until it reads it', async () => {
    const { say, save, sent, unseen } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    const seen: string[] = [];
    await say('Go on', [
      async () => {
        await save('a.txt', 'mine');
        return { calls: [{ name: 'note', arguments: {} }] };
      },
      () => {
        seen.push(sent());
        return file({ operation: 'read', path: 'a.txt' });
      },
      () => {
        seen.push(sent());
        return done;
      },
    ]);
    expect(seen[0]).toContain(HEADING);
    expect(seen[0]).toContain('a.txt');
    expect(seen[0]).toContain('(modified by the user)');
    expect(seen[1]).not.toContain(HEADING);
    expect(unseen()).toEqual([]);
  });

  it('is safe from the write that the model was about to make, and kept as a state', async () => {
    const { say, save, text, snapshots, conversation } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    const { run, results } = await say('Go on', [
      async () => {
        await save('a.txt', 'mine');
        return write('a.txt', 'two');
      },
      write('a.txt', 'mine and two'),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(text('a.txt')).toBe('mine and two');
    await conversation.runs.settled(run.id);
    expect(await statesOf('a.txt', snapshots, run.threadId)).toEqual([
      ...['mine and two', 'mine', 'one'],
    ]);
  });

  it('is safe from a write that waits for a snapshot', async () => {
    const { say, save, put, text, conversation } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    for (let index = 0; index < 2_000; index += 1) put(`many/${index}.txt`, `${index}`);
    let saving: Promise<string> = Promise.resolve('');
    await say('Go on', [
      write('b.txt', 'x'),
      () => {
        saving = new Promise((resolve) => setTimeout(resolve, 20))
          .then(() => save('a.txt', 'mine'))
          .then(
            () => 'saved',
            () => 'refused',
          );
        return write('a.txt', 'two');
      },
    ]);
    // Who came second saw the other: not both were answered that all is well.
    const outcome = await saving;
    const { threadId } = conversation.runs.get(conversation.newestRun());
    const kept = await statesOf('a.txt', conversation.snapshots, threadId);
    if (outcome === 'refused') expect(text('a.txt')).toBe('two');
    else expect([text('a.txt'), ...kept]).toContain('mine');
  });

  it('is never mixed with what the model writes', async () => {
    const { say, save, text, conversation } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    const { threadId } = conversation.runs.get(conversation.newestRun());
    const workspace = conversation.workspaceOf(threadId);
    for (let round = 0; round < 30; round += 1) {
      const [mine, theirs] = ['m'.repeat(9_000), 't'.repeat(5_000 + round)];
      await Promise.allSettled([
        save('a.txt', mine),
        workspace.exclusively(() => workspace.write('a.txt', theirs)),
      ]);
      expect([mine, theirs]).toContain(text('a.txt'));
    }
  });

  it('is not changed for being saved twice', async () => {
    const { say, save, unseen } = await openEditedTask();
    await say('Begin', [write('a.txt', 'one')]);
    await save('a.txt', 'one');
    expect(unseen()).toEqual([]);
  });

  it('belongs to its own task', async () => {
    const { save, say, edits } = await openEditedTask();
    const { run } = await say('Begin', [write('a.txt', 'one')]);
    await save('a.txt', 'mine');
    expect(edits.find(run.threadId, ['a.txt'])[0]?.source).toBe('user');
    expect(edits.find('another', ['a.txt'])).toEqual([]);
    expect(edits.find(run.threadId, ['b.txt', 'a'])).toEqual([]);
  });
});
