import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';
import type { Logger } from '../base/logger.ts';

const StoredBounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400),
  height: z.int().min(300),
  maximized: z.boolean(),
});
export type StoredBounds = z.infer<typeof StoredBounds>;

const SAVE_AFTER_MS = 500;

/** The saved bounds; null at the first start, or if they are no longer on a screen. */
export function readBounds(file: string): StoredBounds | null {
  try {
    const bounds = StoredBounds.parse(JSON.parse(readFileSync(file, 'utf8')));
    return isVisible(bounds) ? bounds : null;
  } catch {
    // Never saved, or damaged: the window opens in its default place.
    return null;
  }
}

/** Whether enough of the window is on a screen to see and move it. */
function isVisible(bounds: Rectangle): boolean {
  const { workArea } = screen.getDisplayMatching(bounds);
  const width =
    Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x);
  const height =
    Math.min(bounds.y + bounds.height, workArea.y + workArea.height) -
    Math.max(bounds.y, workArea.y);
  return width >= 200 && height >= 100;
}

/** Saves the bounds whenever the user moves or resizes the window. */
export function keepBounds(window: BrowserWindow, file: string, logger: Logger): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    const stored: StoredBounds = {
      ...window.getNormalBounds(),
      maximized: window.isMaximized(),
    };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(stored));
    } catch (error) {
      logger.warn('The window bounds could not be saved', { error });
    }
  };
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', save);
}
