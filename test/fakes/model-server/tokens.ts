/** Counts of the scripted server: crude, but its own, so that a client's estimate can be held to it. */

const PER_MESSAGE = 4;

export interface CountedMessage {
  readonly role: string;
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly unknown[];
  readonly images?: readonly unknown[];
}

/** A token for every four bytes (or as many as are said), and one for what is left. */
export function countTokens(text: string, bytesPerToken = 4): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

export function countMessage(message: CountedMessage, bytesPerToken = 4): number {
  const calls = message.tool_calls === undefined ? '' : JSON.stringify(message.tool_calls);
  const images = (message.images?.length ?? 0) * 256;
  const text = `${message.content}${message.thinking ?? ''}${calls}`;
  return PER_MESSAGE + images + countTokens(text, bytesPerToken);
}

export interface FittedPrompt {
  /** Before anything was dropped. */
  readonly whole: number;
  readonly fitted: number;
  readonly dropped: readonly number[];
}

/**
 * What Ollama does to a prompt that is too long: the oldest messages go, whole and in silence, until
 * the rest fits. System messages and the last message always stay.
 */
export function fitPrompt(
  messages: readonly CountedMessage[],
  tools: readonly unknown[],
  { window, bytesPerToken = 4 }: { readonly window: number; readonly bytesPerToken?: number },
): FittedPrompt {
  const fixed = tools.length > 0 ? countTokens(JSON.stringify(tools), bytesPerToken) : 0;
  const sizes = messages.map((message) => countMessage(message, bytesPerToken));
  const whole = fixed + sizes.reduce((sum, size) => sum + size, 0);
  const dropped: number[] = [];
  let fitted = whole;
  for (const [index, message] of messages.entries()) {
    if (fitted <= window) break;
    if (message.role === 'system' || index === messages.length - 1) continue;
    dropped.push(index);
    fitted -= sizes[index] ?? 0;
  }
  return { whole, fitted: Math.min(fitted, window), dropped };
}
