import type { SearchResult } from '#contract/search.ts';
import { areAlike, sketchOf } from '../../../research-text/sketch.ts';
import type { SkillContext } from '../../types.ts';
import { once, settled } from './settled.ts';

/** Pages that are read at the same time. */
const PARALLEL_PAGES = 4;
/** A shorter page has no content: an empty frame, a paywall. */
const LEAST_CHARS = 40;
/** Characters of each page that are read. */
const PAGE_CHARS = 50_000;

/** A page that was tried; its text is null where it could not be read, or is a copy of another. */
export interface TriedPage extends SearchResult {
  readonly text: string | null;
  readonly sketch: readonly number[];
  /** The user or a rule denied reading it. */
  readonly isDenied: boolean;
  /** Its text is that of the search result. */
  readonly isSnippet: boolean;
}

export interface ReadOptions {
  readonly wanted: number;
  readonly before: readonly TriedPage[];
  readonly context: SkillContext;
}

/** Reads pages in parallel, best first, until as many as wanted have been read. */
export async function readPages(
  found: readonly SearchResult[],
  { wanted, before, context }: ReadOptions,
): Promise<TriedPage[]> {
  const tried: TriedPage[] = [];
  const readable = (): number => tried.filter(({ text }) => text !== null).length;
  // After one denial the user is not asked about the next page.
  let mayAsk = !before.some(({ isDenied }) => isDenied);
  for (let next = 0; next < found.length && readable() < wanted; ) {
    const wave = found.slice(next, next + Math.min(PARALLEL_PAGES, wanted - readable()));
    next += wave.length;
    context.progress(`Reading: ${wave.map(({ title }) => title).join('; ')}`);
    const texts = await settled(wave.map((one) => readOne(one, { context, mayAsk })));
    for (const [at, { url, title, snippet, publishedAt, provider }] of wave.entries()) {
      const { text = null, isDenied = false, isSnippet = false } = texts[at] ?? {};
      if (isDenied) mayAsk = false;
      const sketch = text === null ? [] : sketchOf(text);
      const isCopy = [...before, ...tried].some(
        (other) => other.text !== null && areAlike(other.sketch, sketch),
      );
      const page = { url, title, snippet, publishedAt, provider, sketch, isDenied, isSnippet };
      tried.push({ ...page, text: isCopy ? null : text });
    }
  }
  return tried;
}

async function readOne(
  found: SearchResult,
  { context, mayAsk }: { readonly context: SkillContext; readonly mayAsk: boolean },
): Promise<{
  readonly text: string | null;
  readonly isDenied?: boolean;
  readonly isSnippet?: boolean;
}> {
  const { url } = found;
  if (!mayAsk && !/^library:/i.test(url)) return { text: fromSnippet(found), isSnippet: true };
  const page = await once(context, `page ${url}`, async () => {
    const { text } = await context.services.fetch.page(url);
    return text.slice(0, PAGE_CHARS).replace(/[\ud800-\udbff]$/, '');
  });
  if (page.ok) return { text: page.value.trim().length < LEAST_CHARS ? null : page.value };
  if (page.error.code !== 'TOOL_DENIED') return { text: null };
  return { text: fromSnippet(found), isDenied: true, isSnippet: true };
}

/** The search result's text for a page that may not be read. */
function fromSnippet({ title, snippet }: SearchResult): string | null {
  return snippet.length < LEAST_CHARS ? null : `${title}\n\n${snippet}`;
}
