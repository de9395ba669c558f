import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { isTransientStatus } from '../../base/transient.ts';
import { readPage } from '../../documents/readable-page.ts';
import { pageOf } from '../../egress/page-of.ts';
import type { LibraryReader } from '../../search/types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { readRendered } from '../read-rendered.ts';
import type { FoundSource, ToolContext, ToolDefinition, ToolOutput } from '../types.ts';

const PAGE_CHARS = 50_000;
const NO_TEXT = '[There is no text on this page.]';
/** Addresses of documents in the user's own folders, as a search returns them. */
const LIBRARY = /^library:/i;

/**
 * Reads a page. A host that the run may reach anyway is no risk; for any other the user is asked, and sees
 * the whole address, because an address can leak what the model knows. A page that its scripts make is read in the
 * browser. A document of the library is read in place.
 */
export function tool({
  library,
  documents,
  browsers,
}: Pick<ToolParts, 'library' | 'documents' | 'browsers'>): ToolDefinition {
  return defineTool({
    name: 'fetch_page',
    description: 'Read a web page, or a library: address from a search, as text.',
    input: z.strictObject({ url: z.string().min(1).max(8_000) }),
    question: () => 'Open this page?',
    risk: 'low',
    inRun: ({ url }, { egress }) => {
      const page = pageOf(url);
      const isRefused =
        page !== null && (egress.client('fetch').limitOn?.(page.target) ?? null) !== null;
      // Nobody can allow what the policy of this computer forbids: the call is refused without a question.
      if (page === null || isRefused) return { risk: 'low' };
      return { risk: egress.allowsPage(page.address) ? 'low' : 'high' };
    },
    effect: 'read',
    notice: ({ url }) =>
      `It requests this address from ${pageOf(url)?.host ?? 'that host'}, and so sends everything in it there. The answer is read as data. If scripts make its text, they run in a browser without your sign-ins.`,
    subjects: ({ url }) => ({ hosts: [pageOf(url)?.host ?? ''].filter((host) => host !== '') }),
    maxResultChars: PAGE_CHARS,
    run: async ({ url }, context) => {
      const { egress, signal } = context;
      if (LIBRARY.test(url)) {
        const document = await readDocument(url, library, signal);
        const title = document.content.split('\n', 1)[0] ?? '';
        return withSource(document, { url, title, foundBy: 'library' }, context);
      }
      const asked = pageOf(url);
      const egressClient =
        asked === null ? egress.client('fetch') : egress.pageClient(asked.address);
      try {
        const fetched = await readPage(url, egressClient, { signal, documents });
        const page = await readRendered(fetched, { browsers, documents }, context);
        const note = page.note === '' ? '' : `${page.note}\n`;
        const head = page.status >= 400 ? `The server answered ${page.status}.\n` : '';
        const from = page.url === url ? '' : `It is now at ${page.url}\n`;
        const output = {
          content: `${head}${from}${note}${page.text === '' ? NO_TEXT : page.text}`,
          ok: page.status < 400,
          ...(isTransientStatus(page.status) ? { transient: true } : {}),
          data: page.text,
          untrusted: new URL(page.url).host,
        };
        const [title = ''] = page.text.trim().split('\n', 1);
        return output.ok ? withSource(output, { url, title }, context) : output;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'EGRESS_DENIED') throw error;
        return {
          content: `${error.message} ${HINTS[String(error.details.reason)] ?? ''}`,
          ok: false,
        };
      }
    },
  });
}

async function readDocument(
  url: string,
  library: LibraryReader | null,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (library === null) throw new AppError('NOT_FOUND', 'There is no library here.');
  const { title, text } = await library.read(url, signal);
  // The folders are the user's, but anyone may have written the documents in them.
  return { content: `${title}\n\n${text}`, data: text, untrusted: 'the library' };
}

/** The output with the event of a source that was read. One without a title has its address for it. */
function withSource(
  output: ToolOutput,
  { title, ...found }: FoundSource,
  { sources, toolCallId }: Pick<ToolContext, 'sources' | 'toolCallId'>,
): ToolOutput {
  if (sources == null) return output;
  const read = { ...found, title: title.trim() === '' ? found.url : title.trim(), isRead: true };
  return { ...output, events: sources.add([read], toolCallId).events };
}

const HINTS: Readonly<Record<string, string>> = {
  offline: 'Work without it, or ask the user to let this task reach the network.',
  not_listed: 'If it was a redirect, call fetch_page with that address, and the user is asked.',
  denied_by_rule: 'Do not try to reach it by other means.',
  denied_by_policy: 'Do not try to reach it by other means.',
  private_address: 'Pages of the local network cannot be read.',
};
