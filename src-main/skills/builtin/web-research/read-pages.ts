import type { SearchResult } from '#contract/search.ts';
import { areAlike, sketchOf } from '../../../research-text/sketch.ts';
import type { SkillContext } from '../../types.ts';
import { once, settled } from './settled.ts';

/** Pages that are read at the same time. */
const PARALLEL_PAGES = 4;
/** Less than this is a page that has nothing to say: an empty frame, a wall. */
const LEAST_CHARS = 40;
/** Of each page, what is looked at. */
const PAGE_CHARS = 50_000;

/** A page that was tried; null for one that could not be read, or that says what another says. */
export interface TriedPage extends SearchResult {
  readonly text: string | null;
  readonly sketch: readonly number[];
  /** The person, or a rule, did not let it be read. */
  readonly isRefused: boolean;
}

export interface ReadOptions {
  readonly wanted: number;
  readonly before: readonly TriedPage[];
  readonly context: SkillContext;
}

/** Reads pages side by side, best first, until as many as are wanted could be read. */
export async function readPages(
  found: readonly SearchResult[],
  { wanted, before, context }: ReadOptions,
): Promise<TriedPage[]> {
  const tried: TriedPage[] = [];
  const readable = (): number => tried.filter(({ text }) => text !== null).length;
  // Who said no once is not asked about the next page.
  let mayAsk = !before.some(({ isRefused }) => isRefused);
  for (let next = 0; next < found.length && readable() < wanted; ) {
    const wave = found.slice(next, next + Math.min(PARALLEL_PAGES, wanted - readable()));
    next += wave.length;
    context.progress(`Reading: ${wave.map(({ title }) => title).join('; ')}`);
    const texts = await settled(wave.map((one) => readOne(one, { context, mayAsk })));
    for (const [at, { url, title, snippet, publishedAt, provider }] of wave.entries()) {
      const { text = null, isRefused = false } = texts[at] ?? {};
      if (isRefused) mayAsk = false;
      const sketch = text === null ? [] : sketchOf(text);
      const isCopy = [...before, ...tried].some(
        (other) => other.text !== null && areAlike(other.sketch, sketch),
      );
      const page = { url, title, snippet, publishedAt, provider, sketch, isRefused };
      tried.push({ ...page, text: isCopy ? null : text });
    }
  }
  return tried;
}

async function readOne(
  found: SearchResult,
  { context, mayAsk }: { readonly context: SkillContext; readonly mayAsk: boolean },
): Promise<{ readonly text: string | null; readonly isRefused?: boolean }> {
  const { url } = found;
  if (!mayAsk && !/^library:/i.test(url)) return { text: fromSnippet(found) };
  const page = await once(context, `page ${url}`, async () => {
    const { text } = await context.services.fetch.page(url);
    return text.slice(0, PAGE_CHARS).replace(/[\ud800-\udbff]$/, '');
  });
  if (page.ok) return { text: page.value.trim().length < LEAST_CHARS ? null : page.value };
  if (page.error.code !== 'TOOL_DENIED') return { text: null };
  return { text: fromSnippet(found), isRefused: true };
}

/** What the search says of a page that may not be read. */
function fromSnippet({ title, snippet }: SearchResult): string | null {
  return snippet.length < LEAST_CHARS ? null : `${title}\n\n${snippet}`;
}
