import { rmSync } from 'node:fs';

/** Removes a folder in which programs that are just ending may still write. Harmless if it is gone. */
export function removeFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
}
