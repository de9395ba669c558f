import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/**
 * What is wrong with a write-ahead log that a crash left; null where nothing is. SQLite reads it up to the
 * first frame whose checksum fails, and drops the rest without a word. A crash leaves one unfinished
 * transaction there at most. A commit that another one follows was finished, and is lost.
 */
export function findLogDamage(log: string): string | null {
  if (!existsSync(log)) return null;
  const data = readFileSync(log);
  if (data.length <= HEADER_BYTES) return null;
  const magic = data.readUInt32BE(0);
  // SQLite takes such a log for none; a power cut may leave one before anything was committed in it.
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
  const add = (magic & 1) === 1 ? bigEndianSum : littleEndianSum;
  const frameBytes = FRAME_HEADER_BYTES + data.readUInt32BE(8);
  const salts = data.subarray(16, 24);
  let before = storedSum(data, 24);
  let isBroken = false;
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= data.length; at += frameBytes) {
    const isOfRound = data.subarray(at + 8, at + 16).equals(salts);
    const frame = add(
      add(before, data.subarray(at, at + 8)),
      data.subarray(at + FRAME_HEADER_BYTES, at + frameBytes),
    );
    before = storedSum(data, at + 16);
    const follows = isOfRound && frame[0] === before[0] && frame[1] === before[1];
    if (!follows) {
      isBroken = true;
      commits = 0;
      continue;
    }
    if (isBroken && data.readUInt32BE(at + 4) !== 0) commits += 1;
    if (commits > 1) return 'its log is damaged, and commits in it are lost';
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
