import { defined } from '#contract/defined.ts';
import { UsageError } from './exit-codes.ts';

/** The flags that select the model server and its key. */
export interface OverrideFlags {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** Removes the key from the environment, so that child processes do not inherit it. */
export function modelOverrides({ baseUrl, apiKeyEnv }: OverrideFlags): {
  baseUrl?: string;
  apiKey?: string;
} {
  const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
  if (apiKeyEnv !== undefined) {
    if (!apiKey)
      throw new UsageError(
        `The environment variable ${apiKeyEnv} is not set. Set it, or leave out --api-key-env.`,
      );
    delete process.env[apiKeyEnv];
  }
  return defined({ baseUrl, apiKey });
}
