import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../fakes/model-server/server.ts';
import { eventsOf, runTerminal } from '../setup/built-app.ts';

/**
 * A server that sends nothing, not even headers, while it loads a model: whether the run waits for it,
 * says so, and asks once.
 *
 *   npm run bench cold-load [SECONDS]
 *
 * Clients that are built on fetch give up after 300 s; try 360.
 */
const seconds = Number(process.argv[2] ?? 5);
const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-cold-load-'));
const server = await startModelServer({
  models: [{ name: 'x', loadMs: seconds * 1000 }],
  turns: [{ steps: [{ text: 'Here at last.' }] }],
});
try {
  const { code, events } = await runTerminal([
    ...['run', 'hello', '--model', 'ollama:x', '--base-url', server.url],
    ...['--json', '--data-dir', dataDir],
  ]);
  const all = events();
  const loading = eventsOf(all, 'stage').filter(({ name }) => name === 'model_loading');
  const last = loading.findLast(({ status }) => status === 'running');
  const answer = eventsOf(all, 'complete')[0]?.answer ?? 'none';
  process.stdout.write(
    `headers withheld for ${seconds} s: exit ${code}, ${server.recording.to('/api/chat').length} request, ` +
      `${loading.length} events of loading, the last "${last?.description ?? ''}", answer "${answer}"\n`,
  );
} finally {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
}
