import { AppError } from '#contract/errors.ts';
import { delay } from '../base/abort.ts';
import { once } from '../base/once.ts';
import type { AnswerBuilder, AnswerContent } from './answer-builder.ts';
import { askedPauseMs, describePause } from './asked-pause.ts';
import { toModelError, withPartial } from './server-errors.ts';
import type { HttpAnswer } from './transport/http-stream.ts';
import type { ServerConnection } from './transport/server-connection.ts';
import { TransportFailure } from './transport/transport-failure.ts';
import type { ModelReply, ModelRequest, ModelUsage, SendOptions } from './types.ts';

/** The result of one exchange; the model adds the figures about the request. */
export type Answer = AnswerContent & Pick<ModelReply, 'finish' | 'usage'>;

export interface Conversation {
  readonly connection: ServerConnection;
  readonly path: string;
  readonly body: Buffer;
  readonly request: ModelRequest;
  /** Reads the protocol: fills the builder, and returns how the answer ended. */
  readonly read: (answer: HttpAnswer, builder: AnswerBuilder) => Promise<Answer>;
  /** Waits until a busy server can accept the request; the default is a short pause. */
  readonly untilReady?: (busy: AppError) => Promise<void>;
}

/** Importing a module again is a search through all that are loaded. */
const loadBuilder = once(() => import('./answer-builder.ts'));

/** Pause before a request to a busy server is retried, and the shortest one that a server can ask for. */
const BUSY_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 100;
/** A server that asks for more time, or more often, is not waited for. */
const LONGEST_PAUSE_MS = 60_000;
const MAX_ASKED_PAUSES = 3;
/** Statuses of a server that may take the request in a moment. */
const BUSY = [429, 503, 529];

/**
 * Makes a request. Retries it if no part of an answer arrived: once when the connection closed before the
 * first byte (usually a kept-alive one that the server had closed), or the server was busy; up to three times
 * when a busy server asks for a pause of at most a minute. Never after a token, never without reporting it.
 * Rejects with the signal's reason or with an `AppError` that has the text so far in `details.partial`.
 */
export async function converse(conversation: Conversation, options: SendOptions): Promise<Answer> {
  const { connection, path, body, request, read } = conversation;
  const { signal, onProgress } = options;
  const current: { builder: AnswerBuilder | null; header: HttpAnswer['header'] } = {
    builder: null,
    header: () => null,
  };
  const attempt = (): Promise<Answer> => {
    current.builder = null;
    const answer = connection.stream(path, body, {
      signal,
      onWaiting: (phase, elapsedMs) => onProgress({ kind: 'waiting', phase, elapsedMs }),
      read: async (head) => {
        const { AnswerBuilder: Builder } = await loading;
        const builder = new Builder(request, onProgress);
        current.builder = builder;
        current.header = head.header;
        return await read(head, builder);
      },
    });
    // Loaded after the request is sent, so that on first use loading overlaps with the server's work.
    const loading = loadBuilder();
    return answer;
  };
  const attemptAgain = async (made: number): Promise<Answer> => {
    try {
      return await attempt();
    } catch (error) {
      const retry = signal.aborted ? null : retryOf(error, { made, header: current.header });
      if (retry === null) throw error;
      const { reason, pauseMs } = retry;
      onProgress({ kind: 'retrying', attempt: made, reason });
      if (pauseMs !== null) await delay(pauseMs, signal);
      else if (error instanceof AppError) {
        await (conversation.untilReady?.(error) ?? delay(BUSY_PAUSE_MS, signal));
      }
      return attemptAgain(made + 1);
    }
  };
  try {
    return await attemptAgain(1);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const modelError = toModelError(error, connection.identity);
    throw modelError instanceof AppError
      ? withPartial(modelError, current.builder?.endInterrupted() ?? '')
      : modelError;
  }
}

/** Why and after which pause a request is sent again, `made` times after it failed; null if it is not. */
function retryOf(
  error: unknown,
  { made, header }: { readonly made: number; readonly header: HttpAnswer['header'] },
): { readonly reason: string; readonly pauseMs: number | null } | null {
  if (error instanceof TransportFailure) {
    const isClosed = made === 1 && error.kind === 'reset' && !error.headReceived;
    return isClosed
      ? { reason: 'The server closed the connection before it answered.', pauseMs: null }
      : null;
  }
  if (!(error instanceof AppError) || error.code !== 'MODEL_OVERLOADED') return null;
  if (!BUSY.includes(Number(error.details.status))) return null;
  const asked = askedPauseMs(header, error.message);
  if (asked === null) return made === 1 ? { reason: 'The server was busy.', pauseMs: null } : null;
  if (asked > LONGEST_PAUSE_MS) {
    const message = `${error.message} It asks for a pause of ${describePause(asked)}, which is not waited for.`;
    throw new AppError(error.code, message, { details: error.details, cause: error.cause });
  }
  if (made > MAX_ASKED_PAUSES) return null;
  const pauseMs = Math.max(asked, SHORTEST_PAUSE_MS);
  return {
    reason: `The server is busy and asks for a pause of ${describePause(pauseMs)}.`,
    pauseMs,
  };
}

/** The known cost of a finished answer; figures that the server did not report are absent. */
export function usageOf(
  answer: HttpAnswer,
  counts: {
    readonly promptTokens: number | null | undefined;
    readonly completionTokens: number | null | undefined;
    readonly loadMs?: number | null;
  },
): ModelUsage {
  const { promptTokens, completionTokens, loadMs } = counts;
  const { firstTokenMs, elapsedMs } = answer.watch;
  return {
    ...(promptTokens == null ? {} : { promptTokens }),
    ...(completionTokens == null ? {} : { completionTokens }),
    ...(loadMs == null ? {} : { loadMs }),
    ...(firstTokenMs === null ? {} : { firstTokenMs }),
    durationMs: elapsedMs,
  };
}

/** Throws if the profile says that the model cannot do what the request asks for. */
export function requireCapabilities(
  name: string,
  profile: { readonly tools: boolean | null; readonly vision: boolean | null },
  request: ModelRequest,
): void {
  if (profile.tools === false && request.tools.length > 0) {
    throw new AppError(
      'MODEL_LACKS_TOOLS',
      `${name} cannot call tools, which this app needs to work. Choose a model that can, for example: ollama pull qwen3:8b.`,
      { details: { model: name } },
    );
  }
  const hasImages = request.messages.some(
    (message) => message.role === 'user' && (message.images?.length ?? 0) > 0,
  );
  if (profile.vision === false && hasImages) {
    throw new AppError(
      'MODEL_LACKS_CAPABILITY',
      `${name} cannot see images. Choose a model with vision, or leave the image out.`,
      { details: { model: name } },
    );
  }
}
