import { z } from 'zod';
import { CodeLanguage, ExecutionOutcome } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** The agent's browser can be watched at this address inside the app. */
const BrowserStreamEvent = defineEvent('browser_stream', {
  streamUrl: z.string(),
  label: z.string().optional(),
});

const BrowserActionEvent = defineEvent('browser_action', {
  actionId: z.string(),
  action: z.string(),
  target: z.string().optional(),
  url: z.string().optional(),
  status: z.enum(['running', 'completed', 'failed']),
});

/** A file of the workspace was created, changed or removed. `path` is relative to the workspace. */
const WorkspaceUpdateEvent = defineEvent('workspace_update', {
  operation: z.enum(['create', 'modify', 'delete']),
  path: z.string(),
  /** Bytes after the change; 0 when deleted. */
  size: z.int().nonnegative(),
  /** What changed it: the id of a tool call, `attachment`, or `other` where no call did. */
  origin: z.string(),
  /** All calls that ran when it changed, where it is not known which of them did it. */
  among: z.array(z.string()).optional(),
});

/** A command starts. Its output and end carry the same `commandId`. */
const TerminalCommandEvent = defineEvent('terminal_command', {
  commandId: z.string(),
  toolCallId: z.string().optional(),
  command: z.string(),
  language: CodeLanguage,
  cwd: z.string(),
});

/** Standard output. `offset` counts the earlier UTF-16 units of this stream. */
const TerminalOutputEvent = defineEvent('terminal_output', {
  commandId: z.string(),
  offset: z.int().nonnegative(),
  text: z.string(),
});

/** Standard error, with its own `offset`. */
const TerminalErrorEvent = defineEvent('terminal_error', {
  commandId: z.string(),
  offset: z.int().nonnegative(),
  text: z.string(),
});

const TerminalCompleteEvent = defineEvent('terminal_complete', {
  commandId: z.string(),
  outcome: ExecutionOutcome,
  exitCode: z.int().nullable(),
  durationMs: z.number().nonnegative(),
});

export const sandboxEvents = [
  BrowserStreamEvent,
  BrowserActionEvent,
  WorkspaceUpdateEvent,
  TerminalCommandEvent,
  TerminalOutputEvent,
  TerminalErrorEvent,
  TerminalCompleteEvent,
] as const;
