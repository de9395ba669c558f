import type { Size } from './types.ts';

/** A part of a picture, in its pixels, and what it is called. */
export interface PictureLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** With coordinates along its edges. */
  readonly hasGrid: boolean;
}

const FONT = 12;
const LINE = FONT + 4;
/** Of a letter or digit at this size; more than any of them takes. */
const CHAR = 7.5;
const GRID = 50;
/** Dark enough for white letters, and apart from each other for those who see fewer colors. */
const COLORS = ['#b00020', '#00539c', '#6a1b9a', '#1b5e20', '#9a4a00', '#37474f'];

/**
 * A PNG with a frame and a name around each part, as SVG: to be decoded like any other picture. `size` is the PNG's.
 */
export function labelPicture(
  png: Uint8Array,
  { size, labels }: { readonly size: Size; readonly labels: readonly PictureLabel[] },
): Uint8Array {
  const { width, height } = size;
  const data = Buffer.from(png).toString('base64');
  const colored = labels.map((label, i) => ({ label, color: COLORS[i % COLORS.length] ?? '' }));
  const parts = [
    ...colored.map(({ label, color }) => frameOf(label, color)),
    // Names last, so that no frame crosses one.
    ...colored.map(({ label, color }) => nameOf(label, color, size)),
  ];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-size="${FONT}">` +
    `<image width="${width}" height="${height}" href="data:image/png;base64,${data}"/>${parts.join('')}</svg>`;
  return new TextEncoder().encode(svg);
}

/** The size of a PNG, by its header. */
export function sizeOfPng(png: Uint8Array): Size {
  const header = Buffer.from(png.buffer, png.byteOffset, 24);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

function frameOf(label: PictureLabel, color: string): string {
  const { x, y, width, height, hasGrid } = label;
  const frame = `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="none" stroke="${color}" stroke-width="2"/>`;
  return hasGrid ? frame + gridOf(label, color) : frame;
}

/** Above what it names, or inside of it where the picture ends. */
function nameOf({ x, y, text }: PictureLabel, color: string, size: Size): string {
  const wide = text.length * CHAR + 4;
  const left = Math.min(Math.max(0, x), size.width - wide);
  const top = y >= LINE ? y - LINE : y;
  return (
    `<rect x="${px(left)}" y="${px(top)}" width="${px(wide)}" height="${LINE}" fill="${color}"/>` +
    `<text x="${px(left + 2)}" y="${px(top + FONT)}" fill="white">${escaped(text)}</text>`
  );
}

/** Points whose coordinates are known, from which others are estimated. */
function gridOf({ x, y, width, height }: PictureLabel, color: string): string {
  const marks: string[] = [];
  for (let at = Math.ceil(x / GRID) * GRID; at < x + width; at += GRID) {
    marks.push(tick({ x: at, y: y + height }, String(at), color));
  }
  for (let at = Math.ceil(y / GRID) * GRID; at < y + height; at += GRID) {
    marks.push(tick({ x, y: at }, String(at), color));
  }
  return marks.join('');
}

function tick({ x, y }: { x: number; y: number }, text: string, color: string): string {
  return (
    `<circle cx="${px(x)}" cy="${px(y)}" r="2.5" fill="${color}"/>` +
    `<text x="${px(x + 4)}" y="${px(y - 3)}" fill="${color}" stroke="white" stroke-width="3" paint-order="stroke">${text}</text>`
  );
}

function px(value: number): string {
  return value.toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
