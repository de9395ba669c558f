import type { PolicySummary } from '#contract/policy.ts';
import { once } from '../base/once.ts';
import { parsePolicy } from './parse-policy.ts';
import { systemSources } from './sources.ts';
import type { PolicySource, PolicyState } from './types.ts';

/** The first policy that the sources have; it holds as a whole. Never throws: one that cannot be read is invalid. */
export function readPolicy(sources: readonly PolicySource[]): PolicyState {
  for (const source of sources) {
    const found = readFrom(source);
    if (found !== null) return found;
  }
  return { state: 'none' };
}

function readFrom({ name: source, read }: PolicySource): PolicyState | null {
  let text: string | null;
  try {
    text = read();
  } catch (error) {
    // What it forbids is unknown, so nothing may run.
    const why = error instanceof Error ? error.message : String(error);
    return { state: 'invalid', source, problems: [{ line: null, text: why }] };
  }
  if (text === null) return null;
  const parsed = parsePolicy(text);
  return parsed.ok
    ? { state: 'holds', source, policy: parsed.policy }
    : { state: 'invalid', source, problems: parsed.problems };
}

/** The policy of this computer, read once for each process. */
export const systemPolicy: () => PolicyState = once(() => readPolicy(systemSources()));

/** The policy as windows and the CLI show it; null where there is none. */
export function summaryOf(state: PolicyState): PolicySummary | null {
  if (state.state === 'none') return null;
  const { source } = state;
  if (state.state === 'invalid') return { state: 'invalid', source, problems: [...state.problems] };
  const { document, locked } = state.policy;
  const { organization = null, contact = null } = document;
  return { state: 'holds', source, organization, contact, locked: Object.keys(locked).sort() };
}
