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

/** As if another window had chosen the largest text and compact rows. */
const LARGEST_AND_CLOSE = `fake.push({
  kind: 'settings_changed',
  settings: { ...fake.state.settings, fontSize: 20, density: 'compact' },
})`;

/** Screens that have each kind of row, control and bar; the largest text at the closest spacing is drawn on these. */
const SCALED = [
  'a new task',
  'a finished task',
  'the tasks',
  'an approval',
  'a plan with lanes',
  'a report',
  'the setup check',
  'settings: models',
  'settings: appearance',
] as const;

describe.skipIf(chromiumPath === null)(`layout of every screen${chromiumNote}`, () => {
  const window = useWindow();
  const all = Object.entries<Screen>({ ...SCREENS, ...SKILL_SCREENS });

  async function faultsOf(screen: Screen, look: 'wide' | 'narrow', prepare = ''): Promise<unknown> {
    const { page } = window;
    const [first = [1440, 900]] = SIZES[look];
    await page.setViewportSize({ width: first[0], height: first[1] });
    await window.goto('', screen.path);
    await screen.open(page, look === 'narrow');
    if (prepare !== '') await page.evaluate(prepare);
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
    return faults;
  }

  describe.each(['wide', 'narrow'] as const)('%s', (look) => {
    const shown = sample(all, { name: `layout, ${look}`, size: Math.ceil(all.length / 8) });

    it.each(shown)('%s', async (_name, screen) => {
      expect(await faultsOf(screen, look)).toEqual({});
    });

    const scaled = SCALED.map((name) => [name, SCREENS[name] as Screen] as const);
    const some = sample(scaled, { name: `largest text, ${look}`, size: 3 });

    it.each(some)('%s, with the largest text and close rows', async (_name, screen) => {
      expect(await faultsOf(screen, look, LARGEST_AND_CLOSE)).toEqual({});
    });
  });
});
