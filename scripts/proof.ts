import { spawnSync } from 'node:child_process';
import { ROOT } from './build-state.ts';

/**
 * `npm run proof`: runs in full everything that `npm test` only samples. Takes hours, continues after
 * failures, and ends with one line per part.
 */
const SCENARIOS = ['calls', 'plan', 'research', 'skill', 'session', 'dynamic'];
const PARTS: readonly (readonly string[])[] = [
  ['check', '--static'],
  ['test', '--all'],
  ...SCENARIOS.map((scenario) => ['kills', '1', scenario]),
  ['faults'],
  ['corpus:guardrails'],
  ['corpus:routing'],
];

const lines = PARTS.map(([script = '', ...args]) => {
  const command = `npm run ${script}${args.length === 0 ? '' : ` -- ${args.join(' ')}`}`;
  process.stdout.write(`\n== ${command}\n`);
  const startedAt = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exitCode = 1;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  return `${status === 0 ? 'passed' : 'FAILED'}: ${command} (${minutes} min)`;
});
process.stdout.write(`\n${lines.join('\n')}\n`);
