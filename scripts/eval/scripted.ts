import type { ModelRef } from '#contract/entities.ts';
import { type FakeModelServer, startModelServer } from '../../test/fakes/model-server/server.ts';
import type { Script } from './types.ts';

/** The model name of `--model scripted`, also in results. */
export const SCRIPTED = 'scripted';

/** The model of the scripted server, as the app knows it. */
export const SCRIPTED_REF: ModelRef = { provider: 'ollama', name: 'scripted:latest' };

/** A server that speaks Ollama's protocol over real HTTP and plays one script. */
export function startScripted(script: Script): Promise<FakeModelServer> {
  const models = [
    { name: SCRIPTED_REF.name, capabilities: ['completion' as const, 'tools' as const] },
  ];
  return typeof script === 'function'
    ? startModelServer({ models }, script)
    : startModelServer({ models, turns: script });
}
