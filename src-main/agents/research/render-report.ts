import type { Citation } from '#contract/events/research.ts';
import { plainText, type StatementChecks } from './check-statements.ts';
import type { ResearchSession } from './research-session.ts';
import type { Statement, StoredReport } from './research-state.ts';

/** A report before it is rendered. */
export interface ReportDraft {
  readonly title: string;
  readonly summary: readonly Statement[];
  readonly sections: readonly {
    readonly heading: string;
    readonly statements: readonly Statement[];
  }[];
}

export type RenderedReport = Pick<
  StoredReport,
  'title' | 'markdown' | 'citations' | 'agreements' | 'contradictions' | 'gaps' | 'unverified'
>;

const WORDS = {
  en: {
    summary: 'Summary',
    agreements: 'Where sources agree',
    contradictions: 'Where sources contradict each other',
    gaps: 'What was not found',
    unsupported: 'Statements without a source',
    sources: 'Sources',
    skipped: 'Pages not used',
    method: 'Method',
    doubt: '⚠ the quoted passage may not support this',
    unchecked: '⚠ this could not be checked against the quoted passage',
    against: 'on the other hand',
    nothing: 'The search found nothing that answers the question.',
    snippets:
      'Reading the pages was not allowed, so some statements rest on search result snippets.',
    reduced: (phases: string): string =>
      `The model gave no usable answer in: ${phases}. These parts were assembled from excerpts.`,
    counts: (queries: number, read: number, snippets: number): string =>
      `Searches: ${queries}. Sources read: ${read}.${snippets === 0 ? '' : ` Not read, known from search results only: ${snippets}.`}`,
    failed: (query: string): string => `This search failed: ${query}`,
    notSupported: (claim: string): string => `The cited passage does not support: ${claim}`,
    notChecked: (claim: string): string => `Could not be checked against its source: ${claim}`,
    noSource: (claim: string): string => `No source for: ${claim}`,
    noPage: 'No page was read.',
    noAnswer: 'None of the questions of this research was answered.',
    snippetOnly: 'search result only, page not read',
  },
  zh: {
    summary: '摘要',
    agreements: '来源一致之处',
    contradictions: '来源相互矛盾之处',
    gaps: '未找到的内容',
    unsupported: '没有来源支持的说法',
    sources: '来源',
    skipped: '未能采用的网页',
    method: '研究过程',
    doubt: '⚠ 来源中没有这样的说法',
    unchecked: '⚠ 未能与引文核对',
    against: '另一方面',
    nothing: '没有找到能回答该问题的内容。',
    snippets: '未获准阅读网页：其中一部分仅依据搜索结果中的摘要。',
    reduced: (phases: string): string =>
      `模型在以下阶段没有给出可用结果：${phases}。相应内容由摘录拼成。`,
    counts: (queries: number, read: number, snippets: number): string =>
      `共检索 ${queries} 次，阅读 ${read} 个来源。${snippets === 0 ? '' : `另有 ${snippets} 个来源未阅读，仅依据搜索结果。`}`,
    failed: (query: string): string => `检索失败：${query}`,
    notSupported: (claim: string): string => `所引段落不支持：${claim}`,
    notChecked: (claim: string): string => `未能与来源核对：${claim}`,
    noSource: (claim: string): string => `没有来源：${claim}`,
    noPage: '没有阅读任何网页。',
    noAnswer: '本次研究的问题均未得到回答。',
    snippetOnly: '仅搜索结果，未阅读网页',
  },
} as const;

/**
 * Renders the report as Markdown. Citations are made here from the numbers of excerpts, so that each
 * resolves. A citation whose excerpt does not say the claim, or that could not be checked, is marked; a
 * statement without citations goes to a separate list.
 */
export function renderReport(
  session: ResearchSession,
  draft: ReportDraft,
  checks: StatementChecks,
): RenderedReport {
  return new Rendering(session, checks).render(draft);
}

/** Every statement of a report, for checking. */
export function statementsOf(
  { state: { synthesis } }: ResearchSession,
  { summary, sections }: ReportDraft,
): Statement[] {
  return [
    ...summary,
    ...sections.flatMap(({ statements }) => statements),
    ...(synthesis?.agreements ?? []),
    ...(synthesis?.contradictions ?? []).flatMap(({ sides }) => sides),
  ];
}

class Rendering {
  readonly #session: ResearchSession;
  readonly #checks: StatementChecks;
  readonly #words: (typeof WORDS)[keyof typeof WORDS];
  readonly #citations: Citation[] = [];
  readonly #unsupported: string[] = [];
  readonly #notShown = new Set<string>();

  constructor(session: ResearchSession, checks: StatementChecks) {
    this.#session = session;
    this.#checks = checks;
    this.#words = WORDS[session.state.language];
  }

  render({ title, summary, sections }: ReportDraft): RenderedReport {
    const { state } = this.#session;
    const words = this.#words;
    const synthesis = state.synthesis ?? { agreements: [], contradictions: [], gaps: [] };
    const plainTitle = clean(title).slice(0, 200);
    const summed = summary.flatMap((one) => this.#cited(one));
    const bodies = sections.map(({ heading, statements }) => ({
      heading: clean(heading),
      lines: statements.flatMap((one) => this.#cited(one)),
    }));
    const agreements = synthesis.agreements.flatMap((one) => this.#cited(one));
    const contradictions = synthesis.contradictions.flatMap(({ topic, sides: [a, b] }) => {
      const [one] = this.#cited(a);
      const [other] = this.#cited(b);
      if (one === undefined || other === undefined) return [];
      return [`**${clean(topic)}**: ${one} — ${words.against}: ${other}`];
    });
    const gaps = synthesis.gaps.map(clean);
    const isEmpty = summed.length === 0 && bodies.every(({ lines }) => lines.length === 0);
    const markdown = [
      `# ${plainTitle}`,
      heading(words.summary, isEmpty ? [words.nothing] : [summed.join(' ')]),
      ...bodies.map(({ heading: name, lines }) => heading(name, bullets(lines))),
      heading(words.agreements, bullets(agreements)),
      heading(words.contradictions, bullets(contradictions)),
      heading(words.gaps, bullets(gaps)),
      heading(words.unsupported, bullets([...new Set(this.#unsupported)])),
      heading(words.method, bullets(this.#method())),
      heading(words.sources, this.#sources()),
      heading(words.skipped, bullets(state.skipped.slice(0, 40).map(skippedLine))),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
    return {
      ...{ title: plainTitle, markdown: `${markdown}\n` },
      ...{ citations: this.#citations, agreements, contradictions, gaps },
      unverified: this.#unverified(),
    };
  }

  /** The statement with its citations; empty if it has none, and then it is listed as unsupported. */
  #cited(statement: Statement): string[] {
    const { claim, evidence, verdict, bySource } = this.#checks(statement);
    if (claim === '') return [];
    if (evidence.length === 0) {
      this.#unsupported.push(escapeMarkdown(claim));
      this.#notShown.add(this.#words.noSource(claim));
      return [];
    }
    if (verdict === 'unsupported') this.#notShown.add(this.#words.notSupported(claim));
    if (verdict === 'open') this.#notShown.add(this.#words.notChecked(claim));
    const isUnchecked = verdict === 'open';
    const marks = new Map<number, boolean>();
    for (const [at, { source, excerpt }] of evidence.entries()) {
      const supported = bySource[at] ?? false;
      const [sourceIndex, excerptNumber] = [source.index, excerpt.number];
      const citation = { claim, sourceIndex, excerptNumber, supported };
      this.#citations.push(isUnchecked ? { ...citation, unchecked: true } : citation);
      marks.set(sourceIndex, (marks.get(sourceIndex) ?? true) && supported);
    }
    const doubt = isUnchecked ? this.#words.unchecked : this.#words.doubt;
    const shown = [...marks].map(
      ([index, supported]) => `[${index}]${supported ? '' : ` (${doubt})`}`,
    );
    return [`${escapeMarkdown(claim)} ${shown.join('')}`];
  }

  /** What keeps the report from being shown: said of the whole run. */
  #unverified(): string[] {
    const { sources, failedSearches, answered } = this.#session.state;
    const isRead = sources.some(({ read }) => read !== 'snippet');
    return [
      ...(isRead ? [] : [this.#words.noPage]),
      ...(isRead && answered.length === 0 ? [this.#words.noAnswer] : []),
      ...failedSearches.map((query) => this.#words.failed(query)),
      ...this.#notShown,
    ];
  }

  #method(): string[] {
    const { state } = this.#session;
    const snippets = state.sources.filter(({ read }) => read === 'snippet').length;
    const queries = state.rounds.reduce((sum, round) => sum + round.queries.length, 0);
    return [
      this.#words.counts(queries, state.sources.length - snippets, snippets),
      ...state.failedSearches.map((query) => clean(this.#words.failed(query))),
      ...(snippets > 0 || state.access === 'refused' ? [this.#words.snippets] : []),
      ...(state.reduced.length > 0 ? [this.#words.reduced(state.reduced.join(', '))] : []),
    ];
  }

  /** Each cited source with its cited excerpts. */
  #sources(): string[] {
    return this.#session.state.sources.flatMap((source) => {
      const used = new Set(
        this.#citations
          .filter(({ sourceIndex }) => sourceIndex === source.index)
          .map(({ excerptNumber }) => excerptNumber),
      );
      if (used.size === 0) return [];
      const title = clean(source.title);
      const place = /^https?:/i.test(source.url) ? `<${source.url}>` : `\`${source.url}\``;
      const quotes = source.excerpts
        .filter(({ number }) => used.has(number))
        .map(({ text }) => `> ${escapeMarkdown(text.replace(/\s+/g, ' '))}`);
      const how = source.read === 'snippet' ? ` (${this.#words.snippetOnly})` : '';
      return [
        `**[${source.index}]** ${title} — ${place}${how}`,
        ...quotes.join('\n>\n').split('\n\n'),
      ];
    });
  }
}

function heading(name: string, paragraphs: readonly string[]): string {
  return paragraphs.length === 0 ? '' : `## ${name}\n\n${paragraphs.join('\n\n')}`;
}

/** The list as one paragraph, so that no blank line splits it. */
function bullets(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
}

function skippedLine({ url, reason }: { readonly url: string; readonly reason: string }): string {
  return `\`${url.replaceAll('`', '')}\`: ${reason}`;
}

function clean(text: string): string {
  return escapeMarkdown(plainText(text));
}

/** Escapes signs that Markdown would render. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`);
}
