import { CODE_RESULT_TAIL_CHARS } from '#contract/limits.ts';
import type { CodeResult, TerminalLog } from './run-view.ts';

/** What a program printed, as far as it is at hand. */
export interface StreamText {
  readonly text: string;
  /** The beginning is not at hand any more. */
  readonly isTail: boolean;
}

/** What a call printed: from the terminal, which keeps all of it for long; else the end that its result has. */
export function outputOf(
  { entries }: Pick<TerminalLog, 'entries'>,
  toolCallId: string,
  { stdout, stderr }: Pick<CodeResult, 'stdout' | 'stderr'>,
): { readonly stdout: StreamText; readonly stderr: StreamText } {
  const commands = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'command' && entry.toolCallId === toolCallId ? entry.commandId : [],
    ),
  );
  const printed = (stream: 'out' | 'err'): string =>
    entries
      .map((entry) =>
        entry.kind === 'output' && entry.stream === stream && commands.has(entry.commandId)
          ? entry.text
          : '',
      )
      .join('');
  const whole = commands.size === 0 ? null : { out: printed('out'), err: printed('err') };
  return {
    stdout: longer(whole?.out ?? '', stdout),
    stderr: longer(whole?.err ?? '', stderr),
  };
}

function longer(whole: string, tail: string): StreamText {
  if (whole.length >= tail.length) return { text: whole, isTail: false };
  if (tail.length < CODE_RESULT_TAIL_CHARS) return { text: tail, isTail: false };
  // It begins in the middle of a line.
  const start = tail.indexOf('\n') + 1;
  return { text: tail.slice(start), isTail: true };
}

/** A long text without its middle. */
export interface CutText {
  readonly head: string;
  readonly tail: string;
  readonly hiddenLines: number;
  readonly hiddenChars: number;
}

/** Lines, and characters, of each end that are shown of a long text. */
const END_LINES = 40;
const END_CHARS = 6_000;

/** The ends of a text with what is hidden between them, in whole lines where they are short; null for a short one. */
export function cutMiddle(text: string): CutText | null {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  // Hiding two or three lines would hide less than the notice takes.
  if (lines.length <= 2 * END_LINES + 3 && text.length <= 2 * END_CHARS + 200) return null;
  const head = lines.slice(0, END_LINES).join('\n').slice(0, END_CHARS);
  const rest = lines.slice(END_LINES);
  const last = rest.length === 0 ? text.slice(head.length) : rest.slice(-END_LINES).join('\n');
  const tail = last.slice(-END_CHARS);
  const shown = head.split('\n').length + tail.split('\n').length;
  return {
    head,
    tail,
    hiddenLines: Math.max(0, lines.length - shown),
    hiddenChars: text.length - head.length - tail.length,
  };
}
