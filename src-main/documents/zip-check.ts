import { inflateRawSync } from 'node:zlib';
import { AppError } from '#contract/errors.ts';
import { unreadable } from './unreadable.ts';

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const MAX_ENTRIES = 10_000;
const STORED = 0;
const DEFLATED = 8;

/**
 * Measures an archive before a library unpacks it. Every entry is really unpacked, against one budget
 * for all of them, because the sizes that an archive declares may be lies. An archive that can be read
 * in two ways is refused: there must be one directory, which ends where the end record begins, and each
 * entry must agree with its local header. Throws `FILE_TOO_LARGE` over `maxBytes`,
 * `LIBRARY_UNREADABLE` if it is not a regular zip archive.
 */
export function checkZip(bytes: Buffer, maxBytes: number): void {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw tooLarge(maxBytes);
  let at = bytes.readUInt32LE(end + 16);
  if (bytes.readUInt16LE(end + 8) !== count) throw broken();
  if (at + bytes.readUInt32LE(end + 12) !== end) throw broken();
  let left = maxBytes;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw broken();
    left -= unpackedBytes(bytes, at, left);
    if (left < 0) throw tooLarge(maxBytes);
    at +=
      ENTRY_BYTES +
      bytes.readUInt16LE(at + 28) +
      bytes.readUInt16LE(at + 30) +
      bytes.readUInt16LE(at + 32);
  }
  // More entries than the count says: some readers ignore the count and go by the bytes.
  if (at !== end) throw broken();
}

function endOf(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= from; at -= 1) {
    if (bytes.readUInt32LE(at) !== 0x06054b50) continue;
    // A comment that contains another end record would make two archives in one.
    if (at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) return at;
    throw broken();
  }
  throw broken();
}

function unpackedBytes(bytes: Buffer, entry: number, left: number): number {
  if ((bytes.readUInt16LE(entry + 8) & 1) !== 0) {
    throw unreadable('It is protected by a password. Save a copy without the password.');
  }
  const method = bytes.readUInt16LE(entry + 10);
  const packed = bytes.readUInt32LE(entry + 20);
  const local = bytes.readUInt32LE(entry + 42);
  if (local + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(local) !== 0x04034b50) {
    throw broken();
  }
  if (bytes.readUInt16LE(local + 8) !== method || !namesAgree(bytes, entry, local)) throw broken();
  const ownPacked = bytes.readUInt32LE(local + 18);
  // A streamed entry has its sizes after the data.
  const comesAfter = (bytes.readUInt16LE(local + 6) & 8) !== 0;
  if (ownPacked !== packed && !comesAfter) throw broken();
  const from =
    local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (from + packed > bytes.length) throw broken();
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw broken();
  try {
    const maxOutputLength = Math.max(1, left + 1);
    return inflateRawSync(bytes.subarray(from, from + packed), { maxOutputLength }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return left + 1;
    throw broken();
  }
}

function namesAgree(bytes: Buffer, entry: number, local: number): boolean {
  const nameOf = (header: number, lengthAt: number): Buffer =>
    bytes.subarray(header, header + bytes.readUInt16LE(lengthAt));
  return nameOf(entry + ENTRY_BYTES, entry + 28).equals(nameOf(local + LOCAL_BYTES, local + 26));
}

function tooLarge(maxBytes: number): AppError {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return new AppError('FILE_TOO_LARGE', `Unpacked, it is larger than ${megabytes} MB.`);
}

function broken(): AppError {
  return unreadable('It is damaged, or its format does not match its name.');
}
