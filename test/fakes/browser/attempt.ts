import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { ActingRun, BrowserAction, TaskBrowser } from '#main/browser/types.ts';

/** What an action came to. */
export interface Attempt {
  /** Null where it threw. */
  readonly ok: boolean | null;
  /** `HUNG`: it did not end within the bound. `UNTYPED`: it threw something that is no `AppError`. */
  readonly code: ErrorCode | 'HUNG' | 'UNTYPED' | null;
  /** What the model reads, or the message of the error. */
  readonly text: string;
  readonly url: string | null;
  readonly screenshot: Uint8Array | null;
  readonly ms: number;
}

/** Generous: a page may be as slow as it likes, an action may not. */
export const BOUND_MS = 60_000;

/** Acts, and waits no longer than the bound. */
export async function attempt(
  browser: TaskBrowser,
  action: BrowserAction,
  run: ActingRun,
): Promise<Attempt> {
  const begin = performance.now();
  const base = { ok: null, code: null, url: null, screenshot: null } as const;
  const since = (): number => Math.round(performance.now() - begin);
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<Attempt>((resolve) => {
    timer = setTimeout(
      () => resolve({ ...base, code: 'HUNG', text: 'It did not end.', ms: since() }),
      BOUND_MS,
    );
  });
  const acted = browser.act(action, run).then(
    ({ ok, text, url, screenshot }): Attempt => {
      return { ok, text, url, code: null, screenshot: screenshot ?? null, ms: since() };
    },
    (error: unknown): Attempt => {
      const isTyped = error instanceof AppError;
      const text = error instanceof Error ? error.message : String(error);
      return { ...base, code: isTyped ? error.code : 'UNTYPED', text, ms: since() };
    },
  );
  const result = await Promise.race([acted, bound]);
  clearTimeout(timer);
  return result;
}

/** The refs of a text, in their order. */
export function refsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:f\d+)*e\d+\b/g) ?? [])];
}

/** The ref of the element with this name, and where given this role, in a view of it. */
export function refOf(browser: TaskBrowser, text: string, name: string, role?: string): string {
  const found = refsIn(text).find((ref) => {
    const shown = browser.shown(ref);
    return shown?.name === name && (role === undefined || shown.role === role);
  });
  if (found === undefined) throw new Error(`No ref of "${name}" in:\n${text.slice(0, 2_000)}`);
  return found;
}
