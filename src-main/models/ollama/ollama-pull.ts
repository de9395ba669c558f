import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { brokenStream } from '../server-errors.ts';
import { readText } from '../transport/http-stream.ts';
import { LineDecoder } from '../transport/line-decoder.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import { STREAM_LIMITS } from '../transport/stream-watch.ts';

const ERROR_TEXT_BYTES = 16 * 1024;

const PullLine = z.object({
  status: z.string().nullish().catch(null),
  error: z.unknown().optional(),
  digest: z.string().nullish().catch(null),
  total: z.number().nonnegative().nullish().catch(null),
  completed: z.number().nonnegative().nullish().catch(null),
});

export interface PullStep {
  readonly step: string;
  /** Sum over all layers that the server has named so far. */
  readonly completedBytes: number;
  readonly totalBytes: number | null;
}

/**
 * Makes Ollama download a model (`/api/pull`). An abort closes the socket, which stops the download; the
 * server keeps what it has, and the next pull continues there. Throws `MODEL_NOT_FOUND`, `DISK_FULL`,
 * `MODEL_BAD_REQUEST`, and what the connection throws.
 */
export async function pullFromOllama(
  connection: ServerConnection,
  name: string,
  options: { readonly signal: AbortSignal; readonly onStep: (step: PullStep) => void },
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ model: name, stream: true }));
  const layers = new Map<string, { total: number; completed: number }>();
  const sum = { total: 0, completed: 0 };
  const take = (text: string): boolean => {
    const line = safeParse(PullLine, parseJson(text));
    if (!line.success) throw brokenStream(connection.identity, 'it contains an invalid line');
    const { status, error, digest, total, completed } = line.data;
    if (error !== undefined && error !== null)
      throw pullError(name, typeof error === 'string' ? error : '');
    if (digest != null && total != null) {
      // The totals are updated, not summed up again: a server may name endlessly many layers.
      const known = layers.get(digest) ?? { total: 0, completed: 0 };
      sum.total += total - known.total;
      sum.completed += (completed ?? 0) - known.completed;
      layers.set(digest, { total, completed: completed ?? 0 });
    }
    options.onStep({
      step: status ?? '',
      completedBytes: sum.completed,
      totalBytes: layers.size === 0 ? null : sum.total,
    });
    return status === 'success';
  };
  await connection.stream('/api/pull', body, {
    signal: options.signal,
    onWaiting: () => undefined,
    read: async (answer) => {
      if (answer.status !== 200) {
        const refusal = parseJson(await readText(answer, ERROR_TEXT_BYTES));
        const text = isRecord(refusal) && typeof refusal.error === 'string' ? refusal.error : '';
        throw pullError(name, text);
      }
      const lines = new LineDecoder(STREAM_LIMITS.maxLineBytes);
      let done = false;
      for await (const bytes of answer.chunks) {
        for (const line of lines.push(bytes)) {
          if (line === '') continue;
          answer.watch.alive();
          answer.watch.answering();
          done = take(line) || done;
        }
        if (done) answer.watch.closing();
      }
      const rest = lines.end();
      if (rest !== '') done = take(rest) || done;
      if (!done) throw brokenStream(connection.identity, 'the model is not complete');
    },
  });
}

function pullError(name: string, text: string): AppError {
  const details = { model: name };
  if (/file does not exist|not found|pull model manifest/i.test(text)) {
    return new AppError(
      'MODEL_NOT_FOUND',
      `Ollama's library has no model "${name}". Check the name at ollama.com/library.`,
      { details },
    );
  }
  if (/no space left|disk/i.test(text)) {
    return new AppError(
      'DISK_FULL',
      `The disk of the model server is full. Free some space, then pull ${name} again: the download continues where it stopped.`,
      { details },
    );
  }
  return new AppError(
    'MODEL_BAD_REQUEST',
    `${name} could not be pulled${text === '' ? '' : `: ${text.slice(0, 300)}`}. Check the network, then try again: the download continues where it stopped.`,
    { details },
  );
}
