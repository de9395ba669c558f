/** What every class of LangChain is given, whichever cloud it is for. */

/** The key goes out with the connection's own headers; the classes only insist on having one. */
export const UNUSED_KEY = 'unused';

/** Where the request goes is up to the connection. Given, so that no variable of the environment is read for it. */
export const UNUSED_ADDRESS = 'https://unused.invalid';

/** Longer than any run: the limits are those of the connection. It is the longest that a timer can take. */
export const UNUSED_TIMEOUT_MS = 2 ** 31 - 1;

/** Room for thinking, which clouds count as output. */
const THINKING_TOKENS = 16_000;

/** The output limit for an answer of `wanted` tokens by a model that thinks, does not, or may (null). */
export function outputLimit(
  wanted: number,
  { thinking, most }: { thinking: boolean | null; most: number | undefined },
): number {
  const limit = thinking === false ? wanted : wanted + THINKING_TOKENS;
  return Math.min(limit, most ?? limit);
}
