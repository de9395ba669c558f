import { THINKING_CLOSES } from '../../src-main/models/tool-call-text/markers.ts';

const SHORT = 400;
const RANDOM_RUNS = 40;

/** Ways to split a text: into single units, in two at every place of a short text, and into random chunks. */
export function chunkings(text: string): string[][] {
  const splits = [text.split('')];
  const step = text.length <= SHORT ? 1 : Math.ceil(text.length / SHORT);
  for (let at = 1; at < text.length; at += step) splits.push([text.slice(0, at), text.slice(at)]);
  const random = generator(text.length);
  for (let run = 0; run < RANDOM_RUNS; run += 1) splits.push(randomChunks(text, random));
  return splits;
}

/** The text as a quotation: none of the calls in it is made by the one who quotes it. */
export function inQuotes(text: string): { how: string; text: string }[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const quote = text.replaceAll(/^/gm, '> ');
  // A text that closes its thinking is no longer inside it.
  const thought = THINKING_CLOSES.some((close) => text.includes(close))
    ? []
    : [{ how: 'thinking', text: `<think>It may answer\n${text}\nor so.</think>I will wait.` }];
  return [
    ...thought,
    { how: 'block quote', text: `The log has this answer:\n\n${quote}\n\nIt is from yesterday.` },
    { how: 'fence', text: `For example,\n\n${fence}\n${text}\n${fence}\n\nThat is the form.` },
    { how: 'fence at the end', text: `It looks like this:\n${fence}\n${text}\n${fence}` },
    { how: 'inline code', text: inlineCode(text) },
    { how: 'tool result', text: `<tool_response>\n${text}\n</tool_response>\nThat is its result.` },
  ];
}

function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  return `Such a model answers ${ticks} ${text.replaceAll(/\s*\n\s*/g, ' ')} ${ticks} and waits.`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function randomChunks(text: string, random: () => number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 12);
    chunks.push(text.slice(at, at + length));
    at += length;
  }
  return chunks;
}

/** Mulberry32: the same runs every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
