import type { ChatMessage } from './types.ts';

/** Digits at the end of a phone number that tell it from others, whatever its country code. */
const TELLING_DIGITS = 7;

/**
 * Whether an address or number stands in these messages already: then it is what the task is about,
 * and no secret of the model's. What the person wrote counts, and what tools read; looked up late, for
 * most answers hold neither.
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
    return digits.includes(number) || digits.includes(number.slice(-Math.max(TELLING_DIGITS, 9)));
  };
}
