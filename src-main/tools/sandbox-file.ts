import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { RiskLevel, ToolEffect } from '#contract/vocabulary.ts';
import type { Workspace } from '../services/sandbox/types.ts';
import { defineTool } from './define-tool.ts';
import type { ToolContext, ToolDefinition, ToolOutput } from './types.ts';

const Operation = z.enum(['read', 'write', 'list', 'delete', 'move']);

const SandboxFileInput = z
  .strictObject({
    operation: Operation,
    path: z.string().min(1).describe('in /workspace'),
    content: z.string().optional().describe('for write'),
    destination: z.string().min(1).optional().describe('for move'),
  })
  .refine((input) => input.operation !== 'write' || input.content !== undefined, {
    path: ['content'],
    message: 'write needs the content',
  })
  .refine((input) => input.operation !== 'move' || input.destination !== undefined, {
    path: ['destination'],
    message: 'move needs the destination',
  });
type SandboxFileInput = z.infer<typeof SandboxFileInput>;

/** Bytes of a file that one read gives. */
const READ_LIMIT_BYTES = 64 * 1024;
const LISTED_ENTRIES = 200;

/** See docs/decisions/0003: a person is asked where something is lost for good. */
const RISKS: Readonly<Record<z.infer<typeof Operation>, RiskLevel>> = {
  read: 'low',
  list: 'low',
  write: 'medium',
  move: 'medium',
  delete: 'high',
};
const EFFECTS: Readonly<Record<z.infer<typeof Operation>, ToolEffect>> = {
  read: 'read',
  list: 'read',
  write: 'idempotent',
  move: 'probeable',
  delete: 'idempotent',
};

export function sandboxFileTool(): ToolDefinition {
  return defineTool({
    name: 'sandbox_file',
    category: 'data',
    description: 'Read, write, list, delete or move a file of /workspace.',
    input: SandboxFileInput,
    risk: ({ operation }) => RISKS[operation],
    effect: ({ operation }) => EFFECTS[operation],
    run: async (input, context) => {
      const { workspace } = context.sandbox;
      // Reads change nothing, so they need no look at what changed.
      if (EFFECTS[input.operation] === 'read') return { content: await read(input, workspace) };
      await workspace.takeStock();
      const content = await change(input, workspace);
      return { content, events: await changeEvents(workspace, context) };
    },
  });
}

async function read(input: SandboxFileInput, workspace: Workspace): Promise<string> {
  const path = insideWorkspace(input.path);
  return input.operation === 'list' ? listFolder(path, workspace) : readText(path, workspace);
}

async function listFolder(path: string, workspace: Workspace): Promise<string> {
  const { entries, truncated } = await workspace.list(path);
  const shown = entries
    .slice(0, LISTED_ENTRIES)
    .map((entry) =>
      entry.kind === 'directory' ? `${entry.path}/` : `${entry.path} (${entry.size} bytes)`,
    );
  if (shown.length === 0) return 'The folder is empty.';
  if (truncated || entries.length > shown.length) shown.push('… and more');
  return shown.join('\n');
}

async function readText(path: string, workspace: Workspace): Promise<string> {
  const { data, size } = await workspace.read(path, READ_LIMIT_BYTES);
  if (data.includes(0)) {
    return `${path} is not text (${size} bytes). Read it with a program.`;
  }
  const text = new TextDecoder().decode(data);
  if (size <= data.byteLength) return text;
  return `${text}\n[… the first ${data.byteLength} of ${size} bytes. Read the rest with a program. …]`;
}

async function change(input: SandboxFileInput, workspace: Workspace): Promise<string> {
  const { operation, content = '', destination = '' } = input;
  const path = insideWorkspace(input.path);
  switch (operation) {
    case 'write':
      await workspace.write(path, content);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path}.`;
    case 'delete':
      await workspace.remove(path);
      return `Deleted ${path}.`;
    case 'move': {
      const to = insideWorkspace(destination);
      await workspace.move(path, to);
      return `Moved ${path} to ${to}.`;
    }
    case 'read':
    case 'list':
      throw new AppError('INTERNAL', `${operation} changes nothing.`);
  }
}

async function changeEvents(
  workspace: Workspace,
  { toolCallId }: ToolContext,
): Promise<NonNullable<ToolOutput['events']>> {
  const changes = await workspace.changes();
  return changes.map((one) => ({ type: 'workspace_update' as const, origin: toolCallId, ...one }));
}

/** Models name files by the path inside the sandbox; the workspace takes relative ones. */
function insideWorkspace(path: string): string {
  const relative = path.replace(/^\/workspace(?:\/+|$)/, '');
  return relative === '' ? '.' : relative;
}
