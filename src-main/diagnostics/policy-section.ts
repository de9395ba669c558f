import type { PolicyDocument } from '#contract/policy.ts';
import type { PolicyState } from '../policy/types.ts';
import type { TextCleaner } from './text-cleaner.ts';

/** Whether this computer has a policy, and what kind of limits it sets. Not who set it, nor which hosts it names. */
export function policySection(state: PolicyState, cleaner: TextCleaner): string[] {
  if (state.state === 'none') return ['This computer has no policy.'];
  const source = `Source: ${cleaner.line(state.source)}`;
  if (state.state === 'invalid') {
    const problems = state.problems.map(({ line, text }) =>
      cleaner.line(line === null ? text : `line ${line}: ${text}`),
    );
    return ['The policy is invalid: nothing can be changed or started.', source, ...problems];
  }
  const { document, locked, defaults } = state.policy;
  return [
    'A policy holds.',
    source,
    `Locked settings: ${listOf(Object.keys(locked))}`,
    `Defaults: ${listOf(Object.keys(defaults))}`,
    ...limitsOf(document),
  ];
}

function limitsOf(document: PolicyDocument): string[] {
  const { hosts, modelHosts, sandboxes, skills, connectors, dataFolder } = document;
  const countOf = (list: readonly unknown[] | undefined): string =>
    list === undefined ? 'any' : String(list.length);
  return [
    `Allowed hosts: ${countOf(hosts?.allow)}, denied: ${hosts?.deny.length ?? 0}`,
    `Hosts of models: ${countOf(modelHosts)}`,
    `Sandboxes: ${sandboxes?.join(', ') ?? 'any'}`,
    `Skills: ${skills?.from ?? 'anywhere'}, blocked: ${skills?.block.length ?? 0}`,
    `Connectors: ${countOf(connectors?.allow)}`,
    `Sets the data folder: ${dataFolder === undefined ? 'no' : 'yes'}`,
  ];
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : [...names].sort().join(', ');
}
