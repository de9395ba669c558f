import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { dialFirst } from '#main/egress/dial.ts';
import { SCRIPT_DIR, WORKSPACE } from '#main/sandbox/inside.ts';
import { writeInsideFiles } from '#main/sandbox/inside-files.ts';
import { runIsolationProbes } from '#main/sandbox/isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '#main/sandbox/isolation-probes/probe-program.ts';
import {
  type BubblewrapIsolation,
  bubblewrapArguments,
  bubblewrapInside,
} from '#main/sandbox/os-provider/bubblewrap-arguments.ts';
import { BubblewrapLauncher } from '#main/sandbox/os-provider/bubblewrap-launcher.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { findProgram, readHostFacts } from '#main/sandbox/os-provider/host-facts.ts';
import { readSystemFolders, writeEtcFiles } from '#main/sandbox/os-provider/host-files.ts';
import { chooseResourceLimits } from '#main/sandbox/os-provider/resource-limits.ts';
import { TaskChannel } from '#main/sandbox/relay/task-channel.ts';
import { seccompFilter } from '#main/sandbox/seccomp-filter.ts';
import { ShellRuntime } from '#main/sandbox/shell/shell-runtime.ts';
import type { RuntimeChannel } from '#main/sandbox/types.ts';
import { giveToPrograms } from '#main/sandbox/workspace/owner.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { probeChannel, providerParts } from './provider-parts.ts';

/**
 * Each isolation rule is removed in turn; the probes must see the hole. What they miss would
 * go unnoticed.
 */

let dir: string;
let engine: Server;
let engineSocket: string;
const never = new AbortController().signal;

beforeAll(async () => {
  dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
  engineSocket = join(dir, 'engine.sock');
  engine = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => engine.listen(engineSocket, resolve));
});
afterAll(async () => {
  await new Promise((resolve) => engine.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

type Arguments = readonly string[];
interface Mutation {
  readonly change?: (args: Arguments) => Arguments;
  readonly filter?: Buffer;
  readonly environment?: Record<string, string>;
  readonly channel?: RuntimeChannel;
}

/** Names of the probes that got through with one rule changed. */
async function breachesOf({ change, filter, environment, channel }: Mutation): Promise<string[]> {
  const home = homedir();
  const bwrap = await findProgram('bwrap', process.env);
  const setpriv = await findProgram('setpriv', process.env);
  const wantedFilter = seccompFilter(process.arch);
  if (bwrap === null || setpriv === null || wantedFilter === null) throw new Error('not here');
  const cacheFile = join(dir, 'facts.json');
  const facts = await readHostFacts({ bwrap, environment: process.env, home, cacheFile, now: 0 });
  const workspaceDir = await mkdtemp(join(dir, 'workspace-'));
  await giveToPrograms(workspaceDir);
  const etcDir = join(dir, 'etc');
  const isolation: BubblewrapIsolation = {
    toolchain: facts.toolchain,
    workspaceDir,
    etcDir,
    etcFiles: await writeEtcFiles(etcDir),
    insideDir: await writeInsideFiles(providerParts(dir)),
    systemFolders: await readSystemFolders(),
    dropRoot: process.getuid?.() === 0 ? { setpriv, bwrap } : null,
    memoryBytes: 2 ** 30,
  };
  const limits = chooseResourceLimits(
    { memoryBytes: 2 ** 30, cpus: 2, pids: 128, fileBytes: 2 ** 30 },
    null,
  );
  const layout = {
    scriptDir: SCRIPT_DIR,
    workspaceDir: WORKSPACE,
    intake: 'counted',
    oomCounterFile: null,
  } as const;
  const { resourcesDir } = providerParts(dir);
  const results = await runIsolationProbes(
    {
      program: await readProbeProgram(resourcesDir, 'isolation_probes.py'),
      inside: bubblewrapInside(isolation),
      host: { home, dataDir: dir, environment: process.env, engineSockets: [engineSocket] },
      hasChannel: true,
      start: async (signal) => {
        const runtime = new ShellRuntime({
          level: 'bubblewrap',
          channel: channel ?? probeChannel(),
          clock: systemClock,
          logger: silentLogger,
          layout,
          launcher: new BubblewrapLauncher({
            bwrap,
            arguments: (change ?? ((args) => args))(bubblewrapArguments(isolation)),
            seccompFilter: filter ?? wantedFilter,
            withRelay: true,
            limits: { ...limits, environment: environment ?? limits.environment },
          }),
        });
        await runtime.open(signal);
        return runtime;
      },
    },
    never,
  );
  return results.filter((result) => !result.held).map((result) => result.name);
}

/** Before the first mount, or after the root was created. */
const first =
  (...more: string[]) =>
  (args: Arguments): Arguments => [...more, ...args];
const beforeEnd =
  (...more: string[]) =>
  (args: Arguments): Arguments => {
    const at = args.indexOf('--remount-ro');
    return [...args.slice(0, at), ...more, ...args.slice(at)];
  };
const without =
  (name: string, values = 0) =>
  (args: Arguments): Arguments => {
    const at = args.indexOf(name);
    if (at < 0) throw new Error(`${name} is not an isolation rule`);
    return [...args.slice(0, at), ...args.slice(at + 1 + values)];
  };
/** Changes `name PATH …` into `other PATH …`. */
const instead =
  (name: string, target: string, other: string) =>
  (args: Arguments): Arguments => {
    const at = args.findIndex((arg, i) => arg === name && args[i + 2] === target);
    if (at < 0) throw new Error(`no ${name} of ${target}`);
    return args.with(at, other);
  };
/** The filter with the number of no call in place of `call`. */
function lettingThrough(call: number): Buffer {
  const filter = Buffer.from(seccompFilter(process.arch) ?? []);
  for (let at = 0; at < filter.length; at += 8) {
    const isEqual = filter.readUInt16LE(at) === 0x15;
    if (isEqual && filter.readUInt32LE(at + 4) === call) filter.writeUInt32LE(9_999, at + 4);
  }
  return filter;
}
/** `ptrace`, `process_vm_readv`, `process_vm_writev`, `pidfd_getfd`. */
const TRACING = process.arch === 'x64' ? [101, 310, 311, 438] : [117, 270, 271, 438];
const allowAll = Buffer.from([6, 0, 0, 0, 0, 0, 0xff, 0x7f]);

const mutations: readonly [string, Mutation, string][] = [
  ['the network of the host', { change: without('--unshare-net') }, 'connect_loopback'],
  ['processes of the host', { change: without('--unshare-pid') }, 'host_processes'],
  ['shared memory of the host', { change: without('--unshare-ipc') }, 'namespaces'],
  [
    'the name of the host',
    { change: (args) => without('--hostname', 1)(without('--unshare-uts')(args)) },
    'namespaces',
  ],
  ['control groups of the host', { change: without('--unshare-cgroup-try') }, 'namespaces'],
  ['the terminal of the host', { change: without('--new-session') }, 'descriptors'],
  ['a writable /usr', { change: instead('--ro-bind', '/usr', '--bind') }, 'mounts'],
  [
    'a writable root',
    {
      change: (args) =>
        args.filter(
          (arg, i) =>
            !(arg === '--remount-ro' && args[i + 1] === '/') &&
            !(arg === '/' && args[i - 1] === '--remount-ro'),
        ),
    },
    'mounts',
  ],
  ['the root of the host', { change: first('--ro-bind', '/', '/mnt') }, 'mounts'],
  ['/etc of the host', { change: beforeEnd('--ro-bind', '/etc', '/etc') }, 'read_secret'],
  ['the home', { change: beforeEnd('--ro-bind', homedir(), homedir()) }, 'read_secret'],
  ['/tmp of the host', { change: beforeEnd('--bind', tmpdir(), tmpdir()) }, 'host_sockets'],
  [
    'the socket of an engine',
    { change: (args) => beforeEnd('--ro-bind', engineSocket, engineSocket)(args) },
    'engine_socket',
  ],
  [
    'devices of the host',
    {
      change: (args) => [
        '--dev-bind',
        '/dev',
        '/dev',
        ...without('--remount-ro', 1)(without('--dev', 1)(args)),
      ],
    },
    'raw_devices',
  ],
  ['kernel settings of the host', { change: beforeEnd('--bind', '/sys', '/sys') }, 'mounts'],
  ['no system-call filter', { filter: allowAll }, 'kernel_interfaces'],
  ...TRACING.map((call): [string, Mutation, string] => [
    `call ${call}, which looks into another process`,
    { filter: lettingThrough(call) },
    'kernel_interfaces',
  ]),
  [
    'the environment of the app',
    { change: without('--clearenv'), environment: { HYPERAGENT_SECRET: 'x' } },
    'host_environment',
  ],
  ['a proxy that looks at no address', { channel: credulousChannel() }, 'egress_proxy'],
];

/** A channel whose broker treats everything as named by the user. */
function credulousChannel(): RuntimeChannel {
  const channel = new TaskChannel();
  channel.open({
    connect: (target, signal) => dialFirst(['127.0.0.1'], target.port, signal),
    refuse: () => undefined,
  });
  return channel;
}

const provider = new BubblewrapProvider(providerParts(join(tmpdir(), 'hyperagent-test-inspect')));
await describeSandboxProvider('isolation probes of bubblewrap', provider, () => {
  test('the whole isolation holds', async () => {
    await mkdir(dir, { recursive: true });
    expect(await breachesOf({})).toEqual([]);
  });

  test.each(mutations)('an isolation with %s does not', async (_, mutation, expected) => {
    expect(await breachesOf(mutation)).toContain(expected);
  });
});
