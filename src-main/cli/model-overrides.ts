import { UsageError } from './exit-codes.ts';

/** Where to find the model server, as the command line says it. */
export interface OverrideFlags {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** The key leaves the environment, so that nothing this process starts inherits it. */
export function modelOverrides({ baseUrl, apiKeyEnv }: OverrideFlags): {
  baseUrl?: string;
  apiKey?: string;
} {
  const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
  if (apiKeyEnv !== undefined) {
    if (!apiKey) throw new UsageError(`The environment variable ${apiKeyEnv} is not set.`);
    delete process.env[apiKeyEnv];
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}
