#!/usr/bin/env node
import { launch } from './launch.ts';

/** The CLI. Loads everything else only after the check for a supported Node. */
launch({
  entryUrl: import.meta.url,
  start: async () => {
    const { startTerminal } = await import('./cli/start.ts');
    await startTerminal(process.argv.slice(2));
  },
});
