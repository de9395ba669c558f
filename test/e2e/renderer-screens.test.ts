import { describe, expect, it } from 'vitest';
import type { Screen } from '../setup/axe.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { LAYOUT_FAULTS } from '../setup/layout-faults.ts';
import { sample } from '../setup/sampling.ts';
import { SCREENS } from '../setup/screens.ts';
import { SKILL_SCREENS } from '../setup/skill-screens.ts';
import { useWindow } from '../setup/use-window.ts';

/** Sizes of the window in CSS pixels, by what its columns do; 720 by 450 is 1440 by 900 at a zoom of 200 %. */
const SIZES = {
  wide: [
    [1440, 900],
    [1024, 768],
    [900, 760],
  ],
  narrow: [
    [720, 450],
    [700, 860],
    [560, 860],
    [420, 760],
  ],
} as const;

describe.skipIf(chromiumPath === null)(`layout of every screen${chromiumNote}`, () => {
  const window = useWindow();
  const all = Object.entries<Screen>({ ...SCREENS, ...SKILL_SCREENS });

  describe.each(['wide', 'narrow'] as const)('%s', (look) => {
    const shown = sample(all, { name: `layout, ${look}`, size: Math.ceil(all.length / 8) });

    it.each(shown)('%s', async (_name, screen) => {
      const { page } = window;
      const [first = [1440, 900]] = SIZES[look];
      await page.setViewportSize({ width: first[0], height: first[1] });
      await window.goto('', screen.path);
      await screen.open(page, look === 'narrow');
      const faults: Record<string, readonly string[]> = {};
      for (const [width, height] of SIZES[look]) {
        await page.setViewportSize({ width, height });
        // Two frames: the sizes of rows are observed, and then drawn.
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        );
        const found = await page.evaluate<string[]>(LAYOUT_FAULTS);
        if (found.length > 0) faults[`${width} x ${height}`] = found;
      }
      expect(faults).toEqual({});
    });
  });
});
