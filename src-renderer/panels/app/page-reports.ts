import { z } from 'zod';
import { makeVisible } from '#contract/visible-text.ts';

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

/**
 * The report in a message of the page at `origin`; null for anything else. Its secret name, which stacks contain, is
 * taken out: a report may become a message to a model.
 */
export function parseReport(data: unknown, origin: string): PageReport | null {
  const message = z.object({ hyperagentPreview: Report }).safeParse(data);
  if (!message.success) return null;
  const { host, hostname } = new URL(origin);
  const [name = hostname] = hostname.split('.');
  const clean = (text: string): string =>
    text.replaceAll(origin, '').replaceAll(host, 'app').replaceAll(name, 'app');
  const entries = Object.entries(message.data.hyperagentPreview).map(([key, value]) => [
    key,
    clean(value),
  ]);
  return Object.fromEntries(entries) as PageReport;
}

/** Words of the page in a fence that they cannot close, with hidden characters shown. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${makeVisible(text)}\n${fence}`;
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
