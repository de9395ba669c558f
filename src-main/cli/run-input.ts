import { basename } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import { UsageError } from './exit-codes.ts';
import { OversizedFile, readFailure, readUserFile } from './user-file.ts';

/** Far more than any model accepts. */
const PROMPT_LIMIT_BYTES = 8 * 1024 * 1024;

export interface AttachedFile {
  readonly name: string;
  readonly data: Uint8Array;
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

/** Reads all files before anything starts. Throws for the first that cannot be attached. */
export function readAttachments(files: readonly string[]): Promise<AttachedFile[]> {
  return Promise.all(files.map(readAttachment));
}

async function readAttachment(file: string): Promise<AttachedFile> {
  try {
    return { name: basename(file), data: await readUserFile(file, ATTACHMENT_LIMIT_BYTES) };
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
    `${file} is ${megabytes(bytes)} MB; the limit for attachments is ${megabytes(ATTACHMENT_LIMIT_BYTES)} MB. Split it, or put it where the task can download it.`,
    { details: { file, bytes, limit: ATTACHMENT_LIMIT_BYTES } },
  );
}
