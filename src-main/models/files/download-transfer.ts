import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/errors.ts';
import { asDenial, followRedirects } from '../../egress/fetch.ts';
import type { EgressClient } from '../../egress/types.ts';
import { isLoopback } from '../transport/create-agent.ts';
import { type PartDisk, type PartFile, type PartRecord, RESERVED_BYTES } from './part-file.ts';

/** A server that sends nothing for so long is given up. */
const STALLED_AFTER_MS = 60_000;
/** How often the free space is looked at while a file arrives. */
const LOOK_EVERY_BYTES = 64e6;
const READ_BYTES = 256 * 1024;

export interface Transfer {
  readonly part: PartFile;
  /** Changed as the server says more about the file. */
  record: PartRecord;
  readonly disk: PartDisk;
  readonly egressClient: EgressClient;
  readonly signal: AbortSignal;
  readonly stalledAfterMs?: number;
  onProgress(completedBytes: number, totalBytes: number | null): void;
}

/** Whether the failed transfer may go on where it stopped. */
export function isCut(error: unknown): boolean {
  return error instanceof AppError && error.details?.cut === true;
}

/**
 * Fetches what is missing of the file, as one request: the rest if the server still has the same version, else
 * all of it. Resolves when the part is complete by every size that was announced; it is not checked yet. Throws
 * `FETCH_FAILED`, `EGRESS_DENIED`, `DISK_FULL`, or the signal's reason; what has arrived is kept.
 */
export async function fetchPart(transfer: Transfer): Promise<void> {
  const { part, disk, signal } = transfer;
  await part.save(transfer.record);
  const handle = await disk.open(part.path);
  try {
    let { size } = await handle.stat();
    const { bytes } = transfer.record;
    if (bytes !== null && size > bytes) {
      await handle.truncate(0);
      size = 0;
    }
    if (bytes !== null && size === bytes) return;
    await requireSpace(transfer, (bytes ?? size) - size);
    await request(transfer, handle, size);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw asTransferError(error, transfer);
  } finally {
    await handle.close();
  }
}

async function request(transfer: Transfer, handle: FileHandle, size: number): Promise<void> {
  const { record, egressClient } = transfer;
  // Without a name of the version, only the hash would show that two versions were joined.
  const resumes = size > 0 && (record.etag !== null || record.sha256 !== null);
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(resumes ? { range: `bytes=${size}-` } : {}),
    ...(resumes && record.etag !== null ? { 'if-range': record.etag } : {}),
  };
  const stall = new AbortController();
  const { stalledAfterMs = STALLED_AFTER_MS } = transfer;
  const timer = setTimeout(
    () => stall.abort(cut('the server sent nothing for a while')),
    stalledAfterMs,
  );
  const signal = AbortSignal.any([transfer.signal, stall.signal]);
  const isAnew = await followRedirects(
    new URL(record.url),
    {
      ...{ egressClient, headers, signal },
      // Anyone on the way could swap a file without a hash, as where the address is typed.
      followsHttp: (from, to) =>
        from.protocol === 'http:' && (record.sha256 !== null || isLoopback(to)),
    },
    async (response) => {
      const start = startOf(response, transfer, resumes ? size : 0);
      if (start === null) return true;
      if (start === 0) await handle.truncate(0);
      await receive(response, { transfer, handle, start, signal, onBytes: () => timer.refresh() });
      return false;
    },
  )
    .catch((error: unknown) => {
      throw stall.signal.aborted ? stall.signal.reason : error;
    })
    .finally(() => clearTimeout(timer));
  if (!isAnew) return;
  if (size === 0) throw refused(transfer, 'it sends a part of a file that was not asked for');
  await handle.truncate(0);
  transfer.record = { ...transfer.record, etag: null };
  await request(transfer, handle, 0);
}

/**
 * Where the answer's bytes belong; null if everything must be asked for again, because the server has another
 * version of the file. Notes the size and the version that it announces.
 */
function startOf(response: IncomingMessage, transfer: Transfer, asked: number): number | null {
  const { statusCode: status = 0, headers } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw refused(transfer, `it sends the file as ${encoding}`);
  if (status === 416) return null;
  if (status !== 200 && status !== 206) throw badStatus(transfer, status);
  const etag = strongTag(headers.etag);
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
  const length = Number.parseInt(headers['content-length'] ?? '', 10);
  const total = status === 206 ? Number(range?.[2] ?? Number.NaN) : length;
  if (status === 206) {
    const isOurs = Number(range?.[1] ?? -1) === asked && asked > 0;
    const { etag: before, bytes } = transfer.record;
    const isSame = before === null || etag === null || before === etag;
    if (!isOurs || !isSame || (bytes !== null && bytes !== total)) return null;
  }
  const { bytes, byUser } = transfer.record;
  if (!byUser && Number.isFinite(total) && bytes !== null && total !== bytes) {
    throw refused(transfer, `it announces ${total} bytes instead of ${bytes}`);
  }
  const announced = Number.isFinite(total) && total > 0 ? total : null;
  transfer.record = {
    ...transfer.record,
    etag: etag ?? (status === 206 ? transfer.record.etag : null),
    bytes: byUser ? announced : bytes,
  };
  return status === 206 ? asked : 0;
}

/** Weak tags name what is alike, not what is the same. */
function strongTag(tag: string | undefined): string | null {
  return tag !== undefined && /^"[\x21\x23-\x7e]{0,400}"$/.test(tag) ? tag : null;
}

interface Receiving {
  readonly transfer: Transfer;
  readonly handle: FileHandle;
  readonly start: number;
  readonly signal: AbortSignal;
  readonly onBytes: () => void;
}

async function receive(response: IncomingMessage, receiving: Receiving): Promise<void> {
  const { transfer, handle, start, signal, onBytes } = receiving;
  const { bytes } = transfer.record;
  await transfer.part.save(transfer.record);
  await requireSpace(transfer, (bytes ?? start) - start);
  let at = start;
  let lookAt = at + LOOK_EVERY_BYTES;
  transfer.onProgress(at, bytes);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    onBytes();
    if (bytes !== null && at + chunk.length > bytes) {
      await handle.truncate(0);
      throw refused(transfer, `it sends more than the ${bytes} bytes that it announced`);
    }
    await writeAll(handle, chunk, at);
    at += chunk.length;
    if (at >= lookAt) {
      await requireSpace(transfer, 0);
      lookAt = at + LOOK_EVERY_BYTES;
    }
    transfer.onProgress(at, bytes);
  }
  if (!response.complete || (bytes !== null && at < bytes)) throw cut('the connection was cut');
  await handle.sync();
  if (bytes === null) {
    transfer.record = { ...transfer.record, bytes: at };
    await transfer.part.save(transfer.record);
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, at: number): Promise<void> {
  let done = 0;
  while (done < chunk.length) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
}

/** Throws `DISK_FULL` unless `bytes` more fit, with some to spare. */
async function requireSpace({ disk, part }: Transfer, bytes: number): Promise<void> {
  const free = await disk.freeBytes(part.folder);
  if (free - bytes >= RESERVED_BYTES) return;
  throw diskFull(part, bytes + RESERVED_BYTES - free);
}

/** The SHA-256 of the part, which must begin as a model file does. Throws `FETCH_FAILED`, `STORAGE_FAILED`. */
export async function hashPart(
  { part, disk, signal }: Pick<Transfer, 'part' | 'disk' | 'signal'>,
  onProgress: (hashedBytes: number) => void,
): Promise<string> {
  const failed = (error: unknown): never => {
    throw new AppError(
      'STORAGE_FAILED',
      `${part.path} cannot be read (${String((error as NodeJS.ErrnoException).code)}). What has arrived is kept. Resume it.`,
      { cause: error },
    );
  };
  const handle = await disk.open(part.path).catch(failed);
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(READ_BYTES);
    let at = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, at).catch(failed);
      if (at === 0 && buffer.toString('latin1', 0, 4) !== 'GGUF') {
        throw new AppError('FETCH_FAILED', 'What arrived is not a model file (GGUF).');
      }
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
      onProgress(at);
    }
  } finally {
    await handle.close();
  }
}

function cut(why: string): AppError {
  return new AppError(
    'FETCH_FAILED',
    `The download stopped: ${why}. What has arrived is kept. Resume it.`,
    { details: { cut: true } },
  );
}

function refused({ record }: Transfer, why: string): AppError {
  return new AppError(
    'FETCH_FAILED',
    `${new URL(record.url).host} cannot be used for this file: ${why}. Nothing of it was loaded.`,
  );
}

function badStatus({ record }: Transfer, status: number): AppError {
  const { host } = new URL(record.url);
  if (status === 404 || status === 410) {
    return new AppError('FETCH_FAILED', `${host} has no such file. Check the address.`);
  }
  if (status === 401 || status === 403) {
    return new AppError(
      'FETCH_FAILED',
      `${host} wants a sign-in for this file. Download it in your browser, then choose the file in the settings.`,
    );
  }
  // Busy, or broken for a moment.
  const details = { cut: status === 429 || status >= 500 };
  return new AppError('FETCH_FAILED', `${host} answered with status ${status}. Try again later.`, {
    details,
  });
}

function diskFull({ folder }: PartFile, missing: number): AppError {
  return new AppError(
    'DISK_FULL',
    `There is not enough space in ${folder}: ${(Math.max(missing, 1e8) / 1e9).toFixed(1)} GB are missing. Free some, then resume; what has arrived is kept.`,
  );
}

function asTransferError(error: unknown, { part, record }: Transfer): unknown {
  if (error instanceof AppError) return error;
  const denied = asDenial(error);
  if (denied !== null) return denied;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return diskFull(part, 0);
  if (
    code === 'ELOOP' ||
    code === 'EACCES' ||
    code === 'EROFS' ||
    (code === 'EIO' && syscall === 'write')
  ) {
    return new AppError('STORAGE_FAILED', `${part.path} cannot be written (${code}).`, {
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  const { host } = new URL(record.url);
  return new AppError(
    'FETCH_FAILED',
    `The download from ${host} stopped: ${why}. What has arrived is kept. Resume it.`,
    {
      details: { cut: true },
      cause: error,
    },
  );
}
