import { z } from 'zod';
import { scanResult } from '../../guardrails/injection-scan.ts';
import { bestExcerpts, findExcerpt } from '../../research-text/excerpts.ts';
import { pickPassages } from '../../research-text/passages.ts';
import { termsOf } from '../../research-text/terms.ts';
import { textOf } from './read-pages.ts';
import { type ResearchSession, shortList } from './research-session.ts';
import type { StoredSource } from './research-state.ts';

const EXCERPTS_EACH = 4;

const Notes = z.object({
  excerpts: shortList(z.object({ text: z.string(), about: shortList(z.int(), 10) }), EXCERPTS_EACH),
  summary: z.string().max(2_000),
});

/** Takes notes on every source that has none yet. */
export async function takeNotes(session: ResearchSession): Promise<void> {
  for (const source of session.state.sources) {
    if (source.isNoted) continue;
    await noteSource(session, source);
    session.commit();
  }
}

/**
 * Code picks the passages that match the question, so that small context windows suffice. The model quotes
 * from them, and each quotation is looked up in the text, so that stored excerpts are verbatim.
 */
async function noteSource(session: ResearchSession, source: StoredSource): Promise<void> {
  const { state, context } = session;
  const text = textOf(session, source.url);
  const query = [state.question, ...state.subQuestions].join('\n');
  const fixed = `Question: ${state.question}\n\nSub-questions:\n${numbered(state.subQuestions)}`;
  const passages = pickPassages(text, query, await session.materialChars('notes', fixed));
  const material = passages.map((passage) => passage.text).join('\n\n');
  const notes = await session.ask({
    ...{ prompt: 'notes', schema: Notes, phase: 'notes', light: true, fixed },
    material: [material],
    from: source.url,
  });
  const quoted = (notes?.excerpts ?? []).map(({ text: quotation, about }) => ({
    found: findExcerpt(text, quotation),
    about,
  }));
  const byCode = bestExcerpts(text, query, 2).map((found) => ({ found, about: [] as number[] }));
  let id = state.sources.reduce((sum, { excerpts }) => sum + excerpts.length, 0);
  for (const { found, about } of notes === null ? byCode : quoted) {
    const isKnown = source.excerpts.some((excerpt) => excerpt.text === found);
    // A passage that reads like a prompt injection is not evidence.
    if (found === null || isKnown || scanResult(found).length > 0) continue;
    id += 1;
    source.excerpts.push({
      ...{ id, number: source.excerpts.length + 1, text: found },
      about: aboutOf(about, found, state.subQuestions),
    });
  }
  source.summary = notes?.summary.trim() ?? '';
  source.isNoted = true;
  const { index, url, title, snippet, foundBy } = source;
  const excerpts = source.excerpts.map((excerpt) => ({
    number: excerpt.number,
    text: excerpt.text,
  }));
  context.emit({ type: 'source', index, url, title, snippet, foundBy, excerpts });
}

/** Positions of the sub-questions that the model named; if none, of those that share the most words. */
function aboutOf(
  named: readonly number[],
  text: string,
  subQuestions: readonly string[],
): number[] {
  const valid = [...new Set(named)]
    .map((number) => number - 1)
    .filter((at) => at >= 0 && at < subQuestions.length);
  if (valid.length > 0) return valid.sort((a, b) => a - b);
  const terms = new Set(termsOf(text));
  const shared = subQuestions.map(
    (question) => new Set(termsOf(question).filter((term) => terms.has(term))).size,
  );
  const most = Math.max(...shared);
  return most === 0 ? [] : shared.flatMap((count, at) => (count === most ? [at] : []));
}

/** Numbers lines from 1. */
export function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${at + 1}. ${line}`).join('\n');
}
