import { z } from 'zod';
import { timeLimit } from '../../base/running-time.ts';
import { findVerbatim } from '../../research-text/excerpts.ts';
import { checkStatement } from '../../research-text/statements/check-statement.ts';
import type { Verdict } from '../../research-text/statements/finding.ts';
import { type Evidence, evidenceById } from './analysis.ts';
import { type ResearchSession, shortList } from './research-session.ts';
import type { Statement } from './research-state.ts';

/** Statements of one request. */
const BATCH = 6;
/** Statements that a model is asked about; the rest stays open. */
const MOST_ASKED = 48;
/** For all requests of a report together. */
const ASKING_MS = 180_000;

/** A statement beside what it cites. */
export interface CheckedStatement {
  /** The text without citations, links and images of the model. */
  readonly claim: string;
  readonly evidence: readonly Evidence[];
  /** `open`: neither rules nor a model could tell. */
  readonly verdict: Verdict;
  /** For each of `evidence`, whether it says the statement or a part of it. */
  readonly bySource: readonly boolean[];
}

export type StatementChecks = (statement: Statement) => CheckedStatement;

/**
 * Compares each statement with the excerpts that it cites: by rules, and by a model of the flash tier what
 * rules leave open. No answer of a model changes what rules decided.
 */
export async function checkStatements(
  session: ResearchSession,
  statements: readonly Statement[],
): Promise<StatementChecks> {
  const known = evidenceById(session);
  const checked = new Map<string, CheckedStatement>();
  for (const statement of statements) {
    const key = keyOf(statement);
    if (!checked.has(key)) checked.set(key, byRules(statement, known));
  }
  const open = [...checked].filter(([, { verdict }]) => verdict === 'open').slice(0, MOST_ASKED);
  const limit = open.length === 0 ? null : timeLimit(ASKING_MS);
  for (let at = 0; at < open.length && limit !== null; at += BATCH) {
    const batch = open.slice(at, at + BATCH);
    const answers = await askAbout(
      session,
      batch.map(([, one]) => one),
      limit,
    );
    if (answers === null) break;
    for (const [index, [key, one]] of batch.entries()) {
      checked.set(key, { ...one, ...(answers[index] ?? {}) });
    }
  }
  return (statement) => checked.get(keyOf(statement)) ?? byRules(statement, known);
}

function keyOf({ text, excerpts }: Statement): string {
  return JSON.stringify([text, excerpts]);
}

function byRules(
  { text, excerpts }: Statement,
  known: ReadonlyMap<number, Evidence>,
): CheckedStatement {
  const claim = plainText(text);
  const evidence = excerpts.flatMap((id) => known.get(id) ?? []);
  if (evidence.length === 0) return { claim, evidence, verdict: 'unsupported', bySource: [] };
  const { verdict, bySource } = checkStatement(
    claim,
    evidence.map(({ excerpt }) => excerpt.text),
  );
  return { claim, evidence, verdict, bySource };
}

const Verdicts = z.object({
  verdicts: shortList(
    z.object({
      number: z.int(),
      verdict: z.enum(['says', 'denies', 'silent']),
      words: z.string().max(2_000),
    }),
    BATCH * 2,
  ),
});

type Answer = Pick<CheckedStatement, 'verdict' | 'bySource'>;

/** What a model says of each statement, where it gave a usable answer; null if it gave none at all. */
async function askAbout(
  session: ResearchSession,
  batch: readonly CheckedStatement[],
  limit: AbortSignal,
): Promise<(Answer | null)[] | null> {
  const material = batch.map(({ claim, evidence }, at) =>
    [
      `Statement ${at + 1}: ${claim}`,
      ...evidence.map(({ excerpt }) => `  Passage: ${excerpt.text.replace(/\s+/g, ' ')}`),
    ].join('\n'),
  );
  const answer = await session.ask({
    ...{ prompt: 'check', schema: Verdicts, phase: 'check', light: true, material, limit },
    fixed: `Compare statements 1 to ${batch.length} with their passages.`,
  });
  if (answer === null) return null;
  return batch.map((one, at) => {
    const given = answer.verdicts.filter(({ number }) => number === at + 1);
    if (given.length === 0) return null;
    const says = given.every(({ verdict }) => verdict === 'says');
    if (!says) return { verdict: 'unsupported', bySource: one.evidence.map(() => false) };
    const bySource = one.evidence.map(({ excerpt }) =>
      given.some(({ words }) => findVerbatim(excerpt.text, words) !== null),
    );
    // An approval that quotes nothing of the passages is no answer.
    return bySource.includes(true) ? { verdict: 'supported', bySource } : null;
  });
}

/** A sentence of a model without the citations, links and images that it added. */
export function plainText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\[E?\d+(?: ?[,;] ?E?\d+)*\]/g, '')
    .replace(/!?\[([^\][]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
