import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { testEscapes } from './escapes.ts';

const open = (dir: string) => new BubblewrapProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('escapes from bubblewrap', open(somewhere), () =>
  testEscapes('bubblewrap', open),
);
