import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { PictureDecoder } from '../../../src-main/pictures/picture-decoder.ts';
import { pictureKind } from '../../../src-main/pictures/picture-kind.ts';
import { pngFrom, pngOf } from '../../fakes/png.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const FIXTURES = path.join(root, 'test/fixtures/pictures');
const WITHIN = { within: { width: 1_000, height: 1_000 } };

const decoder = new PictureDecoder(root);
afterAll(() => decoder[Symbol.asyncDispose]());

const fixture = (name: string): Buffer => readFileSync(path.join(FIXTURES, name));

/** The colours of a decoded picture on its left and right, by name. */
async function halves(data: Uint8Array): Promise<string[]> {
  const { ImageMagick, initializeImageMagick } = await import('@imagemagick/magick-wasm');
  const wasm = path.join(root, 'node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm');
  await initializeImageMagick(new WebAssembly.Module(readFileSync(wasm)));
  return ImageMagick.read(data, (image) =>
    image.getPixels((pixels) =>
      [0.25, 0.75].map((share) => {
        const at = pixels.getPixel(Math.floor(image.width * share), Math.floor(image.height / 2));
        const [red = 0, green = 0, blue = 0] = at.length < 3 ? [at[0], at[0], at[0]] : at;
        if (red > 150 && green < 90 && blue < 90) return 'red';
        if (blue > 150 && green < 90 && red < 90) return 'blue';
        return `${red},${green},${blue}`;
      }),
    ),
  );
}

describe('formats', () => {
  test.each(['png', 'jpg', 'webp', 'gif', 'bmp', 'tiff', 'heic', 'avif'])(
    'the first frame of a %s file',
    async (extension) => {
      const { original, ...picture } = await decoder.decode(
        fixture(`two-halves.${extension}`),
        WITHIN,
      );
      expect(original).toEqual({ width: 120, height: 80 });
      expect([picture.width, picture.height]).toEqual([120, 80]);
      expect(pictureKind(picture.data)).toBe(picture.mimeType.slice('image/'.length));
      expect(await halves(picture.data)).toEqual(['red', 'blue']);
    },
  );

  test('an svg is drawn large enough to be seen, without loading anything', async () => {
    const picture = await decoder.decode(fixture('two-halves.svg'), WITHIN);
    expect(picture.original).toEqual({ width: 120, height: 80 });
    expect([picture.width, picture.height]).toEqual([1000, 667]);
    expect(await halves(picture.data)).toEqual(['red', 'blue']);
    const withFile = fixture('two-halves.svg')
      .toString()
      .replace('</svg>', '<image href="file:///etc/hostname" width="120" height="80"/></svg>');
    expect(await halves((await decoder.decode(Buffer.from(withFile), WITHIN)).data)).toEqual([
      'red',
      'blue',
    ]);
  });

  test('a picture is turned upright and loses its metadata', async () => {
    const exif = Buffer.from(
      '45786966000049492a00080000000100120103000100000006000000000000',
      'hex',
    );
    const jpeg = fixture('two-halves.jpg');
    const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
    const turned = Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
    const picture = await decoder.decode(turned, WITHIN);
    expect(picture.original).toEqual({ width: 80, height: 120 });
    expect([picture.width, picture.height]).toEqual([80, 120]);
    expect(Buffer.from(picture.data).includes('Exif')).toBe(false);
  });

  test('a large picture is made smaller, and gets a preview', async () => {
    const photo = pngOf(3_000, 2_000, (x, y) => [
      (x * 31 + y * 17) % 251,
      (x * y) % 241,
      (x * x + y) % 239,
    ]);
    const picture = await decoder.decode(photo, { ...WITHIN, previewEdge: 64 });
    expect([picture.width, picture.height]).toEqual([1000, 667]);
    expect(picture.mimeType).toBe('image/jpeg');
    const preview = await decoder.decode(picture.preview ?? new Uint8Array(), WITHIN);
    expect([preview.width, preview.height]).toEqual([64, 43]);
  });
});

describe('what cannot be read', () => {
  const refusals: readonly (readonly [string, () => Uint8Array, string])[] = [
    ['a text named like a picture', () => Buffer.from('BMW is a car maker'), 'PICTURE_UNREADABLE'],
    ['nothing', () => new Uint8Array(), 'PICTURE_UNREADABLE'],
    ['a page that holds a drawing', () => Buffer.from('<html><svg></svg>'), 'PICTURE_UNREADABLE'],
    ['half a png', () => fixture('two-halves.png').subarray(0, 60), 'PICTURE_UNREADABLE'],
    ['half a heic', () => fixture('two-halves.heic').subarray(0, 300), 'PICTURE_UNREADABLE'],
    [
      'a script of the decoder in the clothes of a drawing',
      () => Buffer.from('<svg><read filename="/etc/passwd"/>'),
      'PICTURE_UNREADABLE',
    ],
    [
      'a drawing that grows by its entities',
      () =>
        Buffer.from(
          `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghij']
            .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
            .join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`,
        ),
      'PICTURE_UNREADABLE',
    ],
    ['100 megapixels', () => header(10_000, 10_000), 'PICTURE_TOO_LARGE'],
    ['a line of a million pixels times 65', () => header(1_000_000, 65), 'PICTURE_TOO_LARGE'],
    ['a line of a billion pixels', () => header(1_000_000_000, 1), 'PICTURE_UNREADABLE'],
    [
      'a small file that unpacks to 100 megapixels',
      () =>
        pngFrom({
          ...{ width: 10_000, height: 10_000, colours: 0 },
          pixels: deflateSync(Buffer.alloc(10_000 * 10_001)),
        }),
      'PICTURE_TOO_LARGE',
    ],
  ];

  test.each(refusals)('%s', async (_name, bytes, code) => {
    await expect(decoder.decode(bytes(), WITHIN)).rejects.toMatchObject({ code });
    // The next one is read as ever.
    await decoder.decode(fixture('two-halves.png'), WITHIN);
  });

  test.each(['png', 'jpg', 'webp', 'gif', 'bmp', 'tiff', 'heic', 'avif', 'svg'])(
    'damaged %s files are decoded or refused with a code, and the process goes on',
    async (extension) => {
      const whole = fixture(`two-halves.${extension}`);
      // The same damage in every run of the test.
      let seed = 7;
      const random = (below: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return seed % below;
      };
      for (let round = 0; round < 12; round += 1) {
        const damaged = Buffer.from(whole.subarray(0, whole.length - random(whole.length / 2)));
        for (let count = random(8); count >= 0; count -= 1) {
          damaged[random(damaged.length)] = random(256);
        }
        const outcome = await decoder.decode(damaged, WITHIN).then(
          ({ width }) => width > 0,
          ({ code }: { code?: string }) => code?.startsWith('PICTURE_'),
        );
        expect(outcome).toBe(true);
      }
      expect((await decoder.decode(fixture('two-halves.png'), WITHIN)).width).toBe(120);
    },
  );

  test('100 megapixels are named with the limit, and with what to do', async () => {
    await expect(decoder.decode(header(10_000, 10_000), WITHIN)).rejects.toThrow(
      'It has 100 megapixels; at most 64 can be read. Make it smaller, or send a part of it.',
    );
  });

  test('too many bytes', async () => {
    await using small = new PictureDecoder(root, { limits: { bytes: 200 } });
    await expect(small.decode(fixture('two-halves.png'), WITHIN)).rejects.toMatchObject({
      code: 'PICTURE_TOO_LARGE',
    });
  });

  test('too much memory: the engine refuses, and the app goes on', async () => {
    await using small = new PictureDecoder(root, { limits: { memoryBytes: 48 * 1024 * 1024 } });
    await expect(
      small.decode(
        pngOf(4_000, 3_000, (x) => [x & 255, 0, 0]),
        WITHIN,
      ),
    ).rejects.toMatchObject({ code: 'PICTURE_TOO_LARGE' });
    expect((await small.decode(fixture('two-halves.png'), WITHIN)).width).toBe(120);
  });

  test('too much time: the process is ended, and the next picture gets another', async () => {
    // Filters over filters: seconds of work in a few hundred bytes.
    const blur = '<feGaussianBlur stdDeviation="90"/>'.repeat(200);
    const slow = `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000"><filter id="f">${blur}</filter><rect filter="url(#f)" width="3000" height="3000"/></svg>`;
    // Enough to start the process, also on a busy computer.
    await using hurried = new PictureDecoder(root, { limits: { timeMs: 4_000 } });
    const large = { within: { width: 3_000, height: 3_000 } };
    await expect(hurried.decode(Buffer.from(slow), large)).rejects.toThrow(/took longer than 4 /);
    expect((await hurried.decode(fixture('two-halves.png'), WITHIN)).width).toBe(120);
  });

  test('one that waits for another ends at once when it is aborted', async () => {
    const ended: string[] = [];
    const photo = pngOf(2_000, 2_000, (x, y) => [x & 255, y & 255, 90]);
    const first = decoder.decode(photo, WITHIN).then(() => ended.push('first'));
    const stop = new AbortController();
    const second = decoder
      .decode(photo, WITHIN, stop.signal)
      .catch((error: Error) => ended.push(error.message));
    stop.abort(new Error('no longer'));
    await Promise.all([first, second]);
    expect(ended).toEqual(['no longer', 'first']);
  });

  test('an abort ends the decoding', async () => {
    const stop = new AbortController();
    const decoding = decoder.decode(fixture('two-halves.png'), WITHIN, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(decoding).rejects.toThrow('stopped');
    expect((await decoder.decode(fixture('two-halves.png'), WITHIN)).width).toBe(120);
  });
});

/** A PNG that says that it is this large, and holds almost nothing. */
function header(width: number, height: number): Buffer {
  return pngFrom({ width, height, pixels: deflateSync(Buffer.alloc(100)) });
}
