import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AppError } from '#contract/errors.ts';
import { once } from '../base/once.ts';
import { unpackWoff } from '../reports/woff.ts';
import { tooLargePicture, unreadablePicture } from './picture-errors.ts';
import { fitWithin } from './sizes.ts';
import type { PictureLimits, Size } from './types.ts';
import { withMemoryLimit } from './wasm-limit.ts';

/** A drawing is text. What is larger is a picture in disguise, or made to be slow. */
const LARGEST_SVG = 10 * 1024 * 1024;
const FONTS = ['latin', 'chinese-simplified'];

/** Small drawings are drawn this large: they have no pixels of their own. */
const LEAST_EDGE = 1_024;

/** Draws an SVG. Throws `PICTURE_UNREADABLE`, `PICTURE_TOO_LARGE`. */
export type RenderSvg = (
  bytes: Uint8Array,
  within: Size,
) => { readonly png: Uint8Array; readonly original: Size };

/** Draws SVGs on white, as PNG. Nothing outside of the file is loaded, no script runs. */
export async function svgRendering(limits: PictureLimits): Promise<RenderSvg> {
  const resvg = await import('@resvg/resvg-wasm');
  const { resolve } = createRequire(import.meta.url);
  const file = readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm'));
  await resvg.initWasm(new WebAssembly.Module(withMemoryLimit(file, limits.memoryBytes)));
  const fonts = once(loadFonts);
  return (bytes, within) => {
    if (bytes.length > LARGEST_SVG) throw tooLargePicture('The drawing has over 10 MB.');
    const text = new TextDecoder().decode(bytes);
    const fontBuffers = /<text[\s>]/.test(text) ? fonts() : [];
    const font = { fontBuffers, defaultFontFamily: 'Noto Sans SC' };
    const options = { background: 'white', font };
    try {
      const { width, height } = new resvg.Resvg(text, options);
      if (!(width > 0 && height > 0)) throw unreadablePicture('The drawing has no size.');
      const zoom = Math.max(1, LEAST_EDGE / Math.max(width, height));
      const goal = fitWithin({ width: width * zoom, height: height * zoom }, within);
      const fitTo =
        width > height
          ? { mode: 'width' as const, value: Math.round(goal.width) }
          : { mode: 'height' as const, value: Math.round(goal.height) };
      const png = new resvg.Resvg(text, { ...options, fitTo }).render().asPng();
      return { png, original: { width: Math.ceil(width), height: Math.ceil(height) } };
    } catch (error) {
      throw asPictureError(error);
    }
  };
}

function asPictureError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'RuntimeError') {
    return tooLargePicture('Drawing it takes more memory than allowed.');
  }
  return unreadablePicture(`It is not a drawing that can be read (${firstLine(error)}).`, error);
}

function loadFonts(): Uint8Array[] {
  const { resolve } = createRequire(import.meta.url);
  const fileOf = (piece: string): string =>
    resolve(`@fontsource/noto-sans-sc/files/noto-sans-sc-${piece}-400-normal.woff`);
  return FONTS.map((piece) => unpackWoff(readFileSync(fileOf(piece))));
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').slice(0, 200).replace(/\.$/, '');
}
