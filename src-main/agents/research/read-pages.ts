import { sha256 } from '../../base/canonical-json.ts';
import { timeLimit } from '../../base/running-time.ts';
import { areAlike, normaliseUrl, sketchOf } from '../../research-text/sketch.ts';
import { NOT_RENDERED } from '../../tools/read-rendered.ts';
import type { CallResult } from '../../tools/tool-pipeline.ts';
import { mayRead } from './page-access.ts';
import type { ResearchSession } from './research-session.ts';
import {
  type Found,
  type Round,
  readStoredPage,
  type StoredPage,
  type StoredSource,
  writeStoredPage,
} from './research-state.ts';
import { allOrFirstFailure } from './settle.ts';

/** Pages read at the same time. */
const PARALLEL_PAGES = 4;
/** A shorter text is not content: an empty frame or a login page. */
const LEAST_CHARS = 40;
/** Characters stored of each text. */
const PAGE_CHARS = 50_000;

/** The stored text of a source; empty if it could not be read. */
export function textOf(session: ResearchSession, url: string): string {
  const page = storedPage(session, url);
  return page?.status === 'ok' ? page.text : '';
}

export function storePage(session: ResearchSession, url: string, page: StoredPage): void {
  writeStoredPage(session.parts.journal, { ...session.place, key: keyOf(url) }, page);
}

function storedPage(session: ResearchSession, url: string): StoredPage | null {
  return readStoredPage(session.parts.journal, session.place, keyOf(url));
}

/** The storage key of a page. */
export function keyOf(url: string): string {
  return sha256(normaliseUrl(url)).slice(0, 24);
}

/** Reads picked pages in parallel until enough of them were readable. Each is stored on arrival. */
export async function readPages(session: ResearchSession, round: Round): Promise<void> {
  const picked = round.picked ?? [];
  if (round.isTakenIn) return;
  let next = 0;
  let readable = 0;
  const sketches = session.state.sources.map(({ sketch }) => sketch);
  while (readable < round.wanted && next < picked.length) {
    session.checkPoint();
    const size = Math.min(PARALLEL_PAGES, round.wanted - readable);
    const wave = picked.slice(next, next + size);
    const from = next;
    await allOrFirstFailure(
      wave.map((found, at) => readOne(session, round, { found, index: from + at })),
    );
    next += wave.length;
    for (const { url } of wave) {
      const page = storedPage(session, url);
      if (page?.status !== 'ok') continue;
      // A mirror does not count: another page is read instead.
      const sketch = sketchOf(page.text);
      if (!sketches.some((known) => areAlike(known, sketch))) readable += 1;
      sketches.push(sketch);
    }
  }
}

async function readOne(
  session: ResearchSession,
  round: Round,
  { found, index }: { readonly found: Found; readonly index: number },
): Promise<void> {
  if (storedPage(session, found.url) !== null) return;
  const page = mayRead(session, found.url)
    ? await fetchOne(session, { found, index, round: round.pageRound ?? round.searchRound })
    : fromSnippet(found);
  session.commit(() => storePage(session, found.url, page));
}

async function fetchOne(
  session: ResearchSession,
  {
    found,
    index,
    round,
  }: { readonly found: Found; readonly index: number; readonly round: number },
): Promise<StoredPage> {
  const { pageTimeoutMs } = session.parts;
  const limit = timeLimit(pageTimeoutMs);
  const signal = AbortSignal.any([session.context.signal, limit]);
  try {
    const result = await session.call('fetch_page', { url: found.url }, { round, index, signal });
    return pageOf(result);
  } catch (error) {
    if (session.context.signal.aborted || !limit.aborted) throw error;
    return { status: 'failed', reason: `it took longer than ${pageTimeoutMs / 1000} s` };
  }
}

function pageOf({ status, data, content }: CallResult): StoredPage {
  if (status === 'denied') return { status: 'failed', reason: 'it was not allowed' };
  if (status !== 'ok') return { status: 'failed', reason: failureOf(content) };
  if (typeof data !== 'string') return { status: 'failed', reason: 'the guardrails withheld it' };
  const text = data.slice(0, PAGE_CHARS).replace(/[\ud800-\udbff]$/, '');
  if (text.trim().length >= LEAST_CHARS) return { status: 'ok', text };
  const reason = content.includes(NOT_RENDERED)
    ? 'scripts make it, and the browser did not read it'
    : 'it has no readable text';
  return { status: 'failed', reason };
}

/** The failure in our own words, so that text of the page does not get into the report. */
function failureOf(content: string): string {
  const answered = /The server answered (\d{3})\./.exec(content)?.[1];
  if (answered !== undefined) return `the server answered ${answered}`;
  if (/is not text/.test(content)) return 'it is not text';
  if (/took longer than/.test(content)) return 'it took too long';
  if (/not among the allowed hosts|not on the public internet/.test(content)) {
    return 'it leads to a host that was not allowed';
  }
  return 'it could not be read';
}

/** Uses the search result in place of a page that may not be read. */
function fromSnippet({ title, snippet }: Found): StoredPage {
  return snippet.length < LEAST_CHARS
    ? { status: 'failed', reason: 'it may not be read, and its search snippet is too short' }
    : { status: 'ok', text: `${title}\n\n${snippet}`, isSnippet: true };
}

/** Adds the pages that were read as sources, in the order they were picked, without near-duplicates. */
export function addSources(session: ResearchSession, round: Round): void {
  if (round.isTakenIn) return;
  const { state } = session;
  for (const found of round.picked ?? []) {
    const page = storedPage(session, found.url);
    if (page === null) continue;
    const reason = page.status === 'ok' ? addSource(session, found, page) : page.reason;
    if (reason !== null) state.skipped.push({ url: found.url, reason });
  }
  round.isTakenIn = true;
  session.commit();
}

/** Null if the page became a source; else the reason why not. */
function addSource(
  session: ResearchSession,
  found: Found,
  { text, isSnippet = false }: Extract<StoredPage, { status: 'ok' }>,
): string | null {
  const { state } = session;
  const sketch = sketchOf(text);
  const twin = state.sources.find((source) => areAlike(source.sketch, sketch));
  if (twin !== undefined) return `it has the same text as source ${twin.index}`;
  pushSource(session, { ...found, read: isSnippet ? 'snippet' : 'page', sketch });
  return null;
}

/** Adds a source with the next number. */
export function pushSource(
  session: ResearchSession,
  source: Pick<StoredSource, 'url' | 'title' | 'snippet' | 'foundBy' | 'read' | 'sketch'>,
): void {
  const { state, context } = session;
  const index = session.firstSource + state.sources.length;
  state.sources.push({ ...source, index, excerpts: [], summary: '', isNoted: false });
  const { url, title, snippet, foundBy } = source;
  context.emit({ type: 'source', index, url, title, snippet, foundBy });
}
