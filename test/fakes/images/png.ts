import { crc32, deflateSync } from 'node:zlib';
import { pngFrom } from '../png.ts';

/** Side of a block of one colour in a noisy picture, in pixels: noise of single pixels packs badly. */
const BLOCK = 8;

/** A PNG of one colour: red, green, blue. */
export function solidPng(
  width: number,
  height: number,
  colour: readonly [number, number, number],
): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set(colour, 1 + x * 3);
  return pngOfRows(width, height, () => row);
}

/** What a broken model draws. */
export function blackPng(width: number, height: number): Buffer {
  return solidPng(width, height, [0, 0, 0]);
}

/** A PNG of blocks whose colours follow from the seed: the same seed and size, the same bytes. */
export function noisePng(width: number, height: number, seed: number): Buffer {
  let state = (Math.imul(seed, 2_654_435_761) ^ 0x9e37_79b9) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  let row = Buffer.alloc(0);
  return pngOfRows(width, height, (y) => {
    if (y % BLOCK !== 0) return row;
    row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += BLOCK) {
      const colour = next();
      const pixel = [colour & 255, (colour >>> 8) & 255, (colour >>> 16) & 255];
      for (let at = x; at < Math.min(x + BLOCK, width); at += 1) row.set(pixel, 1 + at * 3);
    }
    return row;
  });
}

/** The picture with a text beside its pixels, as the servers store their parameters in it. */
export function withPngText(png: Buffer, keyword: string, text: string): Buffer {
  // Five zeros: the end of the keyword, not packed, packing 0, no language, no translated keyword.
  const body = Buffer.concat([Buffer.from(`iTXt${keyword}`), Buffer.alloc(5), Buffer.from(text)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length - 4, 0);
  frame.writeUInt32BE(crc32(body), 4);
  const afterHeader = 33;
  const chunk = [frame.subarray(0, 4), body, frame.subarray(4)];
  return Buffer.concat([png.subarray(0, afterHeader), ...chunk, png.subarray(afterHeader)]);
}

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey with alpha, 3 colours, 4 colours with alpha. */
  readonly channels: number;
}

/** What the header of a PNG, JPEG or WebP says; null for anything else. */
export function pictureFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.length > 33 && bytes.toString('latin1', 1, 4) === 'PNG') {
    const channels = [1, 1, 3, 3, 2, 3, 4][bytes[25] ?? 0] ?? 3;
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), channels };
  }
  if (bytes.length > 30 && bytes.toString('latin1', 8, 12) === 'WEBP') return webpFacts(bytes);
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegFacts(bytes) : null;
}

function webpFacts(bytes: Buffer): PictureFacts | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X': {
      const width = bytes.readUIntLE(24, 3) + 1;
      return { width, height: bytes.readUIntLE(27, 3) + 1, channels: 4 };
    }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, channels: 4 };
    }
    case 'VP8 ':
      return {
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        channels: 3,
      };
    default:
      return null;
  }
}

function jpegFacts(bytes: Buffer): PictureFacts | null {
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const channels = bytes[at + 9] ?? 3;
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), channels };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function pngOfRows(width: number, height: number, rowAt: (y: number) => Buffer): Buffer {
  const stride = 1 + width * 3;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) rowAt(y).copy(rows, y * stride);
  return pngFrom({ width, height, pixels: deflateSync(rows, { level: 1 }) });
}
