import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import type { PictureForm } from '#main/pictures/types.ts';
import { blackPng, pictureFacts, solidPng } from '../../fakes/images/png.ts';
import { pngOf } from '../../fakes/png.ts';

const decoder = new PictureDecoder(process.cwd());
afterAll(() => decoder[Symbol.asyncDispose]());

const within = { width: 8_192, height: 8_192 };
const decode = (bytes: Buffer, form: PictureForm) => decoder.decode(bytes, { within, form });

/** Color type and first pixel of a PNG whose first row has no filter. */
function firstPixel(png: Uint8Array): { readonly type: number; readonly pixel: number[] } {
  const bytes = Buffer.from(png);
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const type = bytes[25] ?? -1;
  const row = inflateSync(Buffer.concat(parts));
  return { type, pixel: [...row.subarray(1, 1 + (type === 6 ? 4 : 3))] };
}

describe('a picture in another form', () => {
  it('exact: as RGB without loss, however large', async () => {
    let state = 1;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 256;
    };
    const large = pngOf(800, 600, () => [next(), next(), next()]);
    const { data, mimeType, isBlack } = await decode(large, 'exact');
    expect([mimeType, isBlack, firstPixel(data).type]).toEqual(['image/png', false, 2]);
    expect(data.length).toBeGreaterThan(1_200_000);
    // As a model gets it, it is smaller.
    expect((await decode(large, 'usual')).mimeType).toBe('image/jpeg');
    expect((await decode(Buffer.from(data), 'exact')).data).toEqual(data);
  });

  it('says whether there is nothing but black', async () => {
    expect((await decode(blackPng(32, 32), 'exact')).isBlack).toBe(true);
    expect((await decode(solidPng(32, 32, [3, 3, 3]), 'exact')).isBlack).toBe(true);
    expect((await decode(solidPng(32, 32, [0, 0, 90]), 'exact')).isBlack).toBe(false);
  });

  it.each([
    ['white', [250, 250, 250], [255, 255, 255], 0],
    ['black', [10, 0, 0], [0, 0, 0], 255],
  ] as const)(
    'a mask that is %s, and the same as transparency',
    async (_name, given, mask, alpha) => {
      const png = solidPng(40, 30, given);
      const made = await decode(png, 'mask');
      expect(pictureFacts(Buffer.from(made.data))).toMatchObject({ width: 40, height: 30 });
      expect(firstPixel(made.data)).toEqual({ type: 2, pixel: [...mask] });
      const clear = firstPixel((await decode(png, 'clear_mask')).data);
      expect([clear.type, clear.pixel[3]]).toEqual([6, alpha]);
    },
  );
});
