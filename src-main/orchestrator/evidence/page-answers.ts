import { AppError } from '#contract/errors.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { fetchDocument, parseWebUrl } from '../../egress/fetch.ts';
import { targetOfUrl } from '../../egress/target.ts';
import type { EvidenceContext } from './check-evidence.ts';
import { type CheckedFact, fact } from './types.ts';

/** Only whether it answers counts, not what. */
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 30_000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i;

/**
 * Whether an address answers. One of the sandbox itself is asked from inside; one outside is only asked
 * where the run may reach it anyway, and otherwise taken from what the step read.
 */
export async function checkPage(
  address: string,
  { calls, egress, probe, signal }: EvidenceContext,
): Promise<CheckedFact> {
  const claim = `${address} answers`;
  let url: URL;
  try {
    url = parseWebUrl(address);
  } catch {
    return fact(claim, 'unknown', 'It is no address of a page.');
  }
  if (LOOPBACK.test(url.hostname)) {
    // JSON strings are literals of Python too.
    const code = `import urllib.request; urllib.request.urlopen(${JSON.stringify(url.href)}, timeout=10)`;
    return (await probe(code))
      ? fact(claim, 'holds', 'It answered inside the sandbox.')
      : fact(claim, 'fails', 'Nothing answers there inside the sandbox.');
  }
  const wasRead = calls.some(
    ({ name, status, arguments: given }) =>
      name === 'fetch_page' && status === 'ok' && given.url === address,
  );
  if (wasRead) return fact(claim, 'holds', 'It was read.');
  if (!egress.lets(targetOfUrl(url))) {
    return fact(claim, 'unknown', 'The task may not reach it, so nobody looked.');
  }
  try {
    const { status } = await fetchDocument(url.href, egress.client('fetch'), { ...LIMITS, signal });
    const state = status < 400 ? 'holds' : 'fails';
    return fact(claim, state, `It answered ${status}.`);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof AppError || error instanceof EgressDenied) {
      return fact(claim, 'fails', error.message);
    }
    throw error;
  }
}
