import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseStep } from '#main/base/step-path.ts';
import { UserStops } from '#main/hitl/user-stops.ts';
import { parseSteps } from '#main/skills/markdown/parse-steps.ts';
import type { SessionCall } from '#main/skills/markdown/session-call.ts';
import { SkillSessions } from '#main/skills/markdown/skill-sessions.ts';
import { openData } from '../../../fakes/open-data.ts';

/** Walks over real SQLite; a run `b` tries the run `a` again. */
function openSessions() {
  const dir = mkdtempSync(path.join(tmpdir(), 'hyperagent-sessions-'));
  const stores = openData(dir);
  onTestFinished(() => {
    stores.close();
    rmSync(dir, { recursive: true, force: true });
  });
  stores.runStores.threads.insert({ id: 't', title: 'T', createdAt: 1 });
  const sessions = new SkillSessions({
    store: stores.skillSessions,
    stops: new UserStops(stores.journal),
    turnOf: (runId) => (runId === 'b' ? 'a' : runId),
  });
  const call = (runId: string, round: number): SessionCall => ({
    ...{ threadId: 't', runId, toolCallId: `${runId}${round}` },
    answer: parseStep(String(round)),
    persist: (work) => work(),
    emit: () => undefined,
  });
  const load = (list: string, at: SessionCall) => {
    const { steps } = parseSteps(`## Steps\n${list}\n`, { files: [] });
    return sessions.load({ skill: 's', sha256: 'h', steps, allowedTools: null }, at);
  };
  const complete = (step: number, at: SessionCall) => {
    try {
      return sessions.complete({ skill: 's', sha256: 'h', step }, at).status;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { stores, sessions, call, load, complete };
}

it('does not take a retry of a turn for a message of the user, but the next turn', () => {
  const { call, load, complete } = openSessions();
  load('1. A. (waits)', call('a', 1));
  expect(complete(1, call('b', 1))).toContain('an answer from the user');
  expect(complete(1, call('c', 1))).toBe('completed');
});

it('stays stopped when the turn is tried again', () => {
  const { sessions, call, load } = openSessions();
  load('1. A. checkpoint: ok', call('a', 1));
  sessions.answered('ok', false, call('a', 2));
  const made = { name: 'ask_user', input: {} };
  expect(['a', 'b', 'c'].map((runId) => sessions.isBlocked(made, call(runId, 3)))).toEqual([
    ...[true, true, false],
  ]);
});

it('counts answers of another try for others, though they have the same number', () => {
  const { call, load, complete } = openSessions();
  load('1. A.', call('a', 1));
  expect(complete(1, call('a', 1))).toContain('have not read their results yet');
  expect(complete(1, call('b', 1))).toBe('completed');
});

it('continues a session that an earlier version stored, with the tools that it had', () => {
  const { stores, sessions, call, complete } = openSessions();
  const step = { number: 1, title: 'A', subskills: [], checkpoints: [], marks: ['waits'] };
  stores.skillSessions.put('t', 's', {
    walk: {
      ...{ skill: 's', sha256: 'h', status: 'active', refusals: [] },
      steps: [{ ...step, status: 'pending', read: [], answered: [] }],
    },
    ...{ allowedTools: ['sandbox_file'], runId: 'a', stoppedIn: null, refusedCalls: [] },
  });
  const held = ['sandbox_file', 'shell_command'].map((name) =>
    sessions.isBlocked({ name, input: {} }, call('a', 1)),
  );
  expect(held).toEqual([false, true]);
  expect(complete(1, call('a', 1))).toContain('an answer from the user');
  expect(complete(1, call('c', 1))).toBe('completed');
});
