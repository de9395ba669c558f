import { parseArgs } from 'node:util';
import { readOptionsFile } from './options.ts';
import { startModelServer } from './server.ts';

/**
 * The scripted model server as a process, for benchmarks and for trying things by hand:
 *
 *   node test/fakes/model-server/main.ts [--port N] [--host H] [--script FILE]
 *
 * Prints its address on the first line. FILE is JSON: the options of the server, or a list of turns.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    script: { type: 'string' },
  },
});

const fromFile = values.script === undefined ? {} : readOptionsFile(values.script);
const server = await startModelServer({
  ...fromFile,
  host: values.host,
  port: Number(values.port),
});
process.stdout.write(`${server.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.close());
}
