import type { ChatMessage } from '../../models/types.ts';
import { attachedPaths, readUserTurn } from './user-turn.ts';

/** The earlier part of a conversation, summarised. */
export interface Earlier {
  /** The user's turns in their own words, oldest first. */
  readonly turns: readonly string[];
  /** What resulted from them. */
  readonly summary: string;
}

/** The user turns among these messages, each with its attached files. */
export function userTurns(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) => {
    const turn = readUserTurn(message);
    if (turn === null) return [];
    const files = attachedPaths(message);
    return [files.length === 0 ? turn : `${turn} [with ${files.join(', ')}]`];
  });
}

/** The text for the model. */
export function renderEarlier({ turns, summary }: Earlier): string {
  return [
    '<earlier_conversation>',
    'The app summarised older messages to fit your context window. The user asked, word for word:',
    ...turns.map((turn, i) => `${i + 1}. ${turn}`),
    ...(summary === '' ? [] : ['What resulted:', summary]),
    '</earlier_conversation>',
  ].join('\n');
}
