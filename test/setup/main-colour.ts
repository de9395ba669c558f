import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ImageMagick, initializeImageMagick } from '@imagemagick/magick-wasm';

/** The size of a picture, and which of red, green and blue there is clearly most of, or `none`. */
export async function mainColour(picture: Uint8Array): Promise<string> {
  const wasm = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm');
  await initializeImageMagick(readFileSync(wasm));
  return ImageMagick.read(Uint8Array.from(picture), (image) => {
    const size = `${image.width}x${image.height}`;
    image.resize(1, 1);
    const rgb = image.getPixels((pixels) => [...pixels.getPixel(0, 0)].slice(0, 3));
    const [most = 0, next = 0] = rgb.toSorted((a, b) => b - a);
    const name = ['red', 'green', 'blue'][rgb.indexOf(most)];
    return `${size} ${most > next + 100 ? name : 'none'}`;
  });
}
