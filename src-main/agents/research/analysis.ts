import { z } from 'zod';
import { haveOwnWords } from '../../research-text/sketch.ts';
import { numbersOf, termsOf } from '../../research-text/terms.ts';
import { textOf } from './read-pages.ts';
import { type ResearchSession, shortList } from './research-session.ts';
import type { Statement, StoredExcerpt, StoredSource, Synthesis } from './research-state.ts';

const FINDINGS_EACH = 5;
const QUOTE_CHARS = 300;
const sentence = z.string().trim().min(1).max(800);
const CitedStatement = z.object({ text: sentence, excerpts: shortList(z.int(), 8) });

/** An excerpt with its source. */
export interface Evidence {
  readonly source: StoredSource;
  readonly excerpt: StoredExcerpt;
}

/** Every excerpt by the id that models cite. */
export function evidenceById({ state }: ResearchSession): Map<number, Evidence> {
  return new Map(
    state.sources.flatMap((source) =>
      source.excerpts.map((excerpt) => [excerpt.id, { source, excerpt }] as const),
    ),
  );
}

/**
 * The excerpts about a sub-question (null for all) as lines for a model. The first excerpt of each source
 * comes first, so that a small window has something from every source.
 */
export function excerptLines(session: ResearchSession, about: number | null): string[] {
  return evidenceAbout(session, about).map(
    ({ source, excerpt }) =>
      `[E${excerpt.id}] (source ${source.index}) ${excerpt.text.replace(/\s+/g, ' ')}`,
  );
}

function evidenceAbout(session: ResearchSession, about: number | null): Evidence[] {
  return [...evidenceById(session).values()]
    .filter(({ excerpt }) => about === null || isAbout(excerpt, about))
    .sort((a, b) => a.excerpt.number - b.excerpt.number || a.excerpt.id - b.excerpt.id);
}

/** Excerpts about no sub-question count for the first. */
function isAbout({ about }: StoredExcerpt, at: number): boolean {
  return about.includes(at) || (about.length === 0 && at === 0);
}

/** Finds what the sources say about each sub-question. */
export async function analyze(session: ResearchSession): Promise<void> {
  const { state } = session;
  while (state.findings.length < state.subQuestions.length) {
    const at = state.findings.length;
    state.findings.push(await findingsOf(session, at));
    session.commit();
  }
}

const Findings = z.object({ findings: shortList(CitedStatement, FINDINGS_EACH) });

async function findingsOf(session: ResearchSession, at: number): Promise<Statement[]> {
  const material = excerptLines(session, at);
  if (material.length === 0) return [];
  const { question, subQuestions } = session.state;
  const answer = await session.ask({
    ...{ prompt: 'analyze', schema: Findings, phase: 'analyze', material },
    fixed: `Question: ${question}\n\nSub-question: ${subQuestions[at] ?? question}`,
  });
  const found = (answer?.findings ?? []).map((statement) =>
    withExistingExcerpts(session, statement),
  );
  const backed = found.filter(({ excerpts }) => excerpts.length > 0);
  return backed.length > 0 ? backed : quotations(session, at);
}

/** The statement with only the ids of existing excerpts, each once. */
export function withExistingExcerpts(
  session: ResearchSession,
  { text, excerpts }: Statement,
): Statement {
  const known = evidenceById(session);
  return { text, excerpts: [...new Set(excerpts)].filter((id) => known.has(id)) };
}

/** Findings without a model: quotes from the excerpts, sources in turn. */
function quotations(session: ResearchSession, at: number): Statement[] {
  session.markReduced('analyze');
  return evidenceAbout(session, at)
    .slice(0, FINDINGS_EACH)
    .map(({ excerpt }) => ({ text: firstSentence(excerpt.text), excerpts: [excerpt.id] }));
}

function firstSentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const [first = plain] = /^.{40,}?[.!?。！？](?=\s|$|[^\x20-\x7e])/u.exec(plain) ?? [];
  return first.length > QUOTE_CHARS ? `${first.slice(0, QUOTE_CHARS)}…` : first;
}

const Side = z.object({ text: sentence, excerpt: z.int() });
const Compared = z.object({
  agreements: shortList(CitedStatement, 6),
  contradictions: shortList(z.object({ topic: sentence, a: Side, b: Side }), 6),
  gaps: shortList(sentence, 6),
});

/** Finds where sources agree, where they contradict each other, and what is missing. */
export async function synthesize(session: ResearchSession): Promise<void> {
  const { state } = session;
  if (state.synthesis !== null) return;
  const backed = state.findings.flat().filter(({ excerpts }) => excerpts.length > 0);
  const answer =
    sourcesOf(
      session,
      backed.flatMap(({ excerpts }) => excerpts),
    ).size < 2
      ? undefined
      : await session.ask({
          ...{ prompt: 'synthesize', schema: Compared, phase: 'synthesize' },
          material: findingLines(session),
          fixed: `Question: ${state.question}`,
        });
  const open = state.openQuestions;
  if (answer === undefined) state.synthesis = { agreements: [], contradictions: [], gaps: open };
  else if (answer === null) {
    const contradictions = differingFigures(session);
    state.synthesis = { agreements: [], contradictions, gaps: open };
  } else {
    state.synthesis = {
      agreements: answer.agreements
        .map((statement) => withExistingExcerpts(session, statement))
        .filter(({ excerpts }) => areIndependent(session, excerpts)),
      contradictions: answer.contradictions.flatMap(({ topic, a, b }) => {
        const sides = [a, b].map(({ text, excerpt }) =>
          withExistingExcerpts(session, { text, excerpts: [excerpt] }),
        );
        const [one, other] = sides;
        const ids = sides.flatMap(({ excerpts }) => excerpts);
        if (one === undefined || other === undefined || sourcesOf(session, ids).size < 2) return [];
        return [{ topic, sides: [one, other] as [Statement, Statement] }];
      }),
      gaps: answer.gaps.length > 0 ? answer.gaps : open,
    };
  }
  session.commit();
}

/** Findings as lines for a model; the first of each sub-question come first. */
export function findingLines({ state }: ResearchSession): string[] {
  return state.findings
    .flatMap((findings, question) => findings.map((finding, at) => ({ finding, question, at })))
    .sort((a, b) => a.at - b.at || a.question - b.question)
    .map(({ finding: { text, excerpts }, question }) => {
      const ids = excerpts.map((id) => `E${id}`).join(', ');
      return `- (sub-question ${question + 1}) ${text.replace(/\s+/g, ' ')} [${ids}]`;
    });
}

function sourcesOf(session: ResearchSession, excerpts: readonly number[]): Set<number> {
  const known = evidenceById(session);
  return new Set(excerpts.flatMap((id) => known.get(id)?.source.index ?? []));
}

/** Whether several sources say it in their own words: what one took from the page of another counts once. */
function areIndependent(session: ResearchSession, excerpts: readonly number[]): boolean {
  const known = evidenceById(session);
  const cited = excerpts.flatMap((id) => known.get(id) ?? []);
  const urls = new Map(cited.map(({ source: { index, url } }) => [index, url]));
  const passages = cited.map(({ source, excerpt }) => ({
    source: source.index,
    text: excerpt.text,
  }));
  return haveOwnWords(passages, (source) => textOf(session, urls.get(source) ?? ''));
}

/** Share of words that two excerpts on the same subject have in common. */
const SAME_SUBJECT = 0.6;

/** Contradictions without a model: excerpts of different sources that differ only in their figures. */
function differingFigures(session: ResearchSession): Synthesis['contradictions'] {
  const all = evidenceAbout(session, null).map((evidence) => {
    const { text } = evidence.excerpt;
    const words = termsOf(text).filter((term) => !/^\d/.test(term));
    return { ...evidence, words: new Set(words), figures: numbersOf(text) };
  });
  const found: Synthesis['contradictions'] = [];
  for (const [at, one] of all.entries()) {
    for (const other of all.slice(at + 1)) {
      if (one.source.index === other.source.index || found.length === 6) continue;
      const shared = [...one.words].filter((word) => other.words.has(word)).length;
      const isSameSubject =
        shared / Math.max(1, Math.min(one.words.size, other.words.size)) >= SAME_SUBJECT;
      const differs =
        [...one.figures].some((figure) => !other.figures.has(figure)) &&
        [...other.figures].some((figure) => !one.figures.has(figure));
      if (!isSameSubject || !differs) continue;
      const side = ({ excerpt }: Evidence): Statement => ({
        text: firstSentence(excerpt.text),
        excerpts: [excerpt.id],
      });
      const topic = session.state.language === 'zh' ? '数字不一致' : 'Different figures';
      found.push({ topic, sides: [side(one), side(other)] });
    }
  }
  return found;
}
