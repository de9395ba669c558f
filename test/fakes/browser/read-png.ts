import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of each pixel, row by row. */
  readonly rgb: Uint8Array;
}

/** Reads a PNG of 8 bits with colours, with or without transparency, as browsers write it. */
export function readPng(bytes: Uint8Array): Pixels {
  const file = Buffer.from(bytes);
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  if (file[24] !== 8 || (file[25] !== 2 && file[25] !== 6)) throw new Error('Another kind of PNG.');
  const packed: Buffer[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const rows = Buffer.alloc(height * stride);
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? (rows[y * stride + x - channels] ?? 0) : 0;
      const up = y > 0 ? (rows[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (rows[(y - 1) * stride + x - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      rows[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  for (let at = 0; at < width * height; at += 1) {
    rgb.set(rows.subarray(at * channels, at * channels + 3), at * 3);
  }
  return { width, height, rgb };
}

/** The pixels of a part, as text that can be compared. */
export function cut(
  { width, rgb }: Pixels,
  part: { x: number; y: number; width: number; height: number },
): string {
  const rows: string[] = [];
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const from = (y * width + part.x) * 3;
    rows.push(Buffer.from(rgb.subarray(from, from + part.width * 3)).toString('base64'));
  }
  return rows.join('');
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
