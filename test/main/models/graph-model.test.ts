import {
  AIMessage,
  type AIMessageChunk,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Settings } from '#contract/settings.ts';
import { createEmbeddingService } from '#main/models/embeddings/embedding-service.ts';
import { GraphModel } from '#main/models/langchain/chat-model.ts';
import { GraphEmbeddings } from '#main/models/langchain/embeddings.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { CHAT_PATHS, failureOf, openOn, type Protocol, type Setup } from './harness.ts';

/** The app's models in graphs of LangChain, over every protocol. */

const PROTOCOLS = Object.keys(CHAT_PATHS) as Protocol[];
const call = { id: 'call_a', name: 'weather', arguments: { city: 'Bern' } };
const models = [{ name: 'fake', capabilities: ['completion', 'tools', 'thinking', 'vision'] }];

function open(protocol: Protocol, ...turns: WireStepInput[][]): Promise<Setup> {
  return openOn(protocol, { models, turns: turns.map((steps) => ({ steps })) });
}

const weather = tool(({ city }) => `Sunny in ${city}.`, {
  name: 'weather',
  description: 'Tells the weather.',
  schema: z.object({ city: z.string() }),
});

async function collect(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test.each(PROTOCOLS)('%s: invoke gives the whole answer with its figures', async (protocol) => {
  await using setup = await open(protocol, [
    { text: 'Hello there.' },
    { metrics: { prompt: 12, eval: 4 } },
  ]);
  const answer = await new GraphModel(setup.model).invoke('Hi');
  expect(answer).toMatchObject({
    content: 'Hello there.',
    usage_metadata: { output_tokens: 4 },
    response_metadata: { finish_reason: 'stop' },
  });
});

test.each(PROTOCOLS)('%s: stream gives the text as it comes, and calls whole', async (protocol) => {
  await using setup = await open(protocol, [{ text: 'Let me look.' }, { call }]);
  const chunks = await collect(await new GraphModel(setup.model).bindTools([weather]).stream('Hi'));
  const texts = chunks.map(({ text }) => text).filter((text) => text !== '');
  const whole = chunks.reduce((all, chunk) => all.concat(chunk));
  expect([texts.length > 1, whole.text]).toEqual([true, 'Let me look.']);
  expect(whole.tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Bern' } }]);
});

test.each(PROTOCOLS)(
  '%s: a graph runs its tools, and thinking goes with them',
  async (protocol) => {
    await using setup = await open(
      protocol,
      [{ thinking: 'I must ask.' }, { call }],
      [{ text: 'It is sunny.' }],
    );
    const model = new GraphModel(setup.model).bindTools([weather]);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('tools', async ({ messages }) => {
        const { tool_calls = [] } = messages.at(-1) as AIMessage;
        return { messages: await Promise.all(tool_calls.map((one) => weather.invoke(one))) };
      })
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }) =>
        ((messages.at(-1) as AIMessage).tool_calls ?? []).length > 0 ? 'tools' : END,
      )
      .addEdge('tools', 'model')
      .compile();
    const { messages } = await graph.invoke({ messages: [new HumanMessage('Weather in Bern?')] });
    expect(messages.map(({ content }) => content)).toEqual([
      'Weather in Bern?',
      '',
      'Sunny in Bern.',
      'It is sunny.',
    ]);
    const [, second] = setup.fake.recording.to(CHAT_PATHS[protocol]);
    expect([second?.body.includes('Sunny in Bern.'), second?.body.includes('I must ask.')]).toEqual(
      [true, true],
    );
  },
);

test('a cut answer has no calls; broken arguments are an invalid call', async () => {
  await using setup = await open(
    'openai-compatible',
    [{ call }, { finish: 'length' }],
    [{ call: { ...call, rawArguments: '{"city": "Be' } }],
    [{ call: { ...call, rawArguments: '{"city": "Be' } }],
  );
  const model = new GraphModel(setup.model).bindTools([weather]);
  const cut = await model.invoke('Hi');
  const broken = await model.invoke('Hi');
  expect([cut.tool_calls, cut.response_metadata.finish_reason]).toEqual([[], 'length']);
  expect([broken.tool_calls, broken.invalid_tool_calls]).toMatchObject([
    [],
    [{ name: 'weather', args: '{"city": "Be' }],
  ]);
});

test('a picture is sent as one, and an error keeps its code', async () => {
  await using setup = await open('openai-compatible', [{ text: 'A cat.' }]);
  const model = new GraphModel(setup.model);
  const url = 'data:image/png;base64,aGk=';
  const picture = (image_url: object) =>
    new HumanMessage({
      content: [
        { type: 'text', text: 'What?' },
        { type: 'image_url', image_url },
      ],
    });
  await model.invoke([picture({ url })]);
  expect(setup.fake.recording.to('/v1/chat/completions')[0]?.body).toContain(url);
  const remote = failureOf(model.invoke([picture({ url: 'https://x.example/cat.png' })]));
  expect((await remote).code).toBe('BAD_REQUEST');
  // Nothing is left in the script, so the server fails.
  expect((await failureOf(model.invoke('Hi'))).code).toBe('MODEL_STREAM_BROKEN');
});

test('leaving a stream early closes the connection', async () => {
  await using setup = await open('openai-compatible', [{ text: 'One two three' }, { stall: true }]);
  const arrival = setup.fake.arrival('/v1/chat/completions');
  for await (const chunk of await new GraphModel(setup.model).stream('Hi')) {
    if (chunk.text !== '') break;
  }
  const request = await arrival;
  await request.closed;
  expect(request.aborted).toBe(true);
});

test('results name their tool, also when the message does not', async () => {
  await using setup = await open('ollama', [{ text: 'ok' }]);
  const tool_calls = [{ id: 'a', name: 'weather', args: {}, type: 'tool_call' as const }];
  await new GraphModel(setup.model).invoke([
    new HumanMessage('Hi'),
    new AIMessage({ content: '', tool_calls }),
    new ToolMessage({ content: 'Sunny.', tool_call_id: 'a' }),
  ]);
  expect(setup.fake.recording.to('/api/chat')[0]?.json).toMatchObject({
    messages: [{}, {}, { role: 'tool', tool_name: 'weather', content: 'Sunny.' }],
  });
});

test.each(['ollama', 'openai-compatible'])(
  '%s: embeddings for a vector store',
  async (provider) => {
    await using fake = await startModelServer({
      models: [{ name: 'embed', capabilities: ['embedding'] }],
    });
    const { signal } = new AbortController();
    const service = createEmbeddingService({
      ...{ settings: () => Settings.parse({}), readSecret: () => null, env: {} },
      createAgent: createPlainAgent,
      overrides: { baseUrl: fake.url },
    });
    await using model = await service.open({ provider, name: 'embed' }, signal);
    const embeddings = new GraphEmbeddings(model, signal);
    const [cats, dogs] = await embeddings.embedDocuments(['two cats', 'a dog barks']);
    const query = await embeddings.embedQuery('cats');
    const likeness = (other: number[] = []): number =>
      other.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    expect(likeness(cats)).toBeGreaterThan(likeness(dogs));
  },
);
