import type { Citation } from '#contract/events/research.ts';
import { checkCitations } from '../../research-text/check-citation.ts';
import { type Evidence, evidenceById } from './analysis.ts';
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
  'title' | 'markdown' | 'citations' | 'agreements' | 'contradictions' | 'gaps'
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
    against: 'on the other hand',
    nothing: 'The search found nothing that answers the question.',
    snippets:
      'Reading the pages was not allowed, so some statements rest on search result snippets.',
    reduced: (phases: string): string =>
      `The model gave no usable answer in: ${phases}. These parts were assembled from excerpts.`,
    counts: (sources: number, queries: number): string =>
      `Searches: ${queries}. Sources read: ${sources}.`,
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
    against: '另一方面',
    nothing: '没有找到能回答该问题的内容。',
    snippets: '未获准阅读网页：其中一部分仅依据搜索结果中的摘要。',
    reduced: (phases: string): string =>
      `模型在以下阶段没有给出可用结果：${phases}。相应内容由摘录拼成。`,
    counts: (sources: number, queries: number): string =>
      `共检索 ${queries} 次，阅读 ${sources} 个来源。`,
  },
} as const;

/**
 * Renders the report as Markdown. Citations are made here from the numbers of excerpts, so that each
 * resolves. A citation whose excerpt lacks the terms of the claim is marked; a statement without
 * citations goes to a separate list.
 */
export function renderReport(session: ResearchSession, draft: ReportDraft): RenderedReport {
  return new Rendering(session).render(draft);
}

class Rendering {
  readonly #session: ResearchSession;
  readonly #known: Map<number, Evidence>;
  readonly #words: (typeof WORDS)[keyof typeof WORDS];
  readonly #citations: Citation[] = [];
  readonly #unsupported: string[] = [];

  constructor(session: ResearchSession) {
    this.#session = session;
    this.#known = evidenceById(session);
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
    };
  }

  /** The statement with its citations; empty if it has none, and then it is listed as unsupported. */
  #cited({ text, excerpts }: Statement): string[] {
    const claim = plainText(text);
    if (claim === '') return [];
    const evidence = excerpts.flatMap((id) => this.#known.get(id) ?? []);
    if (evidence.length === 0) {
      this.#unsupported.push(escapeMarkdown(claim));
      return [];
    }
    const supports = checkCitations(
      claim,
      evidence.map(({ excerpt }) => excerpt.text),
    );
    const marks = new Map<number, boolean>();
    for (const [at, { source, excerpt }] of evidence.entries()) {
      const supported = supports[at] ?? false;
      const [sourceIndex, excerptNumber] = [source.index, excerpt.number];
      this.#citations.push({ claim, sourceIndex, excerptNumber, supported });
      marks.set(sourceIndex, (marks.get(sourceIndex) ?? true) && supported);
    }
    const shown = [...marks].map(
      ([index, supported]) => `[${index}]${supported ? '' : ` (${this.#words.doubt})`}`,
    );
    return [`${escapeMarkdown(claim)} ${shown.join('')}`];
  }

  #method(): string[] {
    const { state } = this.#session;
    const queries = state.rounds.reduce((sum, round) => sum + round.queries.length, 0);
    return [
      this.#words.counts(state.sources.length, queries),
      ...(state.sources.some(({ read }) => read === 'snippet') || state.access === 'refused'
        ? [this.#words.snippets]
        : []),
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
      return [`**[${source.index}]** ${title} — ${place}`, ...quotes.join('\n>\n').split('\n\n')];
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

/** A sentence of a model without the citations, links and images that it added. */
function plainText(text: string): string {
  return text
    .replace(/\s*\[(?:E?\d+)(?:\s*[,;]\s*E?\d+)*\]/g, '')
    .replace(/!?\[([^\]]*)\]\((?:[^()]|\([^)]*\))*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Escapes signs that Markdown would render. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`);
}
