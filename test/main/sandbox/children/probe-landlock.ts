import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SCOPE } from '#main/sandbox/landlock-provider/landlock-plan.ts';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { providerParts } from '../provider-parts.ts';

/** Prints the probes that got through, of a Landlock sandbox of this user: whole, and without its rule for signals. */
const dir = await mkdtemp(join(homedir(), 'landlock-'));
const { signal } = new AbortController();
try {
  const breaches = [];
  for (const scoped of [SCOPE.abstractSockets | SCOPE.signals, SCOPE.abstractSockets]) {
    const provider = new LandlockProvider({
      ...providerParts(dir),
      changePlan: (plan) => ({ ...plan, handled: { ...plan.handled, scoped } }),
    });
    const results = await provider.probe(signal);
    breaches.push(results.filter(({ held }) => !held).map(({ name }) => name));
  }
  process.stdout.write(JSON.stringify({ uid: process.getuid?.(), breaches }));
} finally {
  await rm(dir, { recursive: true, force: true });
}
