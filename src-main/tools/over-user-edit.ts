import { basename } from 'node:path/posix';
import { AppError } from '#contract/errors.ts';
import { hasKeys } from '../base/key-files.ts';
import { parentOf } from '../base/step-path.ts';
import { utf8OrNull } from '../base/utf8.ts';
import type { StoredUserEdit } from '../storage/user-edit-store.ts';
import type { ToolParts } from './define-tool.ts';
import type { ToolContext, ToolOutput } from './types.ts';

/** A longer file is not repeated to the model, which reads it itself. */
const SHOWN_BYTES = 6_000;

/** What a program that made the call gets of a refusal. */
export interface OverUserEdit {
  readonly changed_by_user: true;
}

/**
 * Does `change` to the files at `paths`, while nobody else changes files of the task. Refuses, once, where the user
 * changed one of them and the model has not seen it since: it would be lost. The refusal shows what is there, so that the
 * model's next answer builds on it; further calls of the same answer are refused too.
 */
export async function changeUnlessEdited(
  paths: readonly string[],
  context: ToolContext,
  { edits, change }: Pick<ToolParts, 'edits'> & { readonly change: () => Promise<ToolOutput> },
): Promise<ToolOutput> {
  const { threadId, persist, sandbox } = context;
  return await sandbox.workspace.exclusively(async () => {
    const found = edits.find(threadId, paths);
    const answer = answerOf(context);
    const unseen = found.find(({ seenIn }) => seenIn === null || seenIn === answer);
    if (unseen === undefined) {
      const output = await change();
      if (output.ok !== false) edits.seen(found, null);
      return output;
    }
    // With the result of the call: it is refused again if a crash takes that away.
    persist(() => edits.seen([unseen], answer));
    return await refusal(unseen, context);
  });
}

/** The model was shown what is in a file; `edits` are those of before it was read. */
export function sawFile(
  edits: readonly StoredUserEdit[],
  context: ToolContext,
  parts: Pick<ToolParts, 'edits'>,
): void {
  // A program has what it read.
  const isByModel = parentOf(context.step) === context.answer;
  parts.edits.seen(edits, isByModel ? answerOf(context) : null);
}

function answerOf({ runId, answer }: ToolContext): string {
  return `${runId} ${answer}`;
}

async function refusal(
  { path, source }: StoredUserEdit,
  { sandbox }: ToolContext,
): Promise<ToolOutput> {
  const who = source === 'user' ? 'The user' : 'The user, or a program that runs,';
  const now = await contentOf(path, sandbox.workspace.withoutLinks());
  const data: OverUserEdit = { changed_by_user: true };
  return { content: `Nothing was done. ${who} ${said(path, now)}`, data, ok: false };
}

type Content = { readonly kind: 'gone' | 'not shown' } | { readonly kind: 'text'; text: string };

function said(path: string, now: Content): string {
  if (now.kind === 'gone') {
    return `deleted ${path} after you last saw it. If it is still needed, make the call again.`;
  }
  const next = 'Keep what is new in it, and make the call again.';
  const what = `changed ${path} after you last saw it.`;
  return now.kind === 'text'
    ? `${what} ${next} It is now:\n${now.text}`
    : `${what} Read it first. ${next}`;
}

/** What a refusal shows of a file: nothing of keys, of long files, and of what is not text. */
async function contentOf(
  path: string,
  files: Pick<ToolContext['sandbox']['workspace'], 'read'>,
): Promise<Content> {
  try {
    const { data, size } = await files.read(path, SHOWN_BYTES);
    const text = size > data.length || hasKeys(basename(path)) ? null : utf8OrNull(data);
    return text === null ? { kind: 'not shown' } : { kind: 'text', text };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: error.code === 'NOT_FOUND' ? 'gone' : 'not shown' };
  }
}
