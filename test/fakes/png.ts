import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one red pixel, with these packed bytes in the place of its pixels. */
export function png(pixels: Buffer): Buffer {
  return pngFrom({ width: 1, height: 1, pixels });
}

/** A PNG whose header and packed pixels are as given, whether they agree or not. */
export function pngFrom({
  width,
  height,
  pixels,
  bits = 8,
  colours = 2,
}: {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
  readonly bits?: number;
  readonly colours?: number;
}): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([bits, colours], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [part('IHDR', size), part('IDAT', pixels), part('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

/** A PNG of this size, with the colour of each pixel as red, green, blue. */
export function pngOf(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly [number, number, number],
): Buffer {
  const row = width * 3 + 1;
  const rows = Buffer.alloc(height * row);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), y * row + 1 + x * 3);
  }
  return pngFrom({ width, height, pixels: deflateSync(rows, { level: 1 }) });
}

function part(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}
