import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/**
 * What is wrong with the write-ahead log that a crash left; null if nothing is. SQLite reads it up to the
 * first frame with a bad checksum, and silently drops the rest. A crash leaves at most one unfinished
 * transaction there; a commit followed by another one was finished, so it would be lost.
 */
export function findLogDamage(log: string): string | null {
  if (!existsSync(log)) return null;
  const data = readFileSync(log);
  if (data.length <= HEADER_BYTES) return null;
  const magic = data.readUInt32BE(0);
  // SQLite ignores such a log; a power cut may leave one before anything was committed to it.
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
  const add = (magic & 1) === 1 ? bigEndianSum : littleEndianSum;
  const frameBytes = FRAME_HEADER_BYTES + data.readUInt32BE(8);
  const salts = data.subarray(16, 24);
  let previous = storedSum(data, 24);
  let isBroken = false;
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= data.length; at += frameBytes) {
    const hasSalts = data.subarray(at + 8, at + 16).equals(salts);
    const computed = add(
      add(previous, data.subarray(at, at + 8)),
      data.subarray(at + FRAME_HEADER_BYTES, at + frameBytes),
    );
    previous = storedSum(data, at + 16);
    const isValid = hasSalts && computed[0] === previous[0] && computed[1] === previous[1];
    if (!isValid) {
      isBroken = true;
      commits = 0;
      continue;
    }
    if (isBroken && data.readUInt32BE(at + 4) !== 0) commits += 1;
    if (commits > 1) return 'its log is damaged, and commits in it would be lost';
  }
  return null;
}

type Sum = readonly [number, number];

function storedSum(data: Buffer, at: number): Sum {
  return [data.readUInt32BE(at), data.readUInt32BE(at + 4)];
}

function littleEndianSum([first, second]: Sum, bytes: Buffer): Sum {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32LE(at) + b) >>> 0;
    b = (b + bytes.readUInt32LE(at + 4) + a) >>> 0;
  }
  return [a, b];
}

function bigEndianSum([first, second]: Sum, bytes: Buffer): Sum {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32BE(at) + b) >>> 0;
    b = (b + bytes.readUInt32BE(at + 4) + a) >>> 0;
  }
  return [a, b];
}
