import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { AppError } from '#contract/errors.ts';
import { IdleTooLong } from './idle-limit.ts';

/** A program that ended while it was being started, and why. */
export class ServerEnded extends Error {
  constructor(problem: string, cause: unknown) {
    super(problem, { cause });
    this.name = 'ServerEnded';
  }
}

export function isTimeout(error: unknown): boolean {
  if (error instanceof IdleTooLong) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function isClosed(error: unknown): boolean {
  if (error instanceof ServerEnded) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}

/** What an error of a server or its transport says, in one line. */
export function plainMessage(error: unknown): string {
  if (error instanceof AppError || error instanceof ServerEnded) return error.message;
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const own = error instanceof ProtocolError ? `it answered "${error.message}"` : error.message;
  return `${own}${cause}`.replace(/\s+/g, ' ').slice(0, 500);
}
