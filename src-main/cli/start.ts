import { join } from 'node:path';
import { appRoot } from '../app-root.ts';
import { VERSION } from '../version.ts';
import { main } from './main.ts';

/** The CLI on the real app. */
export function startTerminal(argv: readonly string[]): Promise<void> {
  return main(argv, {
    version: VERSION,
    rendererDir: join(appRoot(), 'out', 'renderer'),
    loadCompose: async () => (await import('../compose.ts')).compose,
  });
}
