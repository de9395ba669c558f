import { launch } from '#main/launch.ts';

/** A program behind `launch`: says what it got, and ends at SIGINT with a code of its own. */
launch({
  entryUrl: import.meta.url,
  start: async () => {
    const alive = setInterval(() => undefined, 1000);
    process.on('SIGINT', () => {
      clearInterval(alive);
      process.exitCode = 42;
    });
    const relaunched = process.env.HYPERAGENT_RELAUNCHED !== undefined;
    const facts = { pid: process.pid, arguments: process.argv.slice(2), relaunched };
    process.stdout.write(`${JSON.stringify(facts)}\n`);
    if (process.argv.includes('exit')) process.exit(7);
  },
});
