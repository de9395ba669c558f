import type { FormatAnswer, FormatQuestion } from './format-thread.ts';
import { highlight } from './highlight.ts';
import { parseMarkdown } from './markdown-tree.ts';

/** Formats one text after another, and answers each. `FormatThread` ends what takes too long. */
addEventListener('message', ({ data }: MessageEvent<FormatQuestion>) => {
  postMessage({ formatted: format(data) } satisfies FormatAnswer);
});

function format(question: FormatQuestion): FormatAnswer['formatted'] {
  return question.kind === 'code'
    ? highlight(question.code, question.language)
    : parseMarkdown(question.source, question.works);
}
