import type { WireStepInput } from '../fakes/model-server/options.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { CLOUD_KEY, createTestService, type Protocol } from '../main/models/harness.ts';
import { type ChatModelSubject, describeChatModel } from './chat-model.ts';

const FIRST: WireStepInput[] = [
  { thinking: 'Two commands will do.' },
  { text: 'I will look.' },
  { call: { name: 'shell_command', arguments: { command: 'ls' } } },
  { call: { name: 'shell_command', arguments: { command: 'pwd' }, id: null } },
];

function overHttp(name: string, provider: Protocol, native = false): ChatModelSubject {
  const isCloud = provider === 'openai' || provider === 'anthropic';
  return {
    name,
    ...(isCloud && { isCloud }),
    question: 'What is here?',
    result: 'a.txt',
    open: async () => {
      const server = await startModelServer({
        models: [{ name: 'fake', native, capabilities: ['completion', 'tools', 'thinking'] }],
        turns: [
          { times: 'always', when: { round: 0 }, steps: FIRST },
          {
            times: 'always',
            when: { tool: 'shell_command' },
            steps: [{ text: 'It says {{result}}.' }],
          },
        ],
      });
      const model = await createTestService().open(
        { provider, name: 'fake' },
        {
          baseUrl: server.url,
          signal: new AbortController().signal,
          ...(isCloud && { apiKey: CLOUD_KEY }),
        },
      );
      return { model, close: () => server.close() };
    },
  };
}

describeChatModel(overHttp('Ollama', 'ollama'));
describeChatModel(overHttp('Ollama, native template', 'ollama', true));
describeChatModel(overHttp('OpenAI protocol', 'openai-compatible'));
describeChatModel(overHttp('OpenAI by LangChain', 'openai'));
describeChatModel(overHttp('Anthropic by LangChain', 'anthropic'));
describeChatModel({
  name: 'demonstration',
  question: 'What can you do?',
  result: '/workspace',
  open: async () => {
    const model = await createTestService({ demoTokenDelayMs: 1 }).open(
      { provider: 'demo', name: 'scripted' },
      { signal: new AbortController().signal },
    );
    return { model, close: () => Promise.resolve() };
  },
});
