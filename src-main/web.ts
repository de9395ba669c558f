import { launch } from './launch.ts';

/** The web UI: the same as `hyperagent serve`. */
launch({
  entryUrl: import.meta.url,
  start: async () => {
    const { startTerminal } = await import('./cli/start.ts');
    await startTerminal(['serve', ...process.argv.slice(2)]);
  },
});
