import type { Frame } from 'playwright-core';
import { ask } from './page-script.ts';
import { lookAt, type PageView, type ViewLine } from './page-view.ts';
import type { RefSpace } from './ref-space.ts';
import type { Tab } from './tab.ts';
import type { ScreenshotLabel } from './types.ts';

/** More of them would hide what they are about. */
const MOST_LABELS = 80;
/** A frame that does not say in time where its elements are has none in the picture. */
const FRAME_MS = 800;
/** Parts of drawings, which a text says little about. */
const SHAPES = new Set(['circle', 'rect', 'ellipse', 'polygon', 'polyline', 'path', 'line']);

export interface Labelled {
  readonly view: PageView;
  readonly labels: readonly ScreenshotLabel[];
  /** The lines of the view that say what the labelled elements are. */
  readonly lines: readonly string[];
}

/** Where the elements of a page that draws are in its picture, by their refs; null for a page that is all text. */
export async function labelsInSight(tab: Tab, refs: RefSpace): Promise<Labelled | null> {
  const view = await lookAt(tab, refs);
  if (view === null) return null;
  const inSight = view.lines.filter(({ ref, near }) => ref !== null && near === 0);
  const isDrawn = ({ kind, ref }: ViewLine): boolean =>
    kind === 'opaque' || SHAPES.has(view.elements.get(ref ?? '')?.role ?? '');
  if (!inSight.some(isDrawn)) return null;
  const frames = new Map<Frame, { readonly name: string; readonly ref: number }[]>();
  for (const { ref } of inSight.slice(0, MOST_LABELS)) {
    const at = refs.resolve(ref ?? '', tab.page.mainFrame());
    if (at === null) continue;
    const known = frames.get(at.frame) ?? [];
    frames.set(at.frame, [...known, { name: ref ?? '', ref: at.ref }]);
  }
  const looks = [...frames].map(async ([frame, named]): Promise<ScreenshotLabel[]> => {
    const offset = await offsetOf(frame);
    const places = await ask(frame, 'places', {
      refs: named.map(({ ref }) => ref),
      timeoutMs: FRAME_MS,
    });
    return places.flatMap((place, i) => {
      const ref = named[i]?.name;
      if (place === null || ref === undefined) return [];
      const { x, y, width, height, isOpaque } = place;
      return [{ ref, x: x + offset.x, y: y + offset.y, width, height, isOpaque }];
    });
  });
  const settled = await Promise.allSettled(looks);
  const labels = settled.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
  const named = new Set(labels.map(({ ref }) => ref));
  const lines = inSight.filter(({ ref }) => named.has(ref ?? '')).map(({ text }) => text);
  return { view, labels, lines };
}

/** Where a frame begins in the viewport. */
async function offsetOf(frame: Frame): Promise<{ readonly x: number; readonly y: number }> {
  if (frame.parentFrame() === null) return { x: 0, y: 0 };
  const element = await frame.frameElement();
  try {
    const box = await element.boundingBox();
    if (box === null) throw new Error('The frame is not shown.');
    return box;
  } finally {
    await element.dispose().catch(() => undefined);
  }
}
