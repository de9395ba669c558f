import { expect, it } from 'vitest';
import type { CliEnvironment } from '#main/cli/environment.ts';
import { createProgram } from '#main/cli/program/create-program.ts';

const environment: CliEnvironment = {
  version: '1.2.3',
  rendererDir: '/nowhere',
  loadCompose: () => Promise.reject(new Error('Parsing arguments opens no app')),
};
const namesFor = (...argv: string[]): string[] =>
  createProgram(environment, () => undefined, argv).commands.map((command) => command.name());

it('builds only the command that the arguments name, or all of them', () => {
  const all = [
    ...[
      'run',
      'resume',
      'runs',
      'plan',
      'reports',
      'snapshots',
      'tasks',
      'artifacts',
      'apps',
      'usage',
      'folder',
      'tools',
    ],
    ...[
      'models',
      'search',
      'egress',
      'approvals',
      'instructions',
      'guardrails',
      'library',
      'skills',
      'setup',
    ],
    ...['doctor', 'diagnostics'],
    ...['mcp', 'sign-ins', 'restore', 'data', 'serve', 'completion', 'man'],
  ];
  expect(all.map((name) => namesFor(name, '--json'))).toEqual(all.map((name) => [name]));
  for (const argv of [[], ['--help'], ['help', 'run'], ['--version'], ['rnu'], ['toString']]) {
    expect(namesFor(...argv)).toEqual(all);
  }
});
