import { createHash } from 'node:crypto';
import type { AnyResult } from '../transport/request-router.ts';
import type { RequestFrame } from './socket-frames.ts';

/** Windows whose answers are kept; of the others, a request that is sent again is refused. */
const SESSIONS = 32;
/** Answers that are kept for one window. It sends again only what has no answer yet. */
const ANSWERS = 200;

interface Kept {
  readonly request: string;
  readonly answer: Promise<AnyResult>;
}

interface Session {
  readonly answers: Map<number, Kept>;
  /** The answers up to this number are no longer kept. */
  forgotten: number;
}

/**
 * The answers to requests that a window sends again after its socket broke: what arrived the first time is not done a
 * second time, its answer is given again. What is no longer known, also because the app was restarted, is refused.
 */
export class RepeatedRequests {
  readonly #sessions = new Map<string, Session>();

  /** The answer of `work`, which is called for the first of all frames with this key only. */
  answer(
    frame: RequestFrame & { readonly key: NonNullable<RequestFrame['key']> },
    work: () => Promise<AnyResult>,
  ): Promise<AnyResult> {
    const { session: id, number, again } = frame.key;
    const known = this.#sessions.get(id);
    if (known === undefined && again) return Promise.resolve(UNKNOWN);
    const session = known ?? { answers: new Map<number, Kept>(), forgotten: 0 };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const request = fingerprint(frame);
    const kept = session.answers.get(number);
    if (kept !== undefined) return kept.request === request ? kept.answer : Promise.resolve(OTHER);
    if (number <= session.forgotten) return Promise.resolve(UNKNOWN);
    const answer = work();
    session.answers.set(number, { request, answer });
    this.#forget(session);
    return answer;
  }

  #forget(session: Session): void {
    const [oldestAnswer] = session.answers.keys();
    if (session.answers.size > ANSWERS && oldestAnswer !== undefined) {
      session.answers.delete(oldestAnswer);
      session.forgotten = Math.max(session.forgotten, oldestAnswer);
    }
    const [oldestSession] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS && oldestSession !== undefined) {
      this.#sessions.delete(oldestSession);
    }
  }
}

const UNKNOWN: AnyResult = {
  ok: false,
  error: {
    code: 'DISCONNECTED',
    message:
      'The connection broke before the answer came. Check whether it was done, then try again.',
    details: {},
  },
};

const OTHER: AnyResult = {
  ok: false,
  error: {
    code: 'BAD_REQUEST',
    message: 'Another request was sent under this key. Reload the page.',
    details: {},
  },
};

function fingerprint({ name, input }: RequestFrame): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input) ?? ''}`)
    .digest('base64');
}
