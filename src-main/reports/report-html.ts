import type { RendererObject, Token, Tokens } from 'marked';
import type { CollectedReport } from './collect-report.ts';
import { decoded, fromMarkdown, plainText } from './markdown-tokens.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1c1f24;--paper:#fff;--quiet:#5b6470;--line:#d9dde3;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;--quiet:#9aa3ae;--line:#343a42;--link:#8ab4f8}}
body{margin:0 auto;max-width:44rem;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
h1{font-size:1.7rem;line-height:1.25}h2{margin-top:2rem;font-size:1.2rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}a.ref{text-decoration:none;font-size:.85em}code{font-size:.9em;overflow-wrap:anywhere}
table{border-collapse:collapse}td,th{padding:.2rem .6rem;border:1px solid var(--line)}pre{overflow-x:auto}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line);color:var(--quiet)}
.notes li{margin-bottom:.9rem;overflow-wrap:anywhere}
@media print{:root{--ink:#000;--paper:#fff;--quiet:#333;--line:#999;--link:#000}body{max-width:none;padding:0;font-size:10.5pt}h2{break-after:avoid}li,blockquote{break-inside:avoid}}`;

/**
 * A self-contained page: no scripts, and nothing to load. Sources are notes at the end with their
 * excerpts, which replace the list in the Markdown. References link to the notes and back.
 */
export async function reportToHtml(collected: CollectedReport): Promise<string> {
  const { report, sources } = collected;
  const { Marked } = await import('marked');
  const known = new Set(sources.map(({ index }) => index));
  const isChinese = isHan(report.title);
  const { body, seen } = await fromMarkdown(report.markdown, (tokens) => {
    const references: References = { known, seen: new Set() };
    const marked = new Marked({ renderer: rendererWith(references) });
    return { body: marked.parser(withoutSources(tokens)), seen: references.seen };
  });
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
  return htmlPage({ title: report.title, style: '', body: `${body}\n${list}` });
}

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** A whole page around `body`. Nothing in it runs, and it loads nothing. */
export function htmlPage({
  title,
  style,
  body,
}: {
  readonly title: string;
  readonly style: string;
  readonly body: string;
}): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return `<!doctype html>
<html lang="${isHan(title) ? 'zh' : 'en'}"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width,initial-scale=1"/><meta http-equiv="Content-Security-Policy" content="${policy}"/><meta name="referrer" content="no-referrer"/><title>${escaped(title)}</title><style>${STYLE}${style}</style></head>
<body><main>
${body}
</main></body></html>
`;
}

/** Markdown as HTML: HTML in it is text, pictures are their text, links lead to the web only. */
export async function markdownToHtml(markdown: string): Promise<string> {
  const { Marked } = await import('marked');
  const references = { known: new Set<number>(), seen: new Set<number>() };
  const marked = new Marked({ renderer: rendererWith(references) });
  return await fromMarkdown(markdown, (tokens) => marked.parser([...tokens]));
}

/** Removes the list of sources, which the export builds again from the stored sources. */
export function withoutSources(tokens: readonly Token[]): Token[] {
  const isHead = (token: Token): token is Tokens.Heading =>
    token.type === 'heading' && token.depth === 2;
  const isSources = (token: Token): boolean =>
    isHead(token) && /^(?:Sources|来源)$/.test(plainText(token.tokens));
  const start = tokens.findLastIndex(isSources);
  if (start < 0) return [...tokens];
  const end = tokens.findIndex((token, at) => at > start && isHead(token));
  return [...tokens.slice(0, start), ...(end < 0 ? [] : tokens.slice(end))];
}

interface References {
  readonly known: ReadonlySet<number>;
  /** Sources referenced so far: the back link leads to the first reference. */
  readonly seen: Set<number>;
}

/** What differs from `marked`: HTML is text, pictures are their text, links are safe, `[1]` leads to a note. */
function rendererWith(references: References): RendererObject {
  return {
    html: ({ text, block }) => (block === true ? `<p>${escaped(text)}</p>\n` : escaped(text)),
    image: ({ text }) => escaped(decoded(text)),
    link: ({ href, tokens }) => {
      const text = escaped(plainText(tokens));
      if (!/^(?:https?:|mailto:)/i.test(href)) return text;
      return `<a href="${escaped(decoded(href))}" rel="noreferrer noopener">${text}</a>`;
    },
    code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
    codespan: ({ text }) => `<code>${escaped(text)}</code>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    br: () => '<br/>',
    hr: () => '<hr/>\n',
    text(token) {
      if ('tokens' in token && token.tokens !== undefined) {
        return this.parser.parseInline(token.tokens);
      }
      return linked(escaped(decoded(token.text)), references);
    },
  };
}

function linked(html: string, { known, seen }: References): string {
  return html.replace(/\[(\d+)\]/g, (mark, digits) => {
    const index = Number(digits);
    if (!known.has(index)) return mark;
    const id = seen.has(index) ? '' : ` id="ref-${index}"`;
    seen.add(index);
    return `<a class="ref"${id} href="#source-${index}">[${index}]</a>`;
  });
}

/** Text as HTML, without control characters. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\p{Cc}--[\n\t]]/gv, '');
}
