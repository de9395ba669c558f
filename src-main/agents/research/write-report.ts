import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { numberedStep } from '../../base/step-path.ts';
import { findingLines, withExistingExcerpts } from './analysis.ts';
import { checkStatements } from './check-statements.ts';
import { type ReportDraft, renderReport, statementsOf } from './render-report.ts';
import { type ResearchSession, shortList } from './research-session.ts';
import type { Statement, StoredReport } from './research-state.ts';
import { numbered } from './take-notes.ts';

const CitedStatement = z.object({
  text: z.string().trim().min(1).max(800),
  excerpts: shortList(z.int(), 8),
});
const Draft = z.object({
  title: z.string().trim().min(1).max(300),
  summary: shortList(CitedStatement, 5),
  sections: shortList(
    z.object({
      heading: z.string().trim().min(1).max(200),
      statements: shortList(CitedStatement, 8),
    }),
    8,
  ),
});

/** Writes the report, saves it in the workspace, and publishes it as the answer. */
export async function writeReport(session: ResearchSession): Promise<StoredReport> {
  const { state, context } = session;
  if (state.report === null) {
    const draft = await draftReport(session);
    const checks = await checkStatements(session, statementsOf(session, draft));
    const rendered = renderReport(session, draft, checks);
    const messageRound = session.nextRound();
    const path = await freePath(session, rendered.title);
    const reportId = `${session.id}-report`;
    state.report = { ...rendered, reportId, path, messageRound };
    session.commit();
  }
  const { report } = state;
  if (report.path !== null && !(await saveInWorkspace(session, report))) report.path = null;
  const { reportId, title, markdown, path, citations, agreements, contradictions, gaps } = report;
  const messageId = `${context.runId}-m${numberedStep(context.branch, report.messageRound)}`;
  for (const part of markdown.split(/(?<=\n\n)/)) {
    context.emit({ type: 'token', messageId, text: part });
  }
  context.emit({
    ...{ type: 'report', reportId, title, markdown, citations, agreements, contradictions, gaps },
    ...(path === null ? {} : { path }),
  });
  return report;
}

async function draftReport(session: ResearchSession): Promise<ReportDraft> {
  const { state } = session;
  const material = findingLines(session);
  const byCode = draftByCode(session);
  if (material.length === 0) return byCode;
  const draft = await session.ask({
    ...{ prompt: 'report', schema: Draft, phase: 'report', material },
    fixed: `Question: ${state.question}\n\nSub-questions:\n${numbered(state.subQuestions)}`,
  });
  if (draft === null) return byCode;
  const cited = (statements: readonly Statement[]): Statement[] =>
    statements.map((one) => withExistingExcerpts(session, one));
  const sections = draft.sections.map(({ heading, statements }) => ({
    heading,
    statements: cited(statements),
  }));
  return { title: draft.title, summary: cited(draft.summary), sections };
}

/** A report without a model: the findings under their sub-questions. */
function draftByCode({ state }: ResearchSession): ReportDraft {
  return {
    title: state.question.replace(/\s+/g, ' ').slice(0, 120),
    summary: state.findings.flatMap((findings) => findings.slice(0, 1)),
    sections: state.findings.flatMap((statements, at) =>
      statements.length === 0 ? [] : [{ heading: state.subQuestions[at] ?? '', statements }],
    ),
  };
}

/** A file name that is not taken in the workspace. */
async function freePath({ context }: ResearchSession, title: string): Promise<string> {
  const slug = slugOf(title);
  for (let count = 1; ; count += 1) {
    const path = `research/${slug}${count === 1 ? '' : `-${count}`}.md`;
    try {
      await context.sandbox.workspace.read(path, 1);
    } catch (error) {
      if (error instanceof AppError) return path;
      throw error;
    }
  }
}

function slugOf(title: string): string {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...plain].slice(0, 50).join('').replace(/-+$/, '') || 'report';
}

/** Writes the report and its sources as files; false if the workspace rejects them. */
async function saveInWorkspace(session: ResearchSession, report: StoredReport): Promise<boolean> {
  const { state, context } = session;
  const path = report.path ?? '';
  const sources = state.sources.map(({ index, url, title, foundBy, read, excerpts }) => ({
    ...{ index, url, title, foundBy, read },
    excerpts: excerpts.map(({ number, text }) => ({ number, text })),
  }));
  const { title, citations } = report;
  const listed = { question: state.question, title, sources, citations, skipped: state.skipped };
  const files: readonly (readonly [string, string])[] = [
    [path, report.markdown],
    [path.replace(/\.md$/, '.sources.json'), `${JSON.stringify(listed, null, 2)}\n`],
  ];
  try {
    for (const [file, text] of files) {
      await context.sandbox.workspace.write(file, text);
      context.emit({
        ...{ type: 'workspace_update', operation: 'create', path: file },
        ...{ size: Buffer.byteLength(text), origin: report.reportId },
      });
    }
    return true;
  } catch (error) {
    // The report is still the answer; the event has no path, so readers know that the file is missing.
    if (error instanceof AppError && error.code !== 'DISK_FULL') return false;
    throw error;
  }
}
