import { AppError } from '#contract/errors.ts';
import { EgressDenied } from './denied.ts';
import { parseWebUrl } from './fetch.ts';
import { type EgressTarget, targetOfUrl } from './target.ts';

/** The page at an address, and where it is requested; null where that is not the address of a page. */
export function pageOf(
  url: string,
): { readonly address: URL; readonly target: EgressTarget; readonly host: string } | null {
  try {
    const address = parseWebUrl(url);
    const target = targetOfUrl(address);
    return { address, target, host: target.host };
  } catch (error) {
    if (error instanceof AppError || error instanceof EgressDenied) return null;
    throw error;
  }
}
