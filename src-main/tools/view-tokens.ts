const SHARE = 0.12;
const LEAST = 500;
const MOST = 2_000;
/** For a window that is not known. */
const USUAL = 1_000;

/** Tokens that one view of a page may take of a model's real window. */
export function viewTokens(window: number | null): number {
  if (window === null) return USUAL;
  return Math.max(LEAST, Math.min(MOST, Math.floor(window * SHARE)));
}
