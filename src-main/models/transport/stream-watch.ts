import { RunningTime } from '../../base/running-time.ts';
import { TransportFailure } from './transport-failure.ts';

/** Limits for a server, each independent of the others; in milliseconds and bytes. */
export interface StreamLimits {
  /** Until the connection is established. */
  readonly connectMs: number;
  /** From there to the first token: a cold model may take minutes to load. */
  readonly firstTokenMs: number;
  /** Between one complete message and the next, once the answer has started. */
  readonly idleMs: number;
  /** Between two reports that nothing has arrived yet. */
  readonly waitingEveryMs: number;
  readonly maxLineBytes: number;
  readonly maxAnswerBytes: number;
}

export const STREAM_LIMITS: StreamLimits = {
  connectMs: 10_000,
  firstTokenMs: 600_000,
  idleMs: 120_000,
  waitingEveryMs: 1_000,
  maxLineBytes: 2 * 1024 * 1024,
  maxAnswerBytes: 32 * 1024 * 1024,
};

/** Time for the server to close the stream after it has said that it is done. */
const CLOSING_MS = 2_000;

type Phase = 'connecting' | 'loading' | 'answering' | 'closing';

export interface StreamWatchOptions {
  readonly limits: StreamLimits;
  readonly onWaiting: (phase: 'connecting' | 'loading', elapsedMs: number) => void;
  /** Called once, when a limit is exceeded. */
  readonly onExpired: (failure: TransportFailure) => void;
}

/**
 * Enforces the time limits of one exchange. Idle time counts between complete messages, not bytes, so a
 * server that sends single bytes cannot block a run.
 */
export class StreamWatch {
  readonly #options: StreamWatchOptions;
  readonly #time = new RunningTime();
  #phase: Phase = 'connecting';
  #limit: RunningTime;
  #ticks: NodeJS.Timeout | null;
  #firstTokenMs: number | null = null;

  constructor(options: StreamWatchOptions) {
    this.#options = options;
    this.#limit = this.#arm('connecting', options.limits.connectMs);
    this.#ticks = setInterval(() => this.#report(), options.limits.waitingEveryMs);
  }

  get elapsedMs(): number {
    return this.#time.passedMs;
  }

  /** Time from the start to the first token; null while there is none. */
  get firstTokenMs(): number | null {
    return this.#firstTokenMs;
  }

  /** The connection is established: the wait for the first token starts. */
  connected(): void {
    if (this.#phase === 'connecting') this.#enter('loading', this.#options.limits.firstTokenMs);
  }

  /** A token of the answer arrived. What servers send before (headers, roles, comments) does not count. */
  answering(): void {
    if (this.#phase !== 'connecting' && this.#phase !== 'loading') return;
    this.#firstTokenMs = this.elapsedMs;
    this.#stopTicks();
    this.#enter('answering', this.#options.limits.idleMs);
  }

  /** A complete message arrived, with any content. */
  alive(): void {
    if (this.#phase === 'answering') this.#limit.restart();
  }

  /** The server has said that it is done; only the end of the stream is missing. */
  closing(): void {
    this.#stopTicks();
    if (this.#phase !== 'closing') this.#enter('closing', CLOSING_MS);
  }

  stop(): void {
    this.#limit[Symbol.dispose]();
    this.#time[Symbol.dispose]();
    this.#stopTicks();
  }

  #enter(phase: Phase, ms: number): void {
    this.#limit[Symbol.dispose]();
    this.#phase = phase;
    this.#limit = this.#arm(phase, ms);
  }

  #arm(phase: Phase, ms: number): RunningTime {
    const onReached = (): void => {
      this.stop();
      this.#options.onExpired(expired(phase, ms));
    };
    return new RunningTime({ ms, onReached });
  }

  #report(): void {
    if (this.#phase === 'connecting' || this.#phase === 'loading') {
      this.#options.onWaiting(this.#phase, Math.round(this.elapsedMs));
    }
  }

  #stopTicks(): void {
    if (this.#ticks !== null) clearInterval(this.#ticks);
    this.#ticks = null;
  }
}

function expired(phase: Phase, ms: number): TransportFailure {
  const seconds = `${Math.round(ms / 100) / 10} s`;
  switch (phase) {
    case 'connecting':
      return new TransportFailure('connect_timeout', `no connection within ${seconds}`);
    case 'loading':
      return new TransportFailure('first_token_timeout', `nothing came within ${seconds}`);
    case 'answering':
    case 'closing':
      return new TransportFailure('idle_timeout', `nothing came for ${seconds}`);
  }
}
