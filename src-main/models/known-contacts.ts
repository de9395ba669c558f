import type { ChatMessage } from './types.ts';

/** Last digits of a phone number that identify it, whatever its country code. */
const DISTINCTIVE_DIGITS = 9;

/**
 * Whether an address or number already appears in these messages: then it belongs to the task, and the
 * model did not leak it. Messages of the user and results of tools both count. The texts are collected
 * on first use, because most answers contain neither.
 */
export function knownContacts(
  messages: readonly ChatMessage[],
): (kind: 'email address' | 'phone number', text: string) => boolean {
  let texts: string[] | null = null;
  let digits: string | null = null;
  const allTexts = (): string[] => {
    texts ??= messages
      .flatMap((message) => {
        const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
        return [message.content, ...calls.map((call) => JSON.stringify(call.arguments))];
      })
      .map((text) => text.toLowerCase());
    return texts;
  };
  return (kind, text) => {
    if (kind === 'email address') return allTexts().some((one) => one.includes(text.toLowerCase()));
    digits ??= allTexts()
      .map((one) => one.replace(/(?<=\d)[ \u00a0.\-()/]{1,3}(?=\d)/g, ''))
      .join('\n');
    const number = text.replace(/\D/g, '');
    return digits.includes(number) || digits.includes(number.slice(-DISTINCTIVE_DIGITS));
  };
}
