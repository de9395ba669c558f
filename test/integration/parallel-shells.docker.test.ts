import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { testParallelShells } from './parallel-shells.ts';

const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider(
  'steps at the same time in docker',
  new DockerProvider(providerParts(somewhere)),
  () => testParallelShells('docker'),
);
