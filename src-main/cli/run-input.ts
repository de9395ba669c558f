import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import { UsageError } from './exit-codes.ts';

export interface AttachedFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** The task's words, from the one place where they were given. */
export async function readPrompt(
  argument: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw new UsageError('Give the prompt as an argument or with --prompt-file, not both.');
  }
  if (argument === undefined && file === undefined) {
    throw new UsageError('A prompt is missing: give it in quotes, or with --prompt-file.');
  }
  const prompt = argument ?? (file === '-' ? await readStdin() : await readText(file ?? ''));
  if (prompt.trim() === '') throw new UsageError('The prompt is empty.');
  return prompt;
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The prompt file ${file} cannot be read: ${reasonOf(cause)}.`);
  }
}

/** Reads every file, or throws for the first that cannot be taken, before anything starts. */
export function readAttachments(files: readonly string[]): Promise<AttachedFile[]> {
  return Promise.all(files.map(readAttachment));
}

async function readAttachment(file: string): Promise<AttachedFile> {
  try {
    const { size } = await stat(file);
    if (size > ATTACHMENT_LIMIT_BYTES) throw tooLarge(file, size);
    const data = await readFile(file);
    // It may have grown, or be a device that has no size.
    if (data.length > ATTACHMENT_LIMIT_BYTES) throw tooLarge(file, data.length);
    return { name: basename(file), data };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('ATTACHMENT_UNREADABLE', `${file} cannot be attached: ${reasonOf(cause)}.`, {
      details: { file },
      cause,
    });
  }
}

function tooLarge(file: string, bytes: number): AppError {
  const megabytes = (value: number): string => (value / (1024 * 1024)).toFixed(0);
  return new AppError(
    'ATTACHMENT_TOO_LARGE',
    `${file} has ${megabytes(bytes)} MB; attachments may have ${megabytes(ATTACHMENT_LIMIT_BYTES)} MB. Split it, or put it where the task can fetch it.`,
    { details: { file, bytes, limit: ATTACHMENT_LIMIT_BYTES } },
  );
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
