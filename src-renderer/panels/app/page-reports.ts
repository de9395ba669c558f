import { z } from 'zod';

const short = (limit: number) => z.string().transform((text) => text.slice(0, limit));

/** What the script in a page reports. The page may forge it: it is shown as the page's words, and does nothing. */
const Report = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('console'),
    level: z.enum(['debug', 'log', 'info', 'warn', 'error']),
    text: short(2_000),
  }),
  z.object({ kind: z.literal('error'), text: short(2_000) }),
  z.object({ kind: z.literal('failed'), text: short(2_000) }),
  z.object({ kind: z.literal('place'), text: short(300) }),
  z.object({
    kind: z.literal('picked'),
    selector: short(300),
    text: short(200),
    html: short(500),
  }),
]);
export type PageReport = z.infer<typeof Report>;

/** The report in a message of the page; null for anything else. */
export function parseReport(data: unknown): PageReport | null {
  const message = z.object({ hyperagentPreview: Report }).safeParse(data);
  return message.success ? message.data.hyperagentPreview : null;
}

export interface LoggedLine {
  readonly id: number;
  readonly kind: 'log' | 'info' | 'warn' | 'error' | 'failed';
  readonly text: string;
  /** How often it came in a row. */
  readonly count: number;
}

/** Lines that are kept. */
const MOST_LINES = 200;

/** The lines with those that new reports add; the oldest give way. */
export function withReports(
  lines: readonly LoggedLine[],
  reports: readonly PageReport[],
): readonly LoggedLine[] {
  const all = [...lines];
  for (const report of reports) {
    const line = lineOf(report);
    if (line === null) continue;
    const last = all.at(-1);
    if (last?.kind === line.kind && last.text === line.text) {
      all[all.length - 1] = { ...last, count: last.count + 1 };
    } else {
      all.push({ ...line, id: (last?.id ?? 0) + 1, count: 1 });
    }
  }
  return all.slice(-MOST_LINES);
}

function lineOf(report: PageReport): Pick<LoggedLine, 'kind' | 'text'> | null {
  switch (report.kind) {
    case 'console': {
      const kind = report.level === 'debug' ? 'log' : report.level;
      return { kind, text: report.text };
    }
    case 'error':
    case 'failed':
      return { kind: report.kind, text: report.text };
    case 'place':
    case 'picked':
      return null;
  }
}

/** How many lines say that something is wrong. */
export function countErrors(lines: readonly LoggedLine[]): number {
  return lines
    .filter(({ kind }) => kind === 'error' || kind === 'failed')
    .reduce((sum, { count }) => sum + count, 0);
}
