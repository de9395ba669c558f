import { afterAll, describe } from 'vitest';
import { e2bObstacle } from '../fakes/e2b/fake-e2b.ts';
import { startE2b } from '../main/sandbox/e2b-provider/open-e2b.ts';
import { HIDDEN_HOLDERS } from './runaways.ts';
import { testSandboxProvider } from './sandbox-provider.ts';

const LIVE = 'files go there before a command and come back after it, not meanwhile';
const UNSEEN = 'nothing tells from here what runs on a machine between commands';
const TEMPLATE = 'the memory of a machine is that of its template, for all runtimes the same';

/**
 * The same suite as for local sandboxes, against a stand-in that was written from the
 * published specification (test/fakes/e2b). Cases that need files to be
 * visible while a command runs are skipped here and covered by `e2b-runtime.test.ts`.
 */
const obstacle = await e2bObstacle();
if (obstacle !== null) {
  describe.skip(`E2B (not run: ${obstacle})`, () => undefined);
} else {
  const { fake, open } = await startE2b();
  afterAll(() => fake.close());
  describe('E2B, its service made up', () => {
    testSandboxProvider({
      open,
      level: 'e2b',
      cannot: {
        'output comes while the command runs': LIVE,
        'time: the command dies with everything it started': LIVE,
        'abort: the command dies with everything it started': LIVE,
        'background processes outlive their command, and die with the runtime': LIVE,
        'programs in the background are ended with the shell, and what follows has a new one': LIVE,
        'programs in the background die with their shell': LIVE,
        'programs in the background are listed, and only they, however they were started': UNSEEN,
        'disk: what is left in the background has the same limit': UNSEEN,
        'disk: a thread whose main thread has ended has the same limit': UNSEEN,
        'memory: what is left in the background has the same limit': TEMPLATE,
        ...Object.fromEntries(
          Object.keys(HIDDEN_HOLDERS).map((name) => [
            `memory: nothing holds more in ${name}`,
            TEMPLATE,
          ]),
        ),
        'memory: the kill is reported, and the next command runs': TEMPLATE,
        'memory is that of all processes together': TEMPLATE,
      },
    });
  });
}
