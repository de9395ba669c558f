import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Resvg from '@resvg/resvg-wasm';
import { once } from '../../base/once.ts';
import type { SlideFonts } from '../fonts.ts';
import type { DeckPictures, Page } from '../types.ts';
import { pageSvg } from './draw-svg.ts';
import { VisualRuns } from './visual-runs.ts';

type RenderedImage = ReturnType<InstanceType<typeof Resvg.Resvg>['render']>;

const loadResvg = once(async () => {
  const resvg = await import('@resvg/resvg-wasm');
  const { resolve } = createRequire(import.meta.url);
  await resvg.initWasm(await readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return resvg;
});

/** A page as PNG, so many pixels wide. */
export async function pagePng(
  page: Page,
  width: number,
  { pictures, fonts }: { readonly pictures: DeckPictures; readonly fonts: SlideFonts },
): Promise<Uint8Array> {
  const runs = await VisualRuns.load(fonts);
  return await rendered(pageSvg(page, { pictures, fonts, runs }), width, (image) => image.asPng());
}

/** The pixels of an SVG, so many across: red, green, blue and opacity, a byte each. */
export async function svgPixels(
  svg: string,
  across: number,
): Promise<{ readonly width: number; readonly height: number; readonly data: Uint8Array }> {
  return await rendered(svg, across, ({ width, height, pixels }) => ({
    ...{ width, height, data: pixels },
  }));
}

async function rendered<Result>(
  svg: string,
  width: number,
  take: (image: RenderedImage) => Result,
): Promise<Result> {
  const { Resvg } = await loadResvg();
  const drawing = new Resvg(svg, {
    font: { loadSystemFonts: false },
    fitTo: { mode: 'width', value: width },
  });
  try {
    const image = drawing.render();
    const taken = take(image);
    image.free();
    return taken;
  } finally {
    drawing.free();
  }
}
