import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseSteps } from '#main/skills/markdown/parse-steps.ts';
import { SkillWalks, type WalkCall } from '#main/skills/markdown/skill-walks.ts';
import { openData } from '../../../fakes/open-data.ts';

/** Walks over real SQLite; a run `b` tries the run `a` again. */
function openWalks() {
  const dir = mkdtempSync(path.join(tmpdir(), 'hyperagent-walks-'));
  const stores = openData(dir);
  onTestFinished(() => {
    stores.close();
    rmSync(dir, { recursive: true, force: true });
  });
  stores.runStores.threads.insert({ id: 't', title: 'T', createdAt: 1 });
  const walks = new SkillWalks({
    store: stores.skillWalks,
    turnOf: (runId) => (runId === 'b' ? 'a' : runId),
  });
  const call = (runId: string, round: number): WalkCall => ({
    ...{ threadId: 't', runId, round, toolCallId: `${runId}${round}` },
    persist: (work) => work(),
    emit: () => undefined,
  });
  const load = (list: string, at: WalkCall) => {
    const { steps } = parseSteps(`## Steps\n${list}\n`, { files: [] });
    return walks.load({ skill: 's', sha256: 'h', steps, allowedTools: null }, at);
  };
  const complete = (step: number, at: WalkCall) => {
    try {
      return walks.complete({ skill: 's', sha256: 'h', step }, at).status;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { stores, walks, call, load, complete };
}

it('takes another try of a turn for no words of the person, and the next turn for such', () => {
  const { call, load, complete } = openWalks();
  load('1. A. (waits)', call('a', 1));
  expect(complete(1, call('b', 1))).toContain('what the person says');
  expect(complete(1, call('c', 1))).toBe('completed');
});

it('stays stopped when the turn is tried again', () => {
  const { walks, call, load } = openWalks();
  load('1. A. checkpoint: ok', call('a', 1));
  walks.answered('ok', false, call('a', 2));
  const made = { name: 'ask_user', input: {} };
  expect(['a', 'b', 'c'].map((runId) => walks.isHeld(made, call(runId, 3)))).toEqual([
    ...[true, true, false],
  ]);
});

it('counts answers of another try for others, though they have the same number', () => {
  const { call, load, complete } = openWalks();
  load('1. A.', call('a', 1));
  expect(complete(1, call('a', 1))).toContain('were not read yet');
  expect(complete(1, call('b', 1))).toBe('completed');
});

it('goes on with a walk that an earlier version stored, and holds it to the tools that it had', () => {
  const { stores, walks, call, complete } = openWalks();
  const step = { number: 1, title: 'A', subskills: [], checkpoints: [], marks: ['waits'] };
  stores.skillWalks.put('t', 's', {
    walk: {
      ...{ skill: 's', sha256: 'h', status: 'active', refusals: [] },
      steps: [{ ...step, status: 'pending', read: [], answered: [] }],
    },
    ...{ allowedTools: ['sandbox_file'], runId: 'a', stoppedIn: null, refusedCalls: [] },
  });
  const held = ['sandbox_file', 'shell_command'].map((name) =>
    walks.isHeld({ name, input: {} }, call('a', 1)),
  );
  expect(held).toEqual([false, true]);
  expect(complete(1, call('a', 1))).toContain('what the person says');
  expect(complete(1, call('c', 1))).toBe('completed');
});
