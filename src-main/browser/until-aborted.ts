/** What `work` gives, or the signal's reason as soon as it aborts; `work` goes on by itself then. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => stopped.reject(signal.reason);
  work.catch(() => undefined);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([stopped.promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
