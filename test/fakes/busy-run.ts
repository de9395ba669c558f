import type { RunEventDraft } from '#contract/events/run-event.ts';

const PROSE =
  'The totals are **almost level** between `North` and `West`, see [the table](table.csv).\n\n';
const LIST = '- first, with *emphasis*\n- second, with `code`\n  - nested\n- third\n\n';
const CODE =
  '```python\nfor row in rows:\n    total += row["revenue"]  # sum\nprint(total)\n```\n\n';
const TABLE = '| Region | Revenue |\n|---|---:|\n| North | 3,353.50 |\n| West | 3,385.00 |\n\n';
const TEXT = [PROSE, PROSE, LIST, CODE, PROSE, TABLE].join('');

/**
 * The events `from` to `from + count` of an endless run: answers that stream, programs that print,
 * and a call now and then. The same numbers always give the same events.
 */
export function busyRun(from: number, count: number): RunEventDraft[] {
  return Array.from({ length: count }, (_, index) => draft(from + index));
}

/** Events of one round: a call, what its program prints, its result, and then the answer. */
const ROUND = 500;
const PRINTED = 150;

function draft(at: number): RunEventDraft {
  const round = Math.floor(at / ROUND);
  const step = at % ROUND;
  const toolCallId = `call-${round}`;
  const commandId = `cmd-${round}`;
  const code = `print(${round})`;
  if (step === 0) {
    return {
      ...{ type: 'tool_call', toolCallId, name: 'execute_code', risk: 'high', effect: 'opaque' },
      ...{ arguments: { language: 'python', code }, agent: 'executor', round: round + 1 },
    };
  }
  if (step === 1) {
    return {
      ...{ type: 'terminal_command', commandId, toolCallId, command: code },
      ...{ language: 'python', cwd: '/workspace' },
    };
  }
  if (step < PRINTED) {
    const text = `line ${at}: ${'value '.repeat(8)}\n`;
    return { type: 'terminal_output', commandId, offset: (step - 2) * text.length, text };
  }
  if (step === PRINTED) {
    return {
      ...{ type: 'terminal_complete', commandId, outcome: 'completed' },
      ...{ exitCode: 0, durationMs: 900 },
    };
  }
  if (step === PRINTED + 1) {
    return {
      ...{ type: 'tool_result', toolCallId, name: 'execute_code', status: 'ok' },
      ...{ content: 'printed', durationMs: 900, sandboxLevel: 'bubblewrap' },
    };
  }
  const offset = ((step - PRINTED) * 7) % TEXT.length;
  return { type: 'token', messageId: `m-${round}`, text: TEXT.slice(offset, offset + 7) };
}
