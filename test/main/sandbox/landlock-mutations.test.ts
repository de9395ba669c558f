import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { IsolationChecks } from '#main/sandbox/isolation-checks.ts';
import { FCHMODAT2, sharedHostCalls } from '#main/sandbox/landlock-provider/call-numbers.ts';
import type { LandlockPlan } from '#main/sandbox/landlock-provider/landlock-plan.ts';
import { RIGHT } from '#main/sandbox/landlock-provider/landlock-plan.ts';
import {
  type LandlockParts,
  LandlockProvider,
} from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { workspaceOwner } from '#main/sandbox/workspace/owner.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { providerParts } from './provider-parts.ts';

/** Each layer of the isolation is removed in turn; the probes must see the hole, and nothing may run. */

const { signal } = new AbortController();
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

type Change = (plan: LandlockPlan) => LandlockPlan;

function providerWith(changePlan: Change, environment = process.env): LandlockProvider {
  const parts: LandlockParts = { ...providerParts(dir), environment, changePlan };
  return new LandlockProvider(parts);
}

async function breachesOf(change: Change): Promise<string[]> {
  const results = await providerWith(change).probe(signal);
  return results.filter(({ held }) => !held).map(({ name }) => name);
}

const calls = sharedHostCalls(process.arch);
if (calls === undefined) throw new Error(`no table of calls for ${process.arch}`);

/** A filter in which the rule of each of `numbers` is one of no call. */
function lettingThrough(...numbers: readonly number[]): Change {
  return (plan) => {
    const filter = Buffer.from(plan.filter, 'base64');
    for (let at = 0; at < filter.length; at += 8) {
      const isEqual = filter.readUInt16LE(at) === 0x15;
      const isRule = isEqual && numbers.includes(filter.readUInt32LE(at + 4));
      if (isRule && filter.readUInt8(at + 3) > 0) filter.writeUInt32LE(9_999, at + 4);
    }
    return { ...plan, filter: filter.toString('base64') };
  };
}

const allowAll = Buffer.from([6, 0, 0, 0, 0, 0, 0xff, 0x7f]).toString('base64');
const without = (handled: Partial<LandlockPlan['handled']>): Change => {
  return (plan) => ({ ...plan, handled: { ...plan.handled, ...handled } });
};
const allowing =
  (path: string, access: number): Change =>
  (plan) => ({ ...plan, rules: [...plan.rules, { path, access }] });

const layers: readonly [string, Change, string][] = [
  ['no rules for files', without({ files: 0 }), 'read_secret'],
  ['no system-call filter', (plan) => ({ ...plan, filter: allowAll }), 'kernel_interfaces'],
  ['sockets of other programs', lettingThrough(calls.socket), 'host_sockets'],
  ['modes of files outside', lettingThrough(...calls.chmod, calls.fchmodat, FCHMODAT2), 'mounts'],
  ['times of files outside', lettingThrough(calls.utimensat), 'mounts'],
  ['owners, and listening', lettingThrough(...calls.refused), 'mounts'],
  ['attributes, and what old kernels lack', lettingThrough(...calls.absent), 'mounts'],
  ['limits of other processes', lettingThrough(...calls.ownOnly), 'signal_and_trace'],
  ['priorities of other processes', lettingThrough(...calls.ownOnlySecond), 'signal_and_trace'],
  ['connecting while sending', lettingThrough(calls.sendto), 'connect_loopback'],
  ['/proc', allowing('/proc', RIGHT.readFile | RIGHT.readDir), 'host_processes'],
  ['/etc', allowing('/etc', RIGHT.readFile | RIGHT.readDir), 'read_secret'],
  ['/dev', allowing('/dev', RIGHT.readFile | RIGHT.readDir), 'raw_devices'],
  [
    'the temporary files of others',
    allowing('/tmp', RIGHT.makeFile | RIGHT.writeFile),
    'write_outside',
  ],
  [
    'the environment of the app',
    (plan) => ({ ...plan, environment: { ...plan.environment, HYPERAGENT_SECRET: 'x' } }),
    'host_environment',
  ],
  [
    'a descriptor that was open before',
    (plan) => ({
      ...plan,
      command: ['/bin/bash', '-c', 'exec 9</usr/bin/env; exec /bin/bash --noprofile --norc'],
    }),
    'descriptors',
  ],
];
/** Whether an ordinary user can run a program of this checkout, and the Node that runs it. */
function mayBeReadByAll(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  return [folder, process.execPath].every((path) => {
    for (let above = path; above !== '/'; above = dirname(above)) {
      if ((statSync(above).mode & 0o005) !== 0o005) return false;
    }
    return true;
  });
}

/** What the launcher itself does not start with, for the kernel refuses the next step. */
const refusedSteps: readonly [string, Change][] = [
  ['has no rules for TCP', without({ network: 0 })],
  ['may get new privileges', (plan) => ({ ...plan, noNewPrivileges: false })],
  ['is asked for nothing that its filter asks', (plan) => ({ ...plan, asks: false })],
];

await describeSandboxProvider(
  'isolation probes of Landlock',
  new LandlockProvider(providerParts(join(homedir(), '.hyperagent-test-inspect'))),
  () => {
    test('the whole isolation holds', async () => {
      expect(await breachesOf((plan) => plan)).toEqual([]);
    });

    test.each(layers)('an isolation with %s does not', async (_, change, expected) => {
      expect(await breachesOf(change)).toContain(expected);
    });

    test.each(refusedSteps)('one that %s does not start', async (_, change) => {
      await expect(breachesOf(change)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    });

    // Root's launcher is out of reach by its permissions. That of an ordinary user needs the rule.
    const children = join(import.meta.dirname, 'children');
    test.skipIf(!mayBeReadByAll(children))(
      'for an ordinary user the whole isolation holds, and one without the rule for signals does not',
      async () => {
        const home = await mkdtemp(join(tmpdir(), 'hyperagent-user-'));
        const owner = workspaceOwner();
        if (owner !== null) await chown(home, owner.uid, owner.gid);
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [join(children, 'probe-landlock.ts')],
          { ...owner, cwd: '/', env: { HOME: home, PATH: '/usr/bin:/bin' } },
        );
        await rm(home, { recursive: true, force: true });
        expect(JSON.parse(stdout)).toEqual({
          uid: owner?.uid ?? process.getuid?.(),
          breaches: [[], ['signal_and_trace']],
        });
      },
    );

    test('with a layer taken away, nothing runs', async () => {
      const proofs = new Map<string, unknown>();
      const store = {
        get: () => null,
        put: ({ kind }: { kind: string }) => void proofs.set(kind, true),
        delete: (kind: string) => void proofs.delete(kind),
      };
      const checks = new IsolationChecks(store as never, systemClock);
      const broken = providerWith(without({ files: 0 }));
      await expect(checks.require(broken, 'f', signal)).rejects.toMatchObject({
        code: 'SANDBOX_NOT_PROVEN',
      });
      expect(proofs.size).toBe(0);
    });
  },
);
