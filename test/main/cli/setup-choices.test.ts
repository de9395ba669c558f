import { expect, it } from 'vitest';
import type { ModelServer } from '#contract/entities.ts';
import { modelChoices, pathOfOwn } from '#main/cli/commands/setup-choices.ts';
import { fakeLocalModels } from '../../fakes/fake-local-models.ts';

const server = (provider: string, names: readonly string[], more: Partial<ModelServer> = {}) => ({
  ...{ provider, label: provider, kind: 'ollama' as const, baseUrl: '', reachable: true },
  problem: null,
  models: names.map((name) => ({
    ...{ provider, name, contextWindow: null, tools: null, vision: null, thinking: null },
    ...{ cloud: name.endsWith(':cloud'), size: null },
  })),
  ...more,
});
const labels = (
  servers: readonly ModelServer[],
  model: { provider: string; name: string } | null,
) => modelChoices({ servers, local: fakeLocalModels(), model }).map(({ label }) => label);

it('puts what is there before what is downloaded, and clouds last', () => {
  const servers = [
    server('ollama', ['qwen3:8b', 'far:cloud']),
    server('demo', ['scripted'], { kind: 'demo' }),
    server('openai', ['gpt-x'], { kind: 'cloud' }),
    server('vllm', ['gone'], { reachable: false }),
  ];
  expect(labels(servers, null)).toEqual([
    'qwen3:8b (ollama)',
    'gemma3:4b (a file of Ollama, 3.3 GB)',
    'Download Qwen3 4B (2.5 GB, Apache-2.0)',
    'Download Qwen3 1.7B (1.8 GB, Apache-2.0)',
    'Download Qwen3 8B (5.0 GB, Apache-2.0)',
    'far:cloud (ollama, in a cloud)',
    'gpt-x (openai, in a cloud)',
  ]);
});

it('starts with the chosen model, and offers a server that does not run', () => {
  const servers = [server('lm', ['a', 'b'])];
  expect(labels(servers, { provider: 'lm', name: 'b' }).slice(0, 4)).toEqual([
    'b (lm)',
    'a (lm)',
    'gemma3:4b (a file of Ollama, 3.3 GB)',
    'Start Ollama, which is installed',
  ]);
});

it('finds a downloaded file by its whole name, in the folder of the app', () => {
  const at = (store: 'HyperAgent' | 'LM Studio', path: string) => ({
    ...{ store, path, name: path, bytes: 1 },
  });
  const found = [
    at('LM Studio', '/lm/model.gguf'),
    at('HyperAgent', '/own/other-model.gguf'),
    at('HyperAgent', '/own/model.gguf'),
  ];
  expect([pathOfOwn(found, 'model.gguf'), pathOfOwn(found, 'del.gguf')]).toEqual([
    '/own/model.gguf',
    undefined,
  ]);
});
