#!/usr/bin/env node
import { launch } from './launch.ts';

/** The CLI. Kept tiny: what it loads, it loads on a Node that can carry it. */
launch({
  entryUrl: import.meta.url,
  start: async () => {
    const { startTerminal } = await import('./cli/start.ts');
    await startTerminal(process.argv.slice(2));
  },
});
