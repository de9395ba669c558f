/** Failures of a connection or of the system that may be gone a moment later. */
const CODES: ReadonlySet<unknown> = new Set([
  'EAGAIN',
  'EAI_AGAIN',
  'EBUSY',
  'ECONNABORTED',
  'ECONNRESET',
  'EMFILE',
  'ENFILE',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_SOCKET',
]);
/** Statuses of a server behind which another one is missing for a moment. */
const STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const MAX_CAUSES = 5;

export function isTransientStatus(status: number): boolean {
  return STATUSES.has(status);
}

/** Whether this failure is of a moment: by its code, that of a cause, or because it says so itself. */
export function isTransient(error: unknown): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    const { code, details } = at as { code?: unknown; details?: { transient?: unknown } };
    if (CODES.has(code) || details?.transient === true) return true;
    at = at.cause;
  }
  return false;
}
