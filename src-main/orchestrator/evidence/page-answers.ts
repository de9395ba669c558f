import { AppError } from '#contract/errors.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { fetchDocument, parseWebUrl } from '../../egress/fetch.ts';
import { targetOfUrl } from '../../egress/target.ts';
import type { EvidenceContext } from './check-evidence.ts';
import { checkShown } from './page-claims.ts';
import { ShownPages } from './shown-pages.ts';
import { type CheckedFact, fact } from './types.ts';

/** Only the status matters, so little of the body is read. */
const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 30_000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i;

/** A target that names a text beside the address. */
const SHOWS = /^(\S+)\s+(?:shows|says|contains|显示)\s*:?\s*(\S[\s\S]*)$/;
const QUOTES = /^["'“”‘’「」`]|["'“”‘’「」`]$/g;

/**
 * Whether an address answers, or showed a text. Addresses of the sandbox are requested from inside it. Others count if
 * the step has read them, and are requested only if the run may reach them; a text counts only if the run has seen it.
 */
export async function checkPage(
  target: string,
  { calls, earlierCalls, egress, probe, signal }: EvidenceContext,
): Promise<CheckedFact> {
  const [, address = target, quoted] = SHOWS.exec(target.trim()) ?? [];
  const text = quoted?.replace(QUOTES, '') ?? null;
  const claim = text === null ? `${address} answers` : `${address} shows "${text}"`;
  const pages = new ShownPages([...earlierCalls, ...calls]);
  const shown = text === null ? null : checkShown(text, address, pages);
  const url = webUrlOf(address);
  if (shown?.holds === true) return shown;
  if (url !== null && LOOPBACK.test(url.hostname)) {
    // JSON strings are valid Python literals.
    const open = `import urllib.request; answer = urllib.request.urlopen(${JSON.stringify(url.href)}, timeout=10)`;
    const look =
      text === null
        ? ''
        : `; assert ${JSON.stringify(text)} in answer.read(2_000_000).decode('utf-8', 'replace')`;
    return (await probe(`${open}${look}`))
      ? fact(claim, 'holds', 'It answered inside the sandbox.')
      : fact(
          claim,
          'fails',
          `Nothing answers there${text === null ? '' : ' so'} inside the sandbox.`,
        );
  }
  if (shown !== null) return shown;
  if (url === null) return fact(claim, 'unknown', 'This is not a web address.');
  if (new ShownPages(calls).answered(address)) return fact(claim, 'holds', 'The task has read it.');
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

function webUrlOf(address: string): URL | null {
  try {
    return parseWebUrl(address);
  } catch {
    return null;
  }
}
