import type { ServerOptionsInput, WireStepInput } from '../../fakes/model-server/options.ts';
import { CHAT_PATHS, openOn, type Protocol, type Setup } from './harness.ts';

/** What the tests of cloud models share: a call, and a cloud that answers with given steps. */

export const command = { command: 'ls -la /workspace' };
export const call = { id: 'call_a', name: 'shell_command', arguments: command };

type Json = Record<string, unknown>;

export function openCloud(
  cloud: Protocol,
  steps: readonly WireStepInput[],
  server: ServerOptionsInput = {},
): Promise<Setup> {
  return openOn(cloud, { turns: [{ steps: [...steps] }], ...server });
}

/** The body of request number `at`, from 0. */
export function sentTo(cloud: Protocol, { fake }: Setup, at = 0): Json {
  return fake.recording.to(CHAT_PATHS[cloud])[at]?.json as Json;
}
