import { Settings } from '#contract/settings.ts';
import { createModelService } from '#main/models/model-service.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/**
 * From a cancel to the closed socket, as the server sees it: while a model loads, and in mid-answer.
 *
 *   npm run bench cancel
 */
const REPEATS = 20;

for (const [what, steps] of [
  ['while nothing has come', [{ stall: true as const }]],
  ['in the middle of an answer', [{ text: 'Some words ' }, { stall: true as const }]],
] as const) {
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) times.push(await cancelOnce([...steps]));
  times.sort((a, b) => a - b);
  const median = times[REPEATS / 2] ?? Number.NaN;
  process.stdout.write(
    `cancel ${what}: socket closed after ${median.toFixed(1)} ms (median of ${REPEATS}), at most ${times.at(-1)?.toFixed(1)} ms (goal 300)\n`,
  );
}

async function cancelOnce(steps: ({ stall: true } | { text: string })[]): Promise<number> {
  const server = await startModelServer({ models: [{ name: 'x' }], turns: [{ steps }] });
  const models = createModelService({
    settings: () => Settings.parse({ ollamaUrl: server.url }),
    ...{ readSecret: () => null, env: {}, memoryBytes: 2 ** 34, root: process.cwd() },
  });
  const controller = new AbortController();
  const { signal } = controller;
  const model = await models.open({ provider: 'ollama', name: 'x' }, { signal });
  const answer = model.send(
    { messages: [{ role: 'user', content: 'hi' }], tools: [] },
    { signal, onProgress: () => undefined },
  );
  const ended = answer.catch(() => null);
  while (server.recording.to('/api/chat').length === 0) await new Promise((r) => setTimeout(r, 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const began = performance.now();
  controller.abort(new Error('enough'));
  await server.recording.to('/api/chat')[0]?.closed;
  const ms = performance.now() - began;
  await ended;
  await model[Symbol.asyncDispose]();
  await server.close();
  return ms;
}
