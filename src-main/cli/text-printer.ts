import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import { isPlanEvent, type PlanEvent, PlanLines, seconds } from './plan-lines.ts';
import type { Printer } from './printer.ts';
import { describeQuestion } from './question-text.ts';
import { isResearchEvent, type ResearchEvent, ResearchLines } from './research-lines.ts';
import { isSkillEvent, type SkillEvent, SkillLines } from './skill-lines.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

/** Longer arguments are cut in the line that announces a call; approvals show them in full. */
const ARGUMENTS_SHOWN = 160;

/** A run for human readers: the answer as it streams, calls as lines, command output dimmed. */
export function textPrinter(write: (text: string) => void, style: Style): Printer {
  return new TextPrinter(write, style);
}

class TextPrinter implements Printer {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  /** What the open line belongs to; null at the start of a line. */
  #open: string | null = null;
  #thinking: string | null = null;
  #answered = false;
  readonly #plan: PlanLines;
  readonly #research: ResearchLines;
  readonly #skills: SkillLines;
  /** The step that each call belongs to. */
  readonly #stepOfCall = new Map<string, string>();

  constructor(write: (text: string) => void, style: Style) {
    this.#write = write;
    this.#style = style;
    this.#plan = new PlanLines(style);
    this.#research = new ResearchLines(style);
    this.#skills = new SkillLines(style);
  }

  print(event: RunEvent): void {
    if (isPlanEvent(event)) {
      for (const line of this.#plan.of(event)) this.#line(line);
      return;
    }
    if (isResearchEvent(event)) {
      for (const line of this.#research.of(event)) this.#line(line);
      return;
    }
    if (isSkillEvent(event)) {
      for (const line of this.#skills.of(event)) this.#line(line);
      return;
    }
    switch (event.type) {
      case 'token':
        this.#answered = true;
        this.#stream(`message ${event.messageId}`, plainTerminalText(event.text));
        break;
      case 'reasoning':
        this.#showThinking(event.messageId);
        break;
      case 'terminal_output':
      case 'terminal_error':
        this.#stream(`command ${event.commandId}`, plainTerminalText(event.text), true);
        break;
      case 'tool_call':
        this.#showCall(event);
        break;
      case 'tool_result':
        this.#showResult(event);
        break;
      case 'interrupt':
        this.#line(describeQuestion(event, this.#style));
        break;
      case 'complete':
        if (!this.#answered) this.#line(plainTerminalText(event.answer));
        for (const line of this.#research.end(event.answer)) this.#line(line);
        for (const line of this.#plan.end(event)) this.#line(line);
        break;
      default: {
        const line = describe(event);
        if (line !== null) this.#line(this.#style.dim(showControls(line)));
      }
    }
  }

  finish(): void {
    if (this.#open !== null) this.#write('\n');
    this.#open = null;
  }

  /** Continues the line of the same source. */
  #stream(source: string, text: string, dim = false): void {
    if (text === '') return;
    if (this.#open !== source) this.finish();
    this.#write(dim ? this.#style.dim(text) : text);
    this.#open = text.endsWith('\n') ? null : source;
  }

  #line(text: string): void {
    this.finish();
    this.#write(`${text}\n`);
  }

  #showThinking(messageId: string): void {
    if (this.#thinking === messageId) return;
    this.#thinking = messageId;
    this.#line(this.#style.dim('· thinking'));
  }

  #showCall(event: RunEventOf<'tool_call'>): void {
    const text = JSON.stringify(event.arguments);
    const shown = text.length > ARGUMENTS_SHOWN ? `${text.slice(0, ARGUMENTS_SHOWN)}…` : text;
    const name = this.#style.bold(showControls(event.name));
    const { stepId, toolCallId } = event;
    if (stepId !== undefined) this.#stepOfCall.set(toolCallId, stepId);
    this.#line(`▸ ${this.#plan.mark(stepId)}${name} ${this.#style.dim(showControls(shown))}`);
  }

  #showResult(event: RunEventOf<'tool_result'>): void {
    const level = event.sandboxLevel === undefined ? '' : `, ${event.sandboxLevel}`;
    const facts = this.#style.dim(`(${seconds(event.durationMs)}${level})`);
    const name = `${this.#plan.mark(this.#stepOfCall.get(event.toolCallId))}${showControls(event.name)}`;
    this.#stepOfCall.delete(event.toolCallId);
    if (event.status === 'ok') {
      this.#line(`${this.#style.green('✓')} ${name} ${facts}`);
    } else {
      const reason = plainTerminalText(event.content).trim().split('\n', 1)[0] ?? '';
      this.#line(`${this.#style.red('✗')} ${name}: ${event.status} ${facts} ${reason}`);
    }
  }
}

/** Events that no group of lines and no case of `print` takes. */
type QuietEvent = Exclude<
  RunEvent,
  | PlanEvent
  | ResearchEvent
  | SkillEvent
  | RunEventOf<
      | 'token'
      | 'reasoning'
      | 'terminal_output'
      | 'terminal_error'
      | 'tool_call'
      | 'tool_result'
      | 'interrupt'
      | 'complete'
    >
>;

/** The line for an event; null for none. */
function describe(event: QuietEvent): string | null {
  switch (event.type) {
    case 'stage':
      // The end of `background` is worth a line, too.
      return event.status === 'running' || event.name === 'background'
        ? `· ${event.description}`
        : null;
    case 'error':
      return event.kept === undefined ? null : `· ${event.kept}`;
    case 'image':
      return `▣ ${event.path} (${size(event.bytes)})`;
    case 'workspace_update':
      return describeChange(event);
    case 'terminal_complete':
      return event.outcome === 'completed' && event.exitCode === 0
        ? null
        : `· ended: ${event.outcome}, exit code ${event.exitCode ?? 'none'}`;
    case 'interrupt_response':
      return `· ${event.response.action} (by ${event.by})`;
    case 'browser_action':
      return describeBrowserAction(event);
    case 'usage':
    case 'code_result':
    case 'browser_stream':
    case 'terminal_command':
    case 'todo_update':
    case 'parallel_task':
    case 'parallel_complete':
      return null;
  }
}

/** An action begins with a line; its end is worth one if it failed. */
function describeBrowserAction(event: RunEventOf<'browser_action'>): string | null {
  const { action, target, url, status } = event;
  if (status === 'completed') return null;
  const what = [action, target === undefined ? '' : JSON.stringify(target), url ?? ''];
  const line = what.filter((part) => part !== '').join(' ');
  return status === 'failed' ? `· failed: ${line}` : `· ${line}`;
}

function describeChange(event: RunEventOf<'workspace_update'>): string {
  const sign = { create: '+', modify: '~', delete: '-' }[event.operation];
  const bytes = event.operation === 'delete' ? '' : ` (${size(event.size)})`;
  const doubt = event.among === undefined ? '' : ` by one of ${event.among.length} calls`;
  return `${sign} ${event.path}${bytes}${doubt}`;
}

/** Bytes in decimal units, as file managers show them. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
