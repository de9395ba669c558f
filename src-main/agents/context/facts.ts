import type { ChatMessage } from '../../models/types.ts';

const URLS = /\bhttps?:\/\/[^\s"'<>)\]}]+/g;
const PATHS =
  /(?<![\w/.:@+-])(?:\/workspace\/|\.{0,2}\/)?(?:[\w@+-][\w.@+-]*\/)*[\w@+-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b/g;
/** A line that states one figure: "total: 42", "rows = 1,024". */
const FIGURES = /^[^\n]{1,60}?[:=]\s*-?[\d,.]*\d\s?[%\w€$]{0,4}$/gm;
/** Figures kept of each message: long output has hundreds that nobody needs later. */
const FIGURES_EACH = 6;

/**
 * The facts that a summary must keep, whatever the model writes: URLs, file names and plain figures,
 * each once, newest last. At most `maxChars`; the newest stay.
 */
export function collectFacts(messages: readonly ChatMessage[], maxChars: number): string[] {
  const found = new Set<string>();
  const add = (fact: string): void => {
    found.delete(fact);
    found.add(fact);
  };
  for (const message of messages) {
    const text = textOf(message);
    for (const [url] of text.matchAll(URLS)) add(url.replace(/[.,;:!?]+$/, ''));
    for (const [path] of text.replace(URLS, ' ').matchAll(PATHS)) add(path);
    for (const [line] of [...text.matchAll(FIGURES)].slice(-FIGURES_EACH)) add(line.trim());
  }
  const kept: string[] = [];
  let chars = 0;
  for (const fact of [...found].reverse()) {
    chars += fact.length + 2;
    if (chars > maxChars) break;
    kept.unshift(fact);
  }
  return kept;
}

function textOf(message: ChatMessage): string {
  if (message.role !== 'assistant') return message.content;
  const calls = (message.toolCalls ?? []).map((call) => Object.values(call.arguments).join('\n'));
  return [message.content, ...calls].join('\n');
}
