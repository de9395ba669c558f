import { openData } from '../open-data.ts';
import type { WireStepInput } from './options.ts';
import { type FakeModelServer, startModelServer } from './server.ts';

/** A model `x` whose n-th answer of a conversation is the n-th of these, as the Ollama of a data folder. */
export async function startAnswering(
  dataDir: string,
  answers: readonly (readonly WireStepInput[])[],
): Promise<FakeModelServer> {
  const server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: answers.map((steps, round) => ({ when: { round }, times: 'always', steps: [...steps] })),
  });
  const stores = openData(dataDir);
  stores.settings.update({ ollamaUrl: server.url });
  stores.close();
  return server;
}
