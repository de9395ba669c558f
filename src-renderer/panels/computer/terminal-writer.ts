import type { ExecutionOutcome } from '#contract/vocabulary.ts';
import { formatDuration } from '../../format.ts';
import type { TerminalEntry, TerminalLog } from '../../store/run-view.ts';
import { computerStrings } from '../../strings/computer.ts';
import { toolStrings } from '../../strings/tools.ts';

const DIM = '\u001b[90m';
const BOLD = '\u001b[1m';
const RED = '\u001b[31m';
const GREEN = '\u001b[32m';
const RESET = '\u001b[0m';

/** The position up to which a log was written. */
export interface TerminalCursor {
  /** Entries since the run began, including dropped ones. */
  entry: number;
  /** Characters of the entry at `entry`. */
  chars: number;
  /** The output so far ended in the middle of a line. */
  midLine: boolean;
}

export function terminalStart(): TerminalCursor {
  return { entry: 0, chars: 0, midLine: false };
}

/**
 * What is new in the log since the cursor, as text for a terminal; moves the cursor. However much a
 * command prints, each character is written once.
 */
export function takeTerminalText(log: TerminalLog, cursor: TerminalCursor): string {
  let text = '';
  if (cursor.entry < log.dropped) {
    cursor.entry = log.dropped;
    cursor.chars = 0;
    text += onNewLine(cursor, `${DIM}… ${computerStrings.dropped}${RESET}\n`);
  }
  for (;;) {
    const entry = log.entries[cursor.entry - log.dropped];
    if (entry === undefined) return text;
    text += render(entry, cursor);
    const mayGrow =
      entry.kind === 'output' && cursor.entry - log.dropped === log.entries.length - 1;
    if (mayGrow) return text;
    cursor.entry += 1;
    cursor.chars = 0;
  }
}

function render(entry: TerminalEntry, cursor: TerminalCursor): string {
  switch (entry.kind) {
    case 'command':
      return onNewLine(cursor, renderPrompt(entry));
    case 'output':
      return renderOutput(entry, cursor);
    case 'end':
      return onNewLine(cursor, renderEnd(entry));
  }
}

/** Starts in the first column and ends with a line break. Resets the colours of the output. */
function onNewLine(cursor: TerminalCursor, text: string): string {
  const lead = cursor.midLine ? `${RESET}\n` : RESET;
  cursor.midLine = false;
  return lead + text;
}

const PROMPTS: Readonly<Record<string, string>> = {
  bash: '$',
  python: 'python',
  javascript: 'node',
  typescript: 'ts',
};

function renderPrompt({ command, language }: Extract<TerminalEntry, { kind: 'command' }>): string {
  const prompt = PROMPTS[language] ?? language;
  // A command is shown, not interpreted: its control characters become visible marks.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const lines = command.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�').trimEnd();
  const [first = '', ...rest] = lines.split('\n');
  const more = rest.map((line) => `${DIM}${' '.repeat(prompt.length)}│${RESET} ${line}\n`).join('');
  return `${GREEN}${BOLD}${prompt}❯${RESET} ${BOLD}${first}${RESET}\n${more}`;
}

function renderOutput(
  entry: Extract<TerminalEntry, { kind: 'output' }>,
  cursor: TerminalCursor,
): string {
  const text = entry.text.slice(cursor.chars);
  cursor.chars = entry.text.length;
  if (text === '') return '';
  cursor.midLine = !text.endsWith('\n');
  return entry.stream === 'err' ? `${RED}${text}${RESET}` : text;
}

function renderEnd(entry: Extract<TerminalEntry, { kind: 'end' }>): string {
  const { outcome, exitCode, durationMs } = entry;
  const colour = outcome === 'completed' && exitCode === 0 ? DIM : RED;
  return `${colour}${endText(outcome, exitCode, formatDuration(durationMs))}${RESET}\n\n`;
}

function endText(outcome: ExecutionOutcome, exitCode: number | null, time: string): string {
  if (outcome !== 'completed' || exitCode === null) return toolStrings.outcomes[outcome];
  return computerStrings.exit(exitCode, time);
}
