import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { describeSandboxProvider, testSandboxProvider } from './sandbox-provider.ts';

const open = (dir: string) => new DockerProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('Docker', open(somewhere), () =>
  testSandboxProvider({ open, level: 'docker' }),
);
