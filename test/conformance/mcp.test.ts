import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sample } from '../setup/sampling.ts';

/**
 * A sample of the scenarios that `npm run mcp-conformance` runs: the client of the app against the servers of the
 * protocol's own conformance suite.
 */
const ROOT = join(import.meta.dirname, '../..');
const SCENARIOS = [
  ...['tools_call', 'http-invalid-tool-headers', 'sep-2322-client-request-state'],
  ...['auth/metadata-default', 'auth/basic-cimd', 'auth/pre-registration', 'auth/scope-step-up'],
  ...['auth/iss-wrong-issuer', 'auth/resource-mismatch', 'auth/authorization-server-migration'],
];

it.each(
  sample(SCENARIOS, {
    name: 'scenarios of the protocol',
    size: 5,
    command: 'npm run mcp-conformance',
  }),
)('passes the scenario %s', async (scenario) => {
  const program = join(ROOT, 'scripts/mcp-conformance.ts');
  const child = spawn(process.execPath, [program, '2026-07-28', scenario], { cwd: ROOT });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  expect(log).toContain('1 of 1 required scenarios passed');
});
