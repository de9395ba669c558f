import type { ChatMessage } from '../../models/types.ts';

const OPENS = '\n\n<context>\n';
const CLOSES = '\n</context>';
const ATTACHMENT = /^- (\/workspace\/.+) \([\d,]+ bytes\)$/gm;

/** The turn of a person as the model reads it: their words, and then what is true today. */
export function writeUserTurn(prompt: string, facts: readonly string[]): string {
  return `${prompt}${OPENS}${facts.join('\n')}${CLOSES}`;
}

/** The turn with more that is true of it, at its end; the bytes before stay as they are. */
export function addToUserTurn<Message extends ChatMessage>(
  message: Message,
  lines: readonly string[],
): Message {
  const { content } = message;
  const isTurn = contextAt(message) !== null;
  const text = isTurn
    ? `${content.slice(0, -CLOSES.length)}\n${lines.join('\n')}${CLOSES}`
    : `${content}\n\n${lines.join('\n')}`;
  return { ...message, content: text };
}

/** What the person wrote; null for every other message, also those of the app in their place. */
export function readUserTurn(message: ChatMessage): string | null {
  const at = contextAt(message);
  return at === null ? null : message.content.slice(0, at);
}

/** The files that came with a turn, by their path inside. */
export function attachedPaths(message: ChatMessage): string[] {
  const at = contextAt(message);
  const context = at === null ? '' : message.content.slice(at);
  return [...context.matchAll(ATTACHMENT)].map(([, path = '']) => path);
}

/** Where the app's own part begins: the last one, for people may write such a thing themselves. */
function contextAt({ role, content }: ChatMessage): number | null {
  if (role !== 'user' || !content.endsWith(CLOSES)) return null;
  const at = content.lastIndexOf(OPENS);
  return at < 0 ? null : at;
}
