import { failed } from './image-errors.ts';
import type { ImageHttp } from './image-http.ts';
import type { ImageProgress, ImageWatch } from './types.ts';

/** What the work on one order may use. */
export interface ImageJob {
  /** Aborts when the order is cancelled, or nothing new came of it for too long. */
  readonly signal: AbortSignal;
  /** Reports how far it is; anything that differs from before counts as new. */
  progress(progress: ImageProgress): void;
}

/**
 * Does `work` for an order. When it is cancelled, or when nothing new comes for longer than the limit, `cancel` tells the server at
 * once, with a signal and a limit of its own. Rejects with the reason of the signal, `IMAGE_FAILED`, and as `work` does.
 */
export async function watchJob<Result>(
  { label, limits }: Pick<ImageHttp, 'label' | 'limits'>,
  { signal, onProgress }: ImageWatch,
  parts: {
    readonly work: (job: ImageJob) => Promise<Result>;
    readonly cancel: (signal: AbortSignal) => Promise<unknown>;
  },
): Promise<Result> {
  signal.throwIfAborted();
  const stalled = new AbortController();
  const stall = (): void =>
    stalled.abort(
      failed(
        `${label} reported nothing new for ${limits.stallMs / 1000} s. The order was cancelled.`,
      ),
    );
  let timer = setTimeout(stall, limits.stallMs);
  let last = '';
  const jobSignal = AbortSignal.any([signal, stalled.signal]);
  let cancelling: Promise<unknown> | null = null;
  const onAbort = (): void => {
    cancelling = parts.cancel(AbortSignal.timeout(limits.cancelMs)).catch(() => undefined);
  };
  jobSignal.addEventListener('abort', onAbort, { once: true });
  const progress = (found: ImageProgress): void => {
    const { preview, ...rest } = found;
    const now = `${JSON.stringify(rest)} ${preview?.length ?? 0}`;
    if (now === last || jobSignal.aborted) return;
    last = now;
    clearTimeout(timer);
    timer = setTimeout(stall, limits.stallMs);
    onProgress(found);
  };
  try {
    return await parts.work({ signal: jobSignal, progress });
  } catch (error) {
    if (!jobSignal.aborted) throw error;
    await cancelling;
    throw jobSignal.reason;
  } finally {
    clearTimeout(timer);
    jobSignal.removeEventListener('abort', onAbort);
  }
}
