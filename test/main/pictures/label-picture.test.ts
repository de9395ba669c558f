import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { labelPicture, sizeOfPng } from '../../../src-main/pictures/label-picture.ts';
import { PictureDecoder } from '../../../src-main/pictures/picture-decoder.ts';
import { pngOf } from '../../fakes/png.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const decoder = new PictureDecoder(root);
afterAll(() => decoder[Symbol.asyncDispose]());

/** The color of each pixel of a decoded picture. */
async function pixelsOf(data: Uint8Array): Promise<(x: number, y: number) => number[]> {
  const { ImageMagick, initializeImageMagick } = await import('@imagemagick/magick-wasm');
  const wasm = path.join(root, 'node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm');
  await initializeImageMagick(new WebAssembly.Module(readFileSync(wasm)));
  return ImageMagick.read(data, (image) => {
    const { width, height } = image;
    const rgb = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGB'));
    return (x, y) => [...(rgb ?? []).slice((y * width + x) * 3, (y * width + x) * 3 + 3)];
  });
}

test('frames and names are drawn over a picture, which keeps its size and its pixels', async () => {
  const size = { width: 1_280, height: 800 };
  const png = pngOf(size.width, size.height, () => [250, 250, 250]);
  expect(sizeOfPng(png)).toEqual(size);
  const svg = labelPicture(png, {
    size,
    labels: [
      { text: 'e1', x: 100, y: 200, width: 60, height: 40, hasGrid: false },
      { text: 'f12e345', x: 1_270, y: 0, width: 10, height: 10, hasGrid: false },
      { text: '<e2&', x: 400, y: 400, width: 300, height: 200, hasGrid: true },
    ],
  });
  const { data, width, height } = await decoder.decode(svg, { within: size });
  expect({ width, height }).toEqual(size);
  const at = await pixelsOf(data);
  const plain = [250, 250, 250];
  const red = [0xb0, 0x00, 0x20];
  // The frame, what is in it, and the name above it.
  expect([at(100, 220), at(130, 220), at(102, 186), at(130, 240)]).toEqual([red, plain, red, red]);
  // At the corner of the picture, the name stays inside of it.
  expect(at(1_225, 1)).toEqual([0x00, 0x53, 0x9c]);
  // A point of the grid, and one beside it.
  expect([at(500, 600), at(523, 500)]).toEqual([[0x6a, 0x1b, 0x9a], plain]);
});
