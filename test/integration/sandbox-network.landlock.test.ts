import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { testSandboxNetwork } from './sandbox-network.ts';

const open = (dir: string) => new LandlockProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('network of Landlock', open(somewhere), () =>
  testSandboxNetwork('Landlock', open, {
    noPorts: 'its loopback is that of the computer, so programs cannot listen',
  }),
);
