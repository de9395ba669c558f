import { AppError } from '#contract/errors.ts';
import { LONGER, type ReadablePage, textOfHtml } from '../documents/readable-page.ts';
import { pageOf } from '../egress/page-of.ts';
import type { ToolParts } from './define-tool.ts';
import type { ToolContext } from './types.ts';

/** A page that was read, with a line about how its text was made; empty where there is nothing to say. */
export interface ReadByScripts extends ReadablePage {
  readonly note: string;
}

type Parts = Pick<ToolParts, 'browsers' | 'documents'>;
type Scope = Pick<ToolContext, 'egress' | 'signal'>;

const READ_BY_BROWSER = '[Scripts make this page: it was read in the browser.]';
/** How the note of a page begins that the browser did not read. */
export const NOT_RENDERED = '[Scripts make this page, and it was not read in the browser: ';

/**
 * A page that was fetched, and whose scripts make its text, as the browser shows it: in a context of its own, by the
 * egress of the run. Where that gives no text, the page stays as it was, and the note says why.
 */
export async function readRendered(
  page: ReadablePage,
  parts: Parts,
  scope: Scope,
): Promise<ReadByScripts> {
  const fetched = pageOf(page.url);
  if (!page.needsScripts || page.status >= 400 || fetched === null) return { ...page, note: '' };
  try {
    // As for the browser of a task: the address was cleared, and what the page loads is its own choice.
    const egress = scope.egress.client('browser', [fetched.target]);
    const rendered = await parts.browsers.render(page.url, { egress, signal: scope.signal });
    const { url, text } = await textOf(rendered, fetched.host, { parts, scope });
    return { ...page, url, text, note: READ_BY_BROWSER };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...page, note: `${NOT_RENDERED}${error.message}]` };
  }
}

/** Throws `FETCH_FAILED` for a page that has no text, or that led to where the run may not go without asking. */
async function textOf(
  { url, html, isCut, refused }: Awaited<ReturnType<Parts['browsers']['render']>>,
  host: string,
  { parts, scope }: { readonly parts: Parts; readonly scope: Scope },
): Promise<Pick<ReadablePage, 'url' | 'text'>> {
  const now = pageOf(url);
  if (now === null || (now.host !== host && !scope.egress.allowsPage(now.address))) {
    const where = now?.host ?? 'another page';
    throw noText(`It leads to ${where}. Call fetch_page with that address.`);
  }
  const body = Buffer.from(html);
  const source = { url, body, contentType: 'text/html; charset=utf-8' };
  const { text } = await textOfHtml(source, { signal: scope.signal, documents: parts.documents });
  if (text !== '') return { url, text: isCut ? `${text}\n${LONGER}` : text };
  const why =
    refused.length === 0 ? '' : ` This task may not reach ${refused.slice(0, 4).join(', ')}.`;
  throw noText(`It shows no text there either.${why}`);
}

function noText(why: string): AppError {
  return new AppError('FETCH_FAILED', why);
}
