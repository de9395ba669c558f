import { Download, FileText } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { saveBase64 } from '../../bridge/save-file.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { ShownPart } from '../../components/markdown/task-context.ts';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { AppState } from '../../store/app-state.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { RunView } from '../../store/run-view.ts';
import { researchStrings } from '../../strings/research.ts';
import { runsWith } from '../computer/run-select.tsx';
import type { ReportHeading } from './report-markdown.tsx';

const words = researchStrings.report;
const FORMATS = ['md', 'html', 'pdf'] as const;

type Report = RunEventOf<'report'>;

const load = () =>
  import('./report-markdown.tsx').then((module) => ({ default: module.ReportMarkdown }));
const ReportMarkdown = lazy(load);

const hasReport = ({ research }: RunView): boolean => research.reports.length > 0;

/** A report of the task: its contents, its text with citations, and its open questions. */
export function ReportTab({
  threadId,
  requested,
}: {
  readonly threadId: string;
  readonly requested: Extract<ShownPart, { side: 'report' }> | null;
}): ReactNode {
  const reports = useApp((state) => reportsOf(state, threadId), shallowEqual);
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request resets the choice
  useEffect(() => setChosen(null), [requested]);
  const selected = chosen ?? (requested === null ? null : keyOf(requested));
  const report = reports.find((one) => keyOf(one) === selected) ?? reports.at(-1);
  if (report === undefined) return <EmptyState icon={FileText} text={words.none} />;
  return (
    <div className="report-tab">
      {reports.length > 1 && (
        <label className="run-select">
          <span>{words.chooser}</span>
          <select value={keyOf(report)} onChange={(event) => setChosen(event.target.value)}>
            {reports.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
      )}
      <ReportView key={keyOf(report)} report={report} />
    </div>
  );
}

function reportsOf(state: AppState, threadId: string): readonly Report[] {
  return runsWith(state, threadId, hasReport).flatMap(
    (runId) => state.views.get(runId)?.research.reports ?? [],
  );
}

function keyOf({ runId, reportId }: Pick<Report, 'runId' | 'reportId'>): string {
  return `${runId} ${reportId}`;
}

function ReportView({ report }: { readonly report: Report }): ReactNode {
  const [headings, setHeadings] = useState<readonly ReportHeading[]>([]);
  const { runId, title, markdown, citations, agreements, contradictions, gaps } = report;
  const doubtful = citations.filter(({ supported }) => !supported).length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="plan-scroll" tabIndex={0} aria-label={words.tab}>
      <header className="report-header">
        <h2 className="report-title">
          <VisibleText text={title} />
        </h2>
        <ExportMenu report={report} />
      </header>
      <p className="report-facts muted" data-doubtful={doubtful > 0}>
        {words.count(citations.length, doubtful)}
      </p>
      {headings.length > 1 && <Contents headings={headings} />}
      <Suspense fallback={<p className="markdown-source">{markdown}</p>}>
        <ReportMarkdown
          runId={runId}
          source={withoutTitle(markdown, title)}
          citations={citations}
          onHeadings={setHeadings}
        />
      </Suspense>
      <Findings title={words.agreements} tone="ok" texts={agreements} report={report} />
      <Findings
        title={words.contradictions}
        tone="warning"
        texts={contradictions}
        report={report}
      />
      <Findings title={words.gaps} tone="neutral" texts={gaps} report={report} />
    </section>
  );
}

/** Without the title, which is shown above the text already. */
function withoutTitle(markdown: string, title: string): string {
  const [line = '', heading = ''] = /^\s*#[ \t]+([^\n]*)\n?/.exec(markdown) ?? [];
  const isTitle =
    heading.startsWith(title.trim()) && /^[\s#]*$/.test(heading.slice(title.trim().length));
  return isTitle ? markdown.slice(line.length) : markdown;
}

function Contents({ headings }: { readonly headings: readonly ReportHeading[] }): ReactNode {
  const goTo = ({ element }: ReportHeading): void => {
    element.tabIndex = -1;
    element.scrollIntoView({ block: 'start' });
    element.focus({ preventScroll: true });
  };
  return (
    <nav className="report-contents" aria-label={words.contents}>
      <p className="section-label">{words.contents}</p>
      <ol>
        {headings.map((heading, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings have no name but their place
          <li key={index} data-level={heading.level}>
            <button type="button" className="link" onClick={() => goTo(heading)}>
              <VisibleText text={heading.text} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Findings of the research that are not in the text already. */
function Findings({
  title,
  tone,
  texts,
  report: { runId, markdown, citations },
}: {
  readonly title: string;
  readonly tone: 'ok' | 'warning' | 'neutral';
  readonly texts: readonly string[];
  readonly report: Report;
}): ReactNode {
  const others = texts.filter((text) => !markdown.includes(text));
  if (others.length === 0) return null;
  return (
    <section className="findings" data-tone={tone}>
      <h3>{title}</h3>
      <ul>
        {others.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no name but their place
          <li key={index}>
            <Suspense fallback={<VisibleText text={text} />}>
              <ReportMarkdown runId={runId} source={text} citations={citations} />
            </Suspense>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ExportMenu({ report: { runId, reportId } }: { readonly report: Report }): ReactNode {
  const session = useSession();
  const [making, setMaking] = useState(false);
  const save = async (format: (typeof FORMATS)[number]): Promise<void> => {
    setMaking(true);
    const result = await session.bridge.request('reports.export', { runId, reportId, format });
    setMaking(false);
    if (result.ok) saveBase64(result.data);
    else session.showError(result.error.message);
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small" disabled={making}>
          {making ? <Spinner /> : <Download aria-hidden="true" size={14} />}
          {making ? words.exporting : words.export}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={12}>
          {FORMATS.map((format) => (
            <DropdownMenu.Item
              key={format}
              className="menu-item"
              onSelect={() => void save(format)}
            >
              {words.formats[format]}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
