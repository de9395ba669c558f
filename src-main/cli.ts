import { fileURLToPath } from 'node:url';
import { launch } from './launch.ts';

/** The terminal door. Kept tiny: what it loads, it loads on a Node that can carry it. */
launch({
  entryUrl: import.meta.url,
  entryPath: fileURLToPath(import.meta.url),
  start: async () => {
    const { startTerminal } = await import('./cli/start.ts');
    await startTerminal(process.argv.slice(2));
  },
});
