import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shippedFonts } from '#main/reports/report-fonts.ts';
import { unpackWoff } from '#main/reports/woff.ts';

/** The checksum of a table in the directory of a font (OpenType, Calculating Checksums). */
function sumOf(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

it('unpacks every file of the font: each table has its checksum and is at its offset', () => {
  const fonts = shippedFonts();
  expect(fonts.length).toBeGreaterThan(90);
  for (const { file } of fonts) {
    const font = unpackWoff(readFileSync(file));
    const tables = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + at * 16);
    for (const entry of tables) {
      const tag = font.toString('latin1', entry, entry + 4);
      const table = Buffer.from(
        font.subarray(font.readUInt32BE(entry + 8)).subarray(0, font.readUInt32BE(entry + 12)),
      );
      // The checksum of `head` excludes the checksum of the whole font, which it contains.
      if (tag === 'head') table.writeUInt32BE(0, 8);
      expect({ file, tag, sum: sumOf(table) }).toEqual({
        ...{ file, tag, sum: font.readUInt32BE(entry + 4) },
      });
    }
  }
});

it('leaves other fonts unchanged', () => {
  const font = Buffer.from('OTTO and the rest');
  expect(unpackWoff(font)).toBe(font);
});
