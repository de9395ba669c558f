import { quoteServerText } from './server-errors.ts';
import type { InvalidToolCall } from './types.ts';

export type UnreadableCall = Omit<InvalidToolCall, 'id'>;

/** In the words of Ollama, then of llama.cpp, whose "messages" and "tools" are ours. */
const PATTERNS: readonly RegExp[] = [
  /^error parsing tool call: raw='(?<raw>[\s\S]*)', err=/,
  /^failed to parse JSON: /,
  /^tool ['"](?<name>[^'"]+)['"] (is not declared|not found)/,
  /invalid tool call arguments for "(?<name>[^"]+)"/,
  /^Failed to parse (?!messages\b|tools\b|grammar\b|json schema\b|request\b)/i,
  /^The model produced output that does not match the expected .{1,40} format/i,
];

/** The call that the model wrote and its server could not parse; null if the text is another error. */
export function unreadableCall(text: string): UnreadableCall | null {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return {
      name: match.groups?.name ?? '',
      rawArguments: match.groups?.raw ?? '',
      problem: `The server could not read the call: ${quoteServerText(text, [])}`,
    };
  }
  return null;
}
