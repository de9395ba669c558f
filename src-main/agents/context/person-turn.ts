import type { ChatMessage } from '../../services/llm/types.ts';

const CONTEXT = /\n\n<context>\n[\s\S]*?\n<\/context>$/;
const ATTACHMENT = /^- (\/workspace\/.+) \([\d,]+ bytes\)$/gm;

/** The turn of a person as the model reads it: their words, and then what is true today. */
export function writePersonTurn(prompt: string, facts: readonly string[]): string {
  return `${prompt}\n\n<context>\n${facts.join('\n')}\n</context>`;
}

/** What the person wrote; null for every other message, also those of the app in their place. */
export function readPersonTurn(message: ChatMessage): string | null {
  if (message.role !== 'user' || !CONTEXT.test(message.content)) return null;
  return message.content.replace(CONTEXT, '');
}

/** The files that came with a turn, by their path inside. */
export function attachedPaths(message: ChatMessage): string[] {
  const context = message.role === 'user' ? (CONTEXT.exec(message.content)?.[0] ?? '') : '';
  return [...context.matchAll(ATTACHMENT)].map(([, path = '']) => path);
}
