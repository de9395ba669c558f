import { launch } from './launch.ts';

/** The web UI: `hyperagent serve` under a name of its own. */
launch({
  entryUrl: import.meta.url,
  start: async () => {
    const { startTerminal } = await import('./cli/start.ts');
    await startTerminal(['serve', ...process.argv.slice(2)]);
  },
});
