import type { ModelRef } from '#contract/entities.ts';
import { type FakeModelServer, startModelServer } from '../../test/fakes/model-server/server.ts';
import type { Script } from './types.ts';

/** What `--model scripted` is called in results. */
export const SCRIPTED = 'scripted';

/** The model of the scripted server, as the app is told of it. */
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
