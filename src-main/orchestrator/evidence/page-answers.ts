import { AppError } from '#contract/errors.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { fetchDocument, parseWebUrl } from '../../egress/fetch.ts';
import { targetOfUrl } from '../../egress/target.ts';
import type { EvidenceContext } from './check-evidence.ts';
import { type CheckedFact, fact } from './types.ts';

/** Only the status matters, so little of the body is read. */
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 30_000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i;

/**
 * Whether an address answers. Addresses of the sandbox are requested from inside it. Others count if the
 * step has read them, and are requested only if the run may reach them.
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
    return fact(claim, 'unknown', 'This is not a web address.');
  }
  if (LOOPBACK.test(url.hostname)) {
    // JSON strings are valid Python literals.
    const code = `import urllib.request; urllib.request.urlopen(${JSON.stringify(url.href)}, timeout=10)`;
    return (await probe(code))
      ? fact(claim, 'holds', 'It answered inside the sandbox.')
      : fact(claim, 'fails', 'Nothing answers there inside the sandbox.');
  }
  const wasRead = calls.some(
    ({ name, status, arguments: given }) =>
      name === 'fetch_page' && status === 'ok' && given.url === address,
  );
  if (wasRead) return fact(claim, 'holds', 'The task has read it.');
  if (!egress.allows(targetOfUrl(url))) {
    return fact(
      claim,
      'unknown',
      'The network rules of this task do not allow it, so it was not checked.',
    );
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
