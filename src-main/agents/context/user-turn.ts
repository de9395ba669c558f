import type { ChatMessage } from '../../models/types.ts';

const OPENS = '\n\n<context>\n';
const CLOSES = '\n</context>';
const ATTACHMENT = /^- (\/workspace\/.+) \([\d,]+ bytes(?:, .*)?\)$/s;

/** A user turn as the model reads it: the words of the user, then current facts as context. */
export function writeUserTurn(prompt: string, facts: readonly string[]): string {
  return `${prompt}${OPENS}${facts.join('\n')}${CLOSES}`;
}

/** The turn with more context at its end; the bytes before stay the same. */
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

/** What the user wrote; null for every other message, including those that the app sends as the user. */
export function readUserTurn(message: ChatMessage): string | null {
  const at = contextAt(message);
  return at === null ? null : message.content.slice(0, at);
}

/** The files attached to a turn, by their path in the sandbox. */
export function attachedPaths(message: ChatMessage): string[] {
  const at = contextAt(message);
  const context = at === null ? '' : message.content.slice(at);
  // By line feeds alone: names may hold signs that a pattern takes for the end of a line.
  return context.split('\n').flatMap((line) => ATTACHMENT.exec(line)?.[1] ?? []);
}

/** Where the app's part begins: at the last mark, because users may write the mark themselves. */
function contextAt({ role, content }: ChatMessage): number | null {
  if (role !== 'user' || !content.endsWith(CLOSES)) return null;
  const at = content.lastIndexOf(OPENS);
  return at < 0 ? null : at;
}
