import { type Conversation, type ConversationBlock, pauses } from './collect-conversation.ts';
import { SPEAKERS } from './conversation-markdown.ts';
import type { InlinePicture } from './export-conversation.ts';
import { escaped, htmlPage, markdownToHtml } from './report-html.ts';

const STYLE = `.turn{margin:2rem 0 .5rem;font-size:.85rem;font-weight:600;color:var(--quiet)}
.user{padding:.6rem 1rem;border:1px solid var(--line);border-radius:.6rem;white-space:pre-wrap;overflow-wrap:anywhere}
.files{margin:.4rem 0;color:var(--quiet);font-size:.85rem}
details{margin:.5rem 0;border:1px solid var(--line);border-radius:.4rem}
summary{padding:.3rem .7rem;font-size:.85rem;color:var(--quiet);overflow-wrap:anywhere;cursor:pointer}
details pre{margin:0;padding:.5rem .7rem;border-top:1px solid var(--line);font-size:.8rem;white-space:pre-wrap;overflow-wrap:anywhere}
img{max-width:100%;height:auto}figure{margin:1rem 0}figcaption{font-size:.85rem;color:var(--quiet)}`;

/** A self-contained page: no scripts, nothing to load, pictures inside. */
export async function conversationToHtml(
  { title, blocks }: Conversation,
  pictures: ReadonlyMap<string, InlinePicture>,
): Promise<string> {
  const parts: string[] = [`<h1 dir="auto">${escaped(title)}</h1>`];
  let speaker: string | null = null;
  const pause = pauses();
  for (const block of blocks) {
    await pause();
    const next = block.kind === 'user' ? SPEAKERS.user : SPEAKERS.model;
    if (next !== speaker || block.kind === 'user') parts.push(`<h2 class="turn">${next}</h2>`);
    speaker = next;
    parts.push(await htmlOf(block, pictures));
  }
  return htmlPage({ title, style: STYLE, body: parts.join('\n') });
}

async function htmlOf(
  block: ConversationBlock,
  pictures: ReadonlyMap<string, InlinePicture>,
): Promise<string> {
  switch (block.kind) {
    case 'user': {
      const files = block.files.map(escaped).join(', ');
      const list = files === '' ? '' : `<p class="files">${files}</p>`;
      return `<div class="user" dir="auto">${escaped(block.text.trim())}</div>${list}`;
    }
    case 'answer':
      return `<div dir="auto">${await markdownToHtml(block.markdown)}</div>`;
    case 'call': {
      const output = block.output === '' ? '' : `<pre>${escaped(block.output)}</pre>`;
      const summary = `${escaped(block.name)}: <code>${escaped(block.subject.slice(0, 200))}</code>`;
      return `<details><summary>${summary}</summary><pre>${escaped(block.arguments)}</pre>${output}</details>`;
    }
    case 'picture': {
      const picture = pictures.get(block.path);
      const caption = `<figcaption>${escaped(block.alt)} (<code>${escaped(block.name)}</code>)</figcaption>`;
      if (picture === undefined) return `<figure>${caption}</figure>`;
      const data = Buffer.from(picture.data).toString('base64');
      return `<figure><img alt="${escaped(block.alt)}" src="data:${picture.mimeType};base64,${data}"/>${caption}</figure>`;
    }
    case 'problem':
      return `<blockquote dir="auto">${escaped(block.text)}</blockquote>`;
  }
}
