import { expect, it } from 'vitest';
import { parseStep } from '#main/base/step-path.ts';
import { UserStops } from '#main/hitl/user-stops.ts';
import type { SessionCall } from '#main/skills/markdown/session-call.ts';
import { SkillSessions } from '#main/skills/markdown/skill-sessions.ts';
import type { SkillSessionStore } from '#main/storage/skill-types.ts';
import { memoryJournal } from '../../../fakes/memory-journal.ts';

/** A store that counts how often it is read, and a call whose rows wait until they are written. */
function bench() {
  const rows = new Map<string, Map<string, unknown>>();
  const seen = { reads: 0 };
  const store: SkillSessionStore = {
    list: (threadId) => {
      seen.reads += 1;
      return [...(rows.get(threadId) ?? new Map()).values()];
    },
    find: (threadId, skill) => rows.get(threadId)?.get(skill) ?? null,
    logged: () => [],
    put: (threadId, skill, state) => {
      rows.set(threadId, new Map([...(rows.get(threadId) ?? []), [skill, state]]));
    },
  };
  const waiting: (() => void)[] = [];
  const call = (threadId: string, runId = 'run_1'): SessionCall => ({
    ...{ threadId, runId, toolCallId: 'call_1', answer: parseStep('1'), emit: () => undefined },
    persist: (work) => void waiting.push(work),
  });
  const write = (): void => {
    for (const work of waiting.splice(0)) work();
  };
  return {
    sessions: new SkillSessions({ store, stops: new UserStops(memoryJournal().journal) }),
    seen,
    call,
    write,
  };
}

const COMMAND = { name: 'shell_command', input: { command: 'ls' } };
const TUTOR = { skill: 'exam-tutor', sha256: 'a'.repeat(64), steps: [] };

it('reads once what is stored of a task, however often its calls are looked at', () => {
  const { sessions, seen, call } = bench();
  for (let round = 0; round < 20; round += 1) {
    expect(sessions.isBlocked(COMMAND, call('thr_1'))).toBe(false);
    sessions.gate(COMMAND, call('thr_1'));
    expect(sessions.place(call('thr_1'))).toBeNull();
  }
  expect(seen.reads).toBe(1);
  sessions.gate(COMMAND, call('thr_2'));
  expect(seen.reads).toBe(2);
});

it('holds a task by a skill that was loaded after it was first looked at, before and after that is stored', () => {
  const { sessions, call, write } = bench();
  expect(sessions.isBlocked(COMMAND, call('thr_1'))).toBe(false);
  sessions.load({ ...TUTOR, allowedTools: ['web_search'] }, call('thr_1'));
  expect(sessions.isBlocked(COMMAND, call('thr_1'))).toBe(true);
  write();
  expect(sessions.isBlocked(COMMAND, call('thr_1'))).toBe(true);
  expect(sessions.isBlocked({ name: 'web_search', input: {} }, call('thr_1'))).toBe(false);
  expect(sessions.isBlocked(COMMAND, call('thr_2'))).toBe(false);
});
