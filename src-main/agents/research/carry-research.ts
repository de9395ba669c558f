import { isWithinCall } from '../../base/step-path.ts';
import type { RunJournal } from '../../storage/types.ts';
import { keyOf } from './read-pages.ts';
import type { ResearchSession } from './research-session.ts';
import {
  type ResearchState,
  readResearch,
  researchBranches,
  storedPages,
  writeResearch,
  writeStoredPage,
} from './research-state.ts';
import { carrySourceNumbers } from './source-numbers.ts';

/**
 * Copies what the research of one run found into another: sub-questions, search results, page texts,
 * notes and findings. The permission to read pages is not copied, and pages that failed may be tried
 * again.
 */
export function carryResearch(
  journal: RunJournal,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  carrySourceNumbers(journal, { from, to });
  // Not that of skills: a retry makes their calls again.
  for (const branch of researchBranches(journal, from).filter((one) => !isWithinCall(one))) {
    const source = { runId: from, branch };
    const target = { runId: to, branch };
    const old = readResearch(journal, source);
    if (old === null || readResearch(journal, target) !== null) continue;
    const failed = new Set<string>();
    for (const { key, page } of storedPages(journal, source)) {
      if (page.status === 'ok') writeStoredPage(journal, { ...target, key }, page);
      else failed.add(key);
    }
    writeResearch(journal, target, {
      ...old,
      skipped: old.skipped.filter(({ url }) => !failed.has(keyOf(url))),
      report: withReportId(old, from, to),
      // A finished report is published again, in the log of this run.
      phase: old.phase === 'done' ? 'write_report' : old.phase,
      ...{ access: null, requests: 0, toolCalls: 0, isTold: false },
    });
  }
}

function withReportId(
  { report }: ResearchState,
  from: string,
  to: string,
): ResearchState['report'] {
  return report === null ? null : { ...report, reportId: report.reportId.replace(from, to) };
}

/** Publishes what an earlier run found, so that the log has every source that a report cites. */
export function emitCarriedResearch(session: ResearchSession): void {
  const { state, context } = session;
  if (state.isTold) return;
  const place = session.id;
  const { scenario, depth, subQuestions } = state;
  for (const [at, { queries }] of state.rounds.entries()) {
    if (queries.length === 0) continue;
    const planId = `${place}-plan${at + 1}`;
    context.emit({ type: 'search_plan', planId, queries, scenario, depth, subQuestions });
  }
  for (const { index, url, title, snippet, foundBy, excerpts } of state.sources) {
    const published = excerpts.map(({ number, text }) => ({ number, text }));
    context.emit({ type: 'source', index, url, title, snippet, foundBy, excerpts: published });
  }
  const judged = state.rounds.filter(({ isJudged }) => isJudged).length;
  if (judged > 0) {
    const { summary, openQuestions, answered } = state;
    const coverage = answered.length / Math.max(1, subQuestions.length);
    const update = { updateId: `${place}-k${judged}`, summary, openQuestions, coverage };
    context.emit({ type: 'knowledge_update', ...update });
  }
  state.isTold = true;
  session.commit();
}
