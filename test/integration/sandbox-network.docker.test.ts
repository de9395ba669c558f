import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { testSandboxNetwork } from './sandbox-network.ts';

const open = (dir: string) => new DockerProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('network of docker', open(somewhere), () =>
  testSandboxNetwork('docker', open),
);
