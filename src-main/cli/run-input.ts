import { basename, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHED_FILE_LIMIT_BYTES } from '#contract/limits.ts';
import { UsageError } from './exit-codes.ts';
import { checkUserFile, OversizedFile, readFailure, readUserFile } from './user-file.ts';

/** Far more than any model accepts. */
const PROMPT_LIMIT_BYTES = 8 * 1024 * 1024;

export interface AttachedFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The prompt, from the argument or the prompt file. */
export async function readPrompt(
  argument: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw new UsageError('Pass the prompt as an argument or with --prompt-file, not both.');
  }
  if (argument === undefined && file === undefined) {
    throw new UsageError('There is no prompt. Pass it in quotes, or with --prompt-file.');
  }
  const prompt = argument ?? (file === '-' ? await readStdin() : await readText(file ?? ''));
  if (prompt.trim() === '') throw new UsageError('The prompt is empty.');
  return prompt;
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > PROMPT_LIMIT_BYTES) throw new UsageError('The prompt is too long for any model.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(file: string): Promise<string> {
  try {
    return (await readUserFile(file, PROMPT_LIMIT_BYTES)).toString('utf8');
  } catch (cause) {
    throw new UsageError(`The prompt file ${file} cannot be read: ${readFailure(cause)}.`);
  }
}

/** Checks all files before anything starts. Throws for the first that cannot be attached. */
export function checkAttachments(files: readonly string[]): Promise<AttachedFile[]> {
  return Promise.all(files.map(checkAttachment));
}

async function checkAttachment(file: string): Promise<AttachedFile> {
  try {
    await checkUserFile(file, ATTACHED_FILE_LIMIT_BYTES);
    return { name: basename(file), path: resolve(file) };
  } catch (cause) {
    if (cause instanceof OversizedFile) throw tooLarge(file, cause.bytes);
    throw new AppError(
      'ATTACHMENT_UNREADABLE',
      `${file} cannot be attached: ${readFailure(cause)}.`,
      {
        details: { file },
        cause,
      },
    );
  }
}

function tooLarge(file: string, bytes: number): AppError {
  const megabytes = (value: number): string => (value / (1024 * 1024)).toFixed(0);
  return new AppError(
    'ATTACHMENT_TOO_LARGE',
    `${file} is ${megabytes(bytes)} MB; the limit for attachments is ${megabytes(ATTACHED_FILE_LIMIT_BYTES)} MB. Split it, or put it where the task can download it.`,
    { details: { file, bytes, limit: ATTACHED_FILE_LIMIT_BYTES } },
  );
}
