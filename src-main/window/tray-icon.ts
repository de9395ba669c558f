import { type NativeImage, nativeImage } from 'electron';

const SIZE = 32;

/** A ring with a dot, drawn in code: the same on every platform, without a file. */
export function trayIcon(): NativeImage {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  const middle = (SIZE - 1) / 2;
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const distance = Math.hypot(x - middle, y - middle);
      const inRing = Math.abs(distance - 12) < 2;
      const inDot = distance < 5;
      if (!inRing && !inDot) continue;
      // BGRA, the teal of the app.
      pixels.set([0x96, 0xa3, 0x2d, 0xff], (y * SIZE + x) * 4);
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: SIZE, height: SIZE });
}
