import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#contract/errors.ts';
import type { RequestName } from '#contract/requests.ts';
import { invalidPolicy } from '../policy/check-policy.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import type { PolicyState } from '../policy/types.ts';
import type { RunProgram } from '../run/types.ts';
import type { App, ComposeOptions } from './app.ts';

/** The options under a policy, which may be that there is none. */
export type PolicedOptions = ComposeOptions & { readonly policy: PolicyState };

/** With an invalid policy the app only reads: it cannot know what is forbidden. */
export function withPolicy(options: ComposeOptions, policy: PolicyState): PolicedOptions {
  return { ...options, policy, readOnly: options.readOnly || policy.state === 'invalid' };
}

/** The app; with an invalid policy, each request that changes or starts something throws `POLICY_INVALID`. */
export async function appUnder(policy: PolicyState, app: App): Promise<App> {
  if (policy.state !== 'invalid') return app;
  const { REQUESTS } = await import('#contract/requests.ts');
  const refuse = (): never => {
    throw invalidPolicy(policy);
  };
  const names = Object.keys(app.api) as RequestName[];
  const refused = names.filter((name) => REQUESTS[name].effect === 'once');
  return {
    ...app,
    api: { ...app.api, ...Object.fromEntries(refused.map((name) => [name, refuse])) },
    attachFile: async () => refuse(),
  };
}

/** Why the app does not open: what opening for reading says is no help where the policy is invalid. */
export function underPolicy(policy: PolicyState, error: unknown): unknown {
  const isConflict = error instanceof AppError && error.code === 'CONFLICT';
  return policy.state === 'invalid' && isConflict ? invalidPolicy(policy) : error;
}

/** The program of runs, each with the options that the policy holds. */
export function programUnder(limits: PolicyLimits, program: RunProgram): RunProgram {
  return (context) => {
    const { run, emit } = context;
    const options = limits.held(run.options);
    const changed = Object.keys(options).filter(
      (name) => !isDeepStrictEqual(Reflect.get(options, name), Reflect.get(run.options, name)),
    );
    if (changed.length === 0) return program(context);
    emit({
      ...{ type: 'stage', name: 'policy', status: 'completed' },
      description: `The policy of this computer sets: ${changed.join(', ')}`,
    });
    return program({ ...context, run: { ...run, options } });
  };
}
