import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { describeSandboxProvider, testSandboxProvider } from './sandbox-provider.ts';

const open = (dir: string) => new LandlockProvider(providerParts(dir));
const somewhere = join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider('Landlock', open(somewhere), () =>
  testSandboxProvider({
    ...{ open, level: 'landlock' },
    cannot: {
      'a runtime sees its own processes':
        'the process list is that of the computer, and Landlock cannot show a part of it',
      'memory: nothing holds more in deleted files in memory, beside memory of its own':
        'there are no file systems in memory; its /tmp counts as disk',
    },
  }),
);
