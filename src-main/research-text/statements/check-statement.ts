import type { Clause } from './clause.ts';
import { clausesOf } from './clauses.ts';
import { FINE, type Finding, open, type Verdict, wrong } from './finding.ts';
import { SourceText } from './source-text.ts';

export interface StatementCheck {
  readonly verdict: Verdict;
  /** What decided: `figure`, `negation`, `subject`, …; empty for `supported`. */
  readonly reason: string;
  /** For each source, whether it says a part of the statement. */
  readonly bySource: readonly boolean[];
}

/** Longer ones are cut: a statement is one sentence or two, an excerpt a paragraph. */
const STATEMENT_CHARS = 800;
const SOURCE_CHARS = 1_500;
/** Of a statement; what has more is a list, which a model may compare. */
const MOST_CLAUSES = 12;

/** Whether `sources` say what `statement` says. In time that grows with the lengths of the texts. */
export function checkStatement(statement: string, sources: readonly string[]): StatementCheck {
  const clauses = clausesOf(statement.slice(0, STATEMENT_CHARS));
  const texts = sources.map((source) => new SourceText(source.slice(0, SOURCE_CHARS)));
  const said = sources.map(() => false);
  const compared = clauses.slice(0, MOST_CLAUSES).filter((one) => !isOnlySaying(one, clauses));
  const isWhole = compared.length > 0 && clauses.length <= MOST_CLAUSES;
  let worst: Finding = isWhole ? FINE : open('nothing to compare');
  for (const clause of compared) {
    const findings = texts.map((text) => text.check(clause));
    for (const [at, { verdict }] of findings.entries()) {
      if (verdict === 'supported') said[at] = true;
    }
    const best =
      findings.find(({ verdict }) => verdict === 'supported') ??
      findings.find(({ verdict }) => verdict === 'open') ??
      findings[0] ??
      wrong('no source');
    if (worseThan(best, worst)) worst = best;
  }
  const { verdict, reason } = worst;
  return { verdict, reason, bySource: said.map((one) => one && verdict === 'supported') };
}

/** “Researchers say”: a clause that only names who says the others. */
function isOnlySaying({ terms, figures, ownSubject }: Clause, all: readonly Clause[]): boolean {
  return (
    all.length > 1 &&
    figures.length === 0 &&
    terms.length === ownSubject.length &&
    terms.every(({ concept }) => all.some(({ speakers }) => speakers.has(concept)))
  );
}

function worseThan(one: Finding, other: Finding): boolean {
  const rank = { supported: 0, open: 1, unsupported: 2 };
  return rank[one.verdict] > rank[other.verdict];
}
