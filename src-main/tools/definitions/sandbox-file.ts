import { dirname } from 'node:path/posix';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { RiskLevel, ToolEffect } from '#contract/vocabulary.ts';
import { MOST_PATH_CHARS } from '../../base/path-glob.ts';
import type { Question } from '../../hitl/types.ts';
import { PICTURE_HEAD_BYTES, pictureKind } from '../../pictures/picture-kind.ts';
import { readPicture } from '../../pictures/read-picture.ts';
import type { ChangeWatch, WorkspaceFiles } from '../../sandbox/types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { changeUnlessEdited, sawFile } from '../over-user-edit.ts';
import { packedKind, readDocument } from '../read-document.ts';
import { changeEvents } from '../run-command.ts';
import { READ_LIMIT_BYTES, requireOffset, textFrom } from '../text-part.ts';
import type { LookContext, ToolContext, ToolDefinition, ToolOutput } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

const Operation = z.enum(['read', 'write', 'list', 'delete', 'move']);

/** A refinement, so that the limit is not in the schema that models and server grammars read. */
const FilePath = z
  .string()
  .min(1)
  .refine((path) => path.length <= MOST_PATH_CHARS, {
    message: `a path has ${MOST_PATH_CHARS} characters at most`,
  });

const SandboxFileInput = z
  .strictObject({
    operation: Operation,
    path: FilePath.describe('in /workspace'),
    content: z.string().optional().describe('for write'),
    destination: FilePath.optional().describe('for move'),
    offset: z.int().min(0).optional().describe('for read'),
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

const LISTED_ENTRIES = 200;

/** See docs/decisions/0003: the user is asked where something would be lost for good. */
const RISKS: Readonly<Record<z.infer<typeof Operation>, RiskLevel>> = {
  read: 'low',
  list: 'low',
  write: 'medium',
  move: 'medium',
  delete: 'high',
};
const QUESTIONS: Readonly<Record<z.infer<typeof Operation>, string>> = {
  read: 'Read this file?',
  list: 'List this folder?',
  write: 'Write this file?',
  move: 'Move this file?',
  delete: 'Delete this file?',
};
const EFFECTS: Readonly<Record<z.infer<typeof Operation>, ToolEffect>> = {
  read: 'read',
  list: 'read',
  write: 'idempotent',
  move: 'probeable',
  delete: 'probeable',
};

/** One operation on one file of the task. */
export function tool({
  pictures,
  documents,
  edits,
}: Pick<ToolParts, 'pictures' | 'documents' | 'edits'>): ToolDefinition {
  return defineTool({
    name: 'sandbox_file',
    description: 'Read, write, list, delete or move a file of /workspace.',
    input: SandboxFileInput,
    question: ({ operation }) => QUESTIONS[operation],
    risk: ({ operation }) => RISKS[operation],
    effect: ({ operation }) => EFFECTS[operation],
    subjects: ({ operation, path, destination }) => ({
      paths: [path, ...(destination === undefined ? [] : [destination])].map(insideWorkspace),
      lastLink: operation === 'move' || operation === 'delete' ? 'keep' : 'follow',
    }),
    preview: (input, context) => previewChange(input, openedBy(context)),
    run: async (input, context) => {
      const { workspace } = context.sandbox;
      const opened = openedBy(context);
      // Reads change nothing, so there are no changes to detect.
      if (EFFECTS[input.operation] === 'read') {
        const unseen = edits.find(context.threadId, [opened.path]);
        const found = await read(input, opened, { pictures, documents, context });
        if (input.operation === 'read' && found.isWhole) sawFile(unseen, context, { edits });
        return found.output;
      }
      return await changeUnlessEdited(context.paths, context, {
        edits,
        change: async () => {
          using watch = await workspace.watch(context.toolCallId, context.paths);
          const changed = await change(input, opened);
          const isNew = isNewFile(input, context);
          const content = isNew ? `${changed.slice(0, -1)}, a new file.` : changed;
          const changes = changeEvents(context.toolCallId, await watch.end());
          const events = [...othersOf(watch), ...changes];
          return { content, events: asFirstAttempt(events, input, context) };
        },
      });
    },
    before: (_input, context) => filesBelow(openedBy(context)),
    probe: (input, context) => probeOutcome(input, context),
  });
}

/** The paths that a call was cleared for, and file access that follows no links. */
interface Opened {
  readonly path: string;
  readonly destination: string;
  readonly files: WorkspaceFiles;
}

function openedBy({ paths: [path = '', destination = ''], sandbox }: LookContext): Opened {
  const files = sandbox.workspace.withoutLinks();
  return { path: path === '' ? '.' : path, destination, files };
}

/** Files at or below a path before a call, with their sizes. */
const FilesBefore = z.array(z.object({ path: z.string(), size: z.int() }));
type FilesBefore = z.infer<typeof FilesBefore>;

async function filesBelow({ path, files: workspace }: Opened): Promise<FilesBefore> {
  const isBelow = (other: string): boolean => other === path || other.startsWith(`${path}/`);
  try {
    const { entries } = await workspace.list(dirname(path), { recursive: true });
    return entries
      .filter((entry) => entry.kind === 'file' && isBelow(entry.path))
      .map(({ path: found, size }) => ({ path: found, size }));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/**
 * A write that is repeated after a crash may find its own file: its event is the same as that of the first
 * attempt.
 */
function asFirstAttempt(
  events: NonNullable<ToolOutput['events']>,
  { operation, content = '' }: SandboxFileInput,
  { before, toolCallId, paths: [path = ''] }: ToolContext,
): NonNullable<ToolOutput['events']> {
  const files = safeParse(FilesBefore, before);
  if (operation !== 'write' || !files.success) return events;
  const wasThere = files.data.some((file) => file.path === path);
  const first = wasThere ? ('modify' as const) : ('create' as const);
  const others = events.filter((event) => !('path' in event && event.path === path));
  const size = Buffer.byteLength(content);
  return [
    ...others,
    { type: 'workspace_update', operation: first, path, size, origin: toolCallId },
  ];
}

function isNewFile(
  { operation }: SandboxFileInput,
  { before, paths: [path = ''] }: ToolContext,
): boolean {
  const files = safeParse(FilesBefore, before);
  return operation === 'write' && files.success && files.data.every((file) => file.path !== path);
}

/** The output of a deletion or move that a crash interrupted; null where its source still exists. */
async function probeOutcome(
  { operation }: SandboxFileInput,
  context: LookContext,
): Promise<ToolOutput | null> {
  const { before, toolCallId: origin } = context;
  const { path, destination, files: workspace } = openedBy(context);
  const files = safeParse(FilesBefore, before);
  if (await exists(path, workspace)) return null;
  if (operation === 'move' && !(await exists(destination, workspace))) return null;
  const known = files.data ?? [];
  const arrived = (operation === 'move' ? known : []).map((file) => ({
    operation: 'create' as const,
    path: `${destination}${file.path.slice(path.length)}`,
    size: file.size,
  }));
  const left = known.map((file) => ({ operation: 'delete' as const, path: file.path, size: 0 }));
  const events = [...arrived, ...left].map((one) => ({
    type: 'workspace_update' as const,
    origin,
    ...one,
  }));
  const content = operation === 'move' ? `Moved ${path} to ${destination}.` : `Deleted ${path}.`;
  return { content, events };
}

/** What is read, and whether the model is shown all of it. */
async function read(
  { operation, offset = 0 }: SandboxFileInput,
  { path, files }: Opened,
  shown: Pick<ToolParts, 'pictures' | 'documents'> & { readonly context: ToolContext },
): Promise<{ readonly output: ToolOutput; readonly isWhole: boolean }> {
  if (operation === 'list') return { output: await listFolder(path, files), isWhole: false };
  const { data: head } = await files.read(path, PICTURE_HEAD_BYTES);
  const packed = packedKind(head, path);
  if (packed !== null) {
    const output = await readDocument(path, files, { kind: packed, offset, ...shown });
    return { output, isWhole: offset === 0 };
  }
  const kind = pictureKind(head);
  // A drawing is text, which programs wrote and models change.
  if (kind !== null && kind !== 'svg') {
    return { output: await showPicture(path, files, shown), isWhole: true };
  }
  return await readText(path, files, offset);
}

/** The picture goes to the model itself, if it sees. */
async function showPicture(
  path: string,
  files: WorkspaceFiles,
  {
    pictures,
    context: { threadId, signal },
  }: Pick<ToolParts, 'pictures'> & { readonly context: ToolContext },
): Promise<ToolOutput> {
  const bytes = await readPicture(path, files);
  const picture = await pictures.add(threadId, { name: path, bytes }, signal);
  const { width, height } = picture;
  const content = `${path} is a picture of ${width} × ${height} pixels.`;
  return { content, data: content, pictures: [picture] };
}

async function listFolder(path: string, workspace: WorkspaceFiles): Promise<ToolOutput> {
  const { entries, truncated } = await workspace.list(path);
  const shown = entries
    .slice(0, LISTED_ENTRIES)
    .map((entry) =>
      entry.kind === 'directory' ? `${entry.path}/` : `${entry.path} (${entry.size} bytes)`,
    );
  if (truncated || entries.length > shown.length) shown.push('… and more');
  const data = entries.map((entry) => (entry.kind === 'directory' ? `${entry.path}/` : entry.path));
  return { content: shown.length === 0 ? 'The folder is empty.' : shown.join('\n'), data };
}

/** A text file. */
async function readText(
  path: string,
  workspace: WorkspaceFiles,
  offset: number,
): Promise<{ readonly output: ToolOutput; readonly isWhole: boolean }> {
  const { data, size } = await workspace.read(path, READ_LIMIT_BYTES, offset);
  requireOffset(path, { offset, size });
  if (data.includes(0)) {
    const said = `${path} is not text (${size} bytes). Read it with a program.`;
    return { output: { content: said, data: said }, isWhole: false };
  }
  const output = textFrom(data, { offset, size });
  return { output, isWhole: data.length === size && output.content === output.data };
}

async function change(
  { operation, content = '' }: SandboxFileInput,
  { path, destination, files: workspace }: Opened,
): Promise<string> {
  // It holds the modules that the app's programs import.
  if ([path, destination].some((one) => /^\.hyperagent(?:\/|$)/i.test(one))) {
    throw new AppError(
      'BAD_REQUEST',
      'The folder .hyperagent belongs to the app. Use another one.',
    );
  }
  switch (operation) {
    case 'write':
      await workspace.write(path, content);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path}.`;
    case 'delete':
      await workspace.remove(path);
      return `Deleted ${path}.`;
    case 'move':
      await workspace.move(path, destination);
      return `Moved ${path} to ${destination}.`;
    case 'read':
    case 'list':
      throw new AppError('INTERNAL', `${operation} changes nothing.`);
  }
}

/** Maximum bytes of a text that a question shows in full. */
const PREVIEW_LIMIT_BYTES = 256 * 1024;

async function previewChange(
  { operation, content = '' }: SandboxFileInput,
  { path, files: workspace }: Opened,
): Promise<NonNullable<Question['change']> | null> {
  if (operation !== 'write' && operation !== 'delete') return null;
  const after = operation === 'write' ? content : null;
  try {
    const { data, size } = await workspace.read(path, PREVIEW_LIMIT_BYTES);
    if (size > data.byteLength) {
      return {
        path,
        before: null,
        after: null,
        note: `The file is too long to compare (${size} bytes).`,
      };
    }
    if (data.includes(0)) {
      return { path, before: null, after: null, note: `The file is not text (${size} bytes).` };
    }
    return { path, before: new TextDecoder().decode(data), after, note: '' };
  } catch (error) {
    // A new file or a folder: there is nothing to compare, and the call itself reports any problem.
    if (!(error instanceof AppError)) throw error;
    return after === null ? null : { path, before: null, after, note: '' };
  }
}

function othersOf({ others }: ChangeWatch): RunEventDraft[] {
  return others.map((change) => ({ type: 'workspace_update', origin: 'other', ...change }));
}

async function exists(path: string, workspace: WorkspaceFiles): Promise<boolean> {
  const folder = dirname(path);
  try {
    const { entries } = await workspace.list(folder);
    return entries.some((entry) => entry.path === path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}
