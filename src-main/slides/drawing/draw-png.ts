import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { once } from '../../base/once.ts';
import type { SlideFonts } from '../fonts.ts';
import type { DeckPictures, Page } from '../types.ts';
import { pageSvg } from './draw-svg.ts';
import { VisualRuns } from './visual-runs.ts';

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
  const { Resvg } = await loadResvg();
  const runs = await VisualRuns.load(fonts);
  const drawing = new Resvg(pageSvg(page, { pictures, fonts, runs }), {
    font: { loadSystemFonts: false },
    fitTo: { mode: 'width', value: width },
  });
  try {
    const image = drawing.render();
    const png = image.asPng();
    image.free();
    return png;
  } finally {
    drawing.free();
  }
}
