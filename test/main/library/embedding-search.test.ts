import { describe, expect, test } from 'vitest';
import type { ModelRef } from '#contract/entities.ts';
import type { ServerOptionsInput } from '../../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../../fakes/model-server/server.ts';
import { folderOf, found, libraryOf, never, openTestLibrary } from './support.ts';

const MODEL: ModelRef = { provider: 'ollama', name: 'embed:latest' };
const OTHER: ModelRef = { provider: 'ollama', name: 'other:latest' };
const FILES = {
  'car.md': 'My automobile needs new tyres before winter.',
  'soup.md': 'Boil the leeks slowly, then add cream.',
  'tree.md': 'The oak behind the house lost a branch.',
};

function startServer(options: ServerOptionsInput = {}): Promise<FakeModelServer> {
  return startModelServer({
    models: [MODEL, OTHER].map(({ name }) => ({ name, capabilities: ['embedding'] })),
    synonyms: [
      ['automobile', 'vehicle', '汽车'],
      ['leeks', 'vegetables'],
    ],
    ...options,
  });
}

const asked = (server: FakeModelServer): number =>
  server.recording.requests.filter(({ path }) => path === '/api/embed').length;

describe('with an embedding model', () => {
  test('finds the same meaning in other words and another language', async () => {
    await using server = await startServer();
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library, folder } = await libraryOf(FILES, { settings });
    expect(library.list().embeddings).toEqual({
      ...{ model: MODEL, state: 'ready', passages: 3, embedded: 3, problem: null },
    });
    expect([
      (await found(library, folder, 'vehicle'))[0],
      (await found(library, folder, '汽车'))[0],
      (await found(library, folder, 'vegetables'))[0],
    ]).toEqual(['car.md', 'car.md', 'soup.md']);
  });

  test('words alone do not find it', async () => {
    const { library, folder } = await libraryOf(FILES);
    expect(await found(library, folder, 'vehicle')).toEqual([]);
  });

  test('an exact match of words stays first', async () => {
    await using server = await startServer();
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library, folder } = await libraryOf(FILES, { settings });
    expect((await found(library, folder, 'oak branch'))[0]).toBe('tree.md');
  });

  test('only new passages are embedded; with another model, all of them are embedded again', async () => {
    await using server = await startServer();
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const one = await libraryOf(FILES, { settings });
    const first = asked(server);
    one.library.refresh();
    await one.library.settled();
    const again = asked(server) - first;
    one.change({ embeddingModel: OTHER });
    await one.library.settled();
    const counts = [MODEL, OTHER].map(({ name }) => one.counts.vectorCount(`ollama:${name}`));
    expect([first, again, asked(server) - first, counts]).toEqual([1, 0, 1, [0, 3]]);
    expect((await found(one.library, one.folder, 'vehicle'))[0]).toBe('car.md');
  });

  test('any server with the OpenAI protocol works', async () => {
    await using server = await startServer();
    const one = await libraryOf(FILES, {
      settings: {
        servers: [{ name: 'mine', baseUrl: `${server.url}/v1`, models: {}, thinking: null }],
        embeddingModel: { provider: 'mine', name: MODEL.name },
      },
    });
    expect((await found(one.library, one.folder, 'vehicle'))[0]).toBe('car.md');
  });
});

describe('without it', () => {
  test('an unreachable server is reported, and search by words works', async () => {
    const server = await startServer();
    await server.close();
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library, folder } = await libraryOf(FILES, { settings });
    const { state, problem, embedded } = library.list().embeddings;
    expect([state, embedded, problem?.includes('Nothing answers')]).toEqual(['failed', 0, true]);
    expect(await found(library, folder, 'tyres')).toEqual(['car.md']);
  });

  test('when the server disappears later, search by words still works', async () => {
    const server = await startServer();
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library, folder } = await libraryOf(FILES, { settings });
    await server.close();
    expect(await found(library, folder, 'tyres')).toEqual(['car.md']);
  });

  test('a model without embeddings is reported', async () => {
    await using server = await startServer({
      models: [{ name: MODEL.name, capabilities: ['completion'] }],
    });
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library } = await libraryOf(FILES, { settings });
    const { state, problem } = library.list().embeddings;
    expect([state, problem?.includes('does not support embeddings')]).toEqual(['failed', true]);
  });

  test.each([
    ['by its name', { name: 'embed:cloud', capabilities: ['embedding'] }],
    [
      'without saying so',
      {
        ...MODEL,
        provider: undefined,
        capabilities: ['embedding'],
        remoteModel: 'x',
        remoteHost: 'https://ollama.com',
      },
    ],
  ])(
    'a model that is forwarded to a cloud %s is sent nothing without consent',
    async (_how, listed) => {
      const { name, capabilities, ...remote } = listed;
      const { remoteModel, remoteHost } = remote as { remoteModel?: string; remoteHost?: string };
      const model = {
        name,
        capabilities,
        ...(remoteModel === undefined ? {} : { remoteModel, remoteHost }),
      };
      await using server = await startServer({ models: [model] });
      const settings = { ollamaUrl: server.url, embeddingModel: { provider: 'ollama', name } };
      const { library } = await libraryOf(FILES, { settings });
      const { state, problem } = library.list().embeddings;
      expect([state, problem?.includes('does not run on this machine'), asked(server)]).toEqual([
        'failed',
        true,
        0,
      ]);
    },
  );

  test('no server is asked while no model is chosen', async () => {
    await using server = await startServer();
    const { library } = await libraryOf(FILES, { settings: { ollamaUrl: server.url } });
    await library.find('vehicle', { signal: never });
    expect([library.list().embeddings.state, server.recording.requests.length]).toEqual(['off', 0]);
  });

  test('closing interrupts the embedding, and keeps what was made', async () => {
    await using server = await startServer();
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`${index}.md`, `Text number ${index}`]),
    );
    const settings = { ollamaUrl: server.url, embeddingModel: MODEL };
    const { library, counts, close } = openTestLibrary({ settings });
    await library.add(folderOf(files));
    await server.arrival('/api/embed');
    await library[Symbol.asyncDispose]();
    const made = counts.vectorCount('ollama:embed:latest');
    expect([made < 400, asked(server) < 13, counts.passageCount()]).toEqual([true, true, 400]);
    await close();
  });
});
