import type { CollectedReport } from './collect-report.ts';
import { type Block, readBlocks, type Span } from './report-blocks.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1c1f24;--paper:#fff;--quiet:#5b6470;--line:#d9dde3;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;--quiet:#9aa3ae;--line:#343a42;--link:#8ab4f8}}
body{margin:0 auto;max-width:44rem;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
h1{font-size:1.7rem;line-height:1.25}h2{margin-top:2rem;font-size:1.2rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}a.ref{text-decoration:none;font-size:.85em}code{font-size:.9em;overflow-wrap:anywhere}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line);color:var(--quiet)}
.notes li{margin-bottom:.9rem;overflow-wrap:anywhere}
@media print{:root{--ink:#000;--paper:#fff;--quiet:#333;--line:#999;--link:#000}body{max-width:none;padding:0;font-size:10.5pt}h2{break-after:avoid}li,blockquote{break-inside:avoid}}`;

/**
 * A self-contained page: no scripts, and nothing to load. Sources are notes at the end with their
 * excerpts, which replace the list in the Markdown. References link to the notes and back.
 */
export function reportToHtml(collected: CollectedReport): string {
  const { report, sources } = collected;
  const known = new Set(sources.map(({ index }) => index));
  const isChinese = /\p{Script=Han}/u.test(report.title);
  const seen = new Set<number>();
  const body = renderBlocks(withoutSources(readBlocks(report.markdown)), { known, seen });
  const notes = sources.map(({ index, title, url, excerpts = [] }) => {
    const place = /^https?:\/\//i.test(url)
      ? `<a href="${escaped(url)}" rel="noreferrer noopener">${escaped(url)}</a>`
      : `<code>${escaped(url)}</code>`;
    const used = new Set(
      report.citations
        .filter(({ sourceIndex }) => sourceIndex === index)
        .map(({ excerptNumber }) => excerptNumber),
    );
    const quotes = excerpts
      .filter(({ number }) => used.has(number))
      .map(
        ({ number, text }) =>
          `<blockquote id="source-${index}-${number}">${escaped(text)}</blockquote>`,
      );
    const back = seen.has(index) ? ` <a href="#ref-${index}" aria-label="back">↩</a>` : '';
    return `<li id="source-${index}" value="${index}"><strong>${escaped(title)}</strong><br/>${place}${back}${quotes.join('')}</li>`;
  });
  const name = isChinese ? '来源' : 'Sources';
  const list =
    notes.length === 0
      ? ''
      : `<section class="notes"><h2>${name}</h2><ol>${notes.join('\n')}</ol></section>`;
  return `<!doctype html>
<html lang="${isChinese ? 'zh' : 'en'}"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width,initial-scale=1"/><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/><title>${escaped(report.title)}</title><style>${STYLE}</style></head>
<body><main>
${body}
${list}
</main></body></html>
`;
}

/** Removes the list of sources, which the export builds again from the stored sources. */
export function withoutSources(blocks: readonly Block[]): Block[] {
  const isHead = (block: Block): boolean => block.kind === 'heading' && block.level === 2;
  const isSources = (block: Block): boolean =>
    isHead(block) && /^(?:Sources|来源)$/.test(block.spans.map(plainSpan).join(''));
  const start = blocks.findLastIndex(isSources);
  if (start < 0) return [...blocks];
  const end = blocks.findIndex((block, at) => at > start && isHead(block));
  return [...blocks.slice(0, start), ...(end < 0 ? [] : blocks.slice(end))];
}

export function plainSpan(span: Span): string {
  return span.kind === 'reference' ? `[${span.index}]` : span.text;
}

interface References {
  readonly known: ReadonlySet<number>;
  /** Sources referenced so far: the back link leads to the first reference. */
  readonly seen: Set<number>;
}

function renderBlocks(blocks: readonly Block[], references: References): string {
  const lines: string[] = [];
  let inList = false;
  for (const block of blocks) {
    const inner = block.spans.map((span) => renderSpan(span, references)).join('');
    if (inList !== (block.kind === 'item')) lines.push(inList ? '</ul>' : '<ul>');
    inList = block.kind === 'item';
    if (block.kind === 'item') lines.push(`<li>${inner}</li>`);
    else if (block.kind === 'heading') lines.push(`<h${block.level}>${inner}</h${block.level}>`);
    else if (block.kind === 'quote') lines.push(`<blockquote>${inner}</blockquote>`);
    else lines.push(`<p>${inner}</p>`);
  }
  if (inList) lines.push('</ul>');
  return lines.join('\n');
}

function renderSpan(span: Span, { known, seen }: References): string {
  switch (span.kind) {
    case 'text':
      return escaped(span.text);
    case 'strong':
      return `<strong>${escaped(span.text)}</strong>`;
    case 'code':
      return `<code>${escaped(span.text)}</code>`;
    case 'link':
      return `<a href="${escaped(span.text)}" rel="noreferrer noopener">${escaped(span.text)}</a>`;
    case 'reference': {
      const { index } = span;
      if (!known.has(index)) return `[${index}]`;
      const id = seen.has(index) ? '' : ` id="ref-${index}"`;
      seen.add(index);
      return `<a class="ref"${id} href="#source-${index}">[${index}]</a>`;
    }
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\p{Cc}--[\n\t]]/gv, '');
}
