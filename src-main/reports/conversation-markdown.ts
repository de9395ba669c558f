import type { Conversation, ConversationBlock } from './collect-conversation.ts';

/** Names of the speakers, also in the other formats. */
export const SPEAKERS = { user: 'You', model: 'HyperAgent' } as const;

/** The conversation as Markdown: what was written as it was, each call as one line. */
export function conversationToMarkdown({ title, blocks }: Conversation): string {
  const parts = [`# ${title.replaceAll('\n', ' ')}`];
  let speaker: string | null = null;
  for (const block of blocks) {
    const next = block.kind === 'user' ? SPEAKERS.user : SPEAKERS.model;
    if (next !== speaker || block.kind === 'user') parts.push(`## ${next}`);
    speaker = next;
    parts.push(textOf(block));
  }
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

function textOf(block: ConversationBlock): string {
  switch (block.kind) {
    case 'user':
      return [block.text.trim(), ...block.files.map((name) => `- ${codeSpan(name)}`)].join('\n\n');
    case 'answer':
      return block.markdown.trim();
    case 'call':
      return `> ${block.name}: ${codeSpan(block.subject.trim())}`;
    case 'picture':
      return `*${block.alt.replaceAll(/[*_\n]/g, ' ')}* (${codeSpan(block.name)})`;
    case 'problem':
      return `> ${block.text.replaceAll('\n', '\n> ')}`;
  }
}

/** Text between as many backticks as it needs. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const plain = text.replaceAll('\n', ' ');
  return longest === 0 ? `${fence}${plain}${fence}` : `${fence} ${plain} ${fence}`;
}
