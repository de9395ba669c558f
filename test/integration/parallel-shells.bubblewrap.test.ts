import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { testParallelShells } from './parallel-shells.ts';

const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider(
  'steps at the same time in bubblewrap',
  new BubblewrapProvider(providerParts(somewhere)),
  () => testParallelShells('os'),
);
