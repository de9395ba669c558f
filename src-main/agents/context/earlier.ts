import type { ChatMessage } from '../../models/types.ts';
import { attachedPaths, readUserTurn } from './user-turn.ts';

/** The earlier part of a conversation in short. */
export interface Earlier {
  /** The person's turns in their own words, oldest first. */
  readonly turns: readonly string[];
  /** What came of them. */
  readonly summary: string;
}

/** The turns of the person among these messages, each with the files that came with it. */
export function userTurns(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) => {
    const turn = readUserTurn(message);
    if (turn === null) return [];
    const files = attachedPaths(message);
    return [files.length === 0 ? turn : `${turn} [with ${files.join(', ')}]`];
  });
}

/** As the model reads it. */
export function renderEarlier({ turns, summary }: Earlier): string {
  return [
    '<earlier_conversation>',
    'Older messages were summed up by the app to fit your window. The person asked, word for word:',
    ...turns.map((turn, i) => `${i + 1}. ${turn}`),
    ...(summary === '' ? [] : ['What came of it:', summary]),
    '</earlier_conversation>',
  ].join('\n');
}
