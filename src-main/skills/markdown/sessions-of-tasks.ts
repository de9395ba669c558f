import type { SkillSessionStore } from '../../storage/skill-types.ts';
import type { SessionCall, SessionTask } from './session-call.ts';
import { StoredSession, sessionInTurn } from './stored-session.ts';

/** Tasks whose sessions are cached in memory. */
const KNOWN_TASKS = 50;

/**
 * The stored sessions of tasks. Cached, for each call asks several times, and mostly there are none: no other
 * process writes sessions while this one has the data folder.
 */
export class SessionsOfTasks {
  readonly #store: SkillSessionStore;
  readonly #turnOf: (runId: string) => string;
  /** Sessions that are not on disk yet, by task and skill, so that readers see them at once. */
  readonly #unstored = new Map<string, StoredSession>();
  readonly #stored = new Map<string, readonly StoredSession[]>();

  constructor(store: SkillSessionStore, turnOf: (runId: string) => string) {
    this.#store = store;
    this.#turnOf = turnOf;
  }

  /** The sessions of a task as they are in the turn of this run, newest first. */
  of({ threadId, runId }: SessionTask): StoredSession[] {
    const known = this.#storedOf(threadId);
    if (known.length + this.#unstored.size === 0) return [];
    const turn = this.#turnOf(runId);
    const stored = known.map((session) => sessionInTurn(session, turn));
    if (this.#unstored.size === 0) return stored;
    const unstored = [...this.#unstored]
      .filter(([key, session]) => key.startsWith(`${threadId}/`) && session.runId === turn)
      .map(([, session]) => session);
    const names = new Set(unstored.map(({ walk }) => walk.skill));
    return [...unstored.reverse(), ...stored.filter(({ walk }) => !names.has(walk.skill))];
  }

  /** Every session state in the logs of a task's runs, in order. */
  logged(threadId: string): ReturnType<SkillSessionStore['logged']> {
    return this.#store.logged(threadId);
  }

  /** Stores a session with what else `persist` stores. Gives its key in the log. */
  put(threadId: string, session: StoredSession, persist: SessionCall['persist']): string {
    const { skill } = session.walk;
    const key = `${threadId}/${skill}`;
    this.#unstored.delete(key);
    this.#unstored.set(key, session);
    persist(() => {
      // Even if the transaction fails: then it is read again.
      this.#stored.delete(threadId);
      this.#store.put(threadId, skill, session);
      if (this.#unstored.get(key) === session) this.#unstored.delete(key);
    });
    return key;
  }

  /** Stores the sessions of a copied task. */
  replace(threadId: string, sessions: readonly StoredSession[]): void {
    this.#stored.delete(threadId);
    for (const session of sessions) this.#store.put(threadId, session.walk.skill, session);
  }

  #storedOf(threadId: string): readonly StoredSession[] {
    const known = this.#stored.get(threadId);
    if (known !== undefined) return known;
    const stored = this.#store.list(threadId).map((state) => StoredSession.parse(state));
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined && this.#stored.size >= KNOWN_TASKS) this.#stored.delete(oldest);
    this.#stored.set(threadId, stored);
    return stored;
  }
}
