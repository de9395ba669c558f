import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { describeSandboxProvider, testSandboxProvider } from './sandbox-provider.ts';

const open = (dir: string) => new BubblewrapProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('bubblewrap', open(somewhere), () =>
  testSandboxProvider({ open, level: 'bubblewrap' }),
);
