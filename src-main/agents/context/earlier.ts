import type { ChatMessage } from '../../models/types.ts';
import { collectFacts } from './facts.ts';
import { attachedPaths, readUserTurn } from './user-turn.ts';

/** Shares of the room beside system prompt and tools that the user's turns may take. */
const WHOLE_SHARE = 0.3;
const SHORT_SHARE = 0.45;
/** What is left of them once some are left out, so that the next summary does not leave out more at once. */
const LEFT_SHARE = 0.25;
/** Of a shortened turn. */
const HEAD_CHARS = 70;
const FACT_CHARS = 60;

const OPENS = '<earlier_conversation>';
const CLOSES = '</earlier_conversation>';
const RESULTS = 'What resulted:';
const FACTS = 'Files, addresses and figures: ';
const BETWEEN_FACTS = ' · ';

/** The user's turns, oldest first, each with its number. */
export interface FittedTurns {
  readonly turns: readonly { readonly number: number; readonly text: string }[];
  /** How many are not in their own words any more. */
  readonly shortened: number;
  readonly leftOut: number;
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

/**
 * The user's turns for a window with `room` tokens beside system prompt and tools: word for word as long as
 * they take a fair share of it, then the oldest shortened to their beginning and their facts, then the oldest
 * left out. `holdsNewest`: the last of them is what is worked on now, and is never touched.
 */
export function fitTurns(
  turns: readonly string[],
  {
    room,
    tokensOf,
    holdsNewest,
  }: {
    readonly room: number;
    readonly tokensOf: (text: string) => number;
    readonly holdsNewest: boolean;
  },
): FittedTurns {
  const touchable = holdsNewest ? turns.length - 1 : turns.length;
  const texts = turns.map((text, i) => ({ number: i + 1, text }));
  const sizes = turns.map((text, i) => tokensOf(lineOf({ number: i + 1, text })));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let leftOut = 0;
  for (let i = 0; i < touchable && total > room * WHOLE_SHARE; i += 1) {
    const short = { number: i + 1, text: shortTurn(turns[i] ?? '') };
    if (short.text === turns[i]) continue;
    const size = tokensOf(lineOf(short));
    total += size - (sizes[i] ?? 0);
    sizes[i] = size;
    texts[i] = short;
  }
  if (total > room * SHORT_SHARE) {
    while (leftOut < touchable && total > room * LEFT_SHARE) {
      total -= sizes[leftOut] ?? 0;
      leftOut += 1;
    }
  }
  const stillShort = texts.slice(leftOut).filter(({ text }, i) => text !== turns[leftOut + i]);
  return { turns: texts.slice(leftOut), shortened: stillShort.length, leftOut };
}

/** The text for the model. `summary` is what resulted from the turns. */
export function renderEarlier(fitted: FittedTurns, summary: string): string {
  const { turns, shortened, leftOut } = fitted;
  const notes = [
    ...(leftOut === 0 ? [] : [`turns 1 to ${leftOut} are left out`]),
    ...(shortened === 0 ? [] : ['turns that end with “…” are shortened']),
  ];
  const how = notes.length === 0 ? 'word for word' : notes.join(', ');
  return [
    OPENS,
    `The app summarised older messages to fit your context window. The user asked, ${how}:`,
    ...turns.map(lineOf),
    ...(summary === '' ? [] : [RESULTS, summary]),
    CLOSES,
  ].join('\n');
}

/** Whether a stored text is a rendered earlier part; before, only the summary in it was stored. */
export function isRendered(stored: string): boolean {
  return stored.startsWith(OPENS) && stored.endsWith(CLOSES);
}

/** The summary in a stored text, and the facts at its end. */
export function readSummary(stored: string): {
  readonly written: string;
  readonly facts: string[];
} {
  const at = isRendered(stored) ? stored.lastIndexOf(`\n${RESULTS}\n`) : -1;
  const summary = isRendered(stored)
    ? stored.slice(at < 0 ? stored.length : at + RESULTS.length + 2, -CLOSES.length - 1)
    : stored;
  const factsAt = summary.startsWith(FACTS) ? 0 : summary.lastIndexOf(`\n${FACTS}`);
  if (factsAt < 0) return { written: summary, facts: [] };
  const line = summary.slice(factsAt).trim().slice(FACTS.length);
  return { written: summary.slice(0, factsAt).trim(), facts: line.split(BETWEEN_FACTS) };
}

/** A summary with the facts that its words do not have. */
export function writeSummary(written: string, facts: readonly string[]): string {
  const missing = facts.filter((fact) => !written.includes(fact));
  const line = missing.length === 0 ? [] : [`${FACTS}${missing.join(BETWEEN_FACTS)}`];
  return [written, ...line].join('\n').trim();
}

function lineOf({ number, text }: { readonly number: number; readonly text: string }): string {
  return `${number}. ${text}`;
}

function shortTurn(text: string): string {
  if (text.length <= HEAD_CHARS + 1) return text;
  const cut = text.slice(0, HEAD_CHARS).replace(/\s+\S*$|[\ud800-\udbff]$/u, '');
  const rest = { role: 'user' as const, content: text.slice(cut.length) };
  const facts = collectFacts([rest], FACT_CHARS);
  const short = `${cut} …${facts.length === 0 ? '' : ` (${facts.join(BETWEEN_FACTS)})`}`;
  return short.length < text.length ? short : text;
}
