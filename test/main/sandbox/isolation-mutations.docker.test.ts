import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import {
  containerConfig,
  containerInside,
  engineTraits,
  oomCounterFile,
} from '#main/sandbox/docker-provider/container-config.ts';
import { ownerLabels } from '#main/sandbox/docker-provider/container-owner.ts';
import { DockerLauncher } from '#main/sandbox/docker-provider/docker-launcher.ts';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { InfoAnswer } from '#main/sandbox/docker-provider/engine-answers.ts';
import { EngineClient } from '#main/sandbox/docker-provider/engine-client.ts';
import { findEngine } from '#main/sandbox/docker-provider/engine-socket.ts';
import { findImageId, readSandboxImage } from '#main/sandbox/docker-provider/sandbox-image.ts';
import { SCRIPT_DIR, WORKSPACE } from '#main/sandbox/inside.ts';
import { writeInsideFiles } from '#main/sandbox/inside-files.ts';
import { runIsolationProbes } from '#main/sandbox/isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '#main/sandbox/isolation-probes/probe-program.ts';
import { seccompFilter } from '#main/sandbox/seccomp-filter.ts';
import { ShellRuntime } from '#main/sandbox/shell/shell-runtime.ts';
import { giveToPrograms } from '#main/sandbox/workspace/owner.ts';
import { describeSandboxProvider } from '../../conformance/sandbox-provider.ts';
import { probeChannel, providerParts } from './provider-parts.ts';

/**
 * Each isolation rule of a container is removed in turn; the probes must see the hole. `no-new-privileges`
 * is set twice, by the engine and by the program that enters the container, so removing one of them proves nothing.
 */

let dir: string;
const never = new AbortController().signal;
beforeAll(async () => {
  dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Config {
  HostConfig: Record<string, unknown> & { Mounts: unknown[] };
  User: string;
  Hostname?: string;
  NetworkDisabled?: boolean;
  Env: string[];
}
interface Mutation {
  readonly change?: (config: Config) => void;
  readonly filter?: Buffer;
}
const allowAll = Buffer.from([6, 0, 0, 0, 0, 0, 0xff, 0x7f]);

/** Names of the probes that got through a container with one rule changed. */
async function breachesOf({ change, filter }: Mutation): Promise<string[]> {
  const parts = providerParts(dir);
  const address = await findEngine({
    ...{ environment: process.env, home: homedir(), platform: process.platform },
  });
  if (address.kind !== 'local') throw new Error('no engine');
  const client = new EngineClient(address.socketPath);
  const info = InfoAnswer.parse(await client.request({ method: 'GET', path: '/info' }));
  const traits = engineTraits(info);
  const imageId = await findImageId(client, (await readSandboxImage(parts.resourcesDir)).tag);
  const wanted = seccompFilter(process.arch);
  if (imageId === null || wanted === null) throw new Error('not here');
  await mkdir(parts.stateDir, { recursive: true });
  const workspaceDir = await realpath(await mkdtemp(join(dir, 'workspace-')));
  await giveToPrograms(workspaceDir);
  const config = structuredClone(
    containerConfig({
      ...{ imageId, workspaceDir, traits, labels: ownerLabels('mutation') },
      insideDir: await realpath(await writeInsideFiles(parts)),
      limits: parts.limits(),
    }),
  ) as unknown as Config;
  change?.(config);
  const counter = oomCounterFile(traits);
  try {
    const results = await runIsolationProbes(
      {
        program: await readProbeProgram(parts.resourcesDir, 'isolation_probes.py'),
        inside: containerInside(traits),
        host: {
          ...{ home: homedir(), dataDir: dir, environment: process.env },
          engineSockets: [address.socketPath],
        },
        hasChannel: true,
        start: async (signal) => {
          const runtime = new ShellRuntime({
            ...{ level: 'docker', clock: systemClock, logger: silentLogger },
            channel: probeChannel(),
            layout: {
              ...{ scriptDir: SCRIPT_DIR, workspaceDir: WORKSPACE, intake: 'counted' },
              oomCounterFile: counter,
            },
            launcher: new DockerLauncher({
              ...{ client, filter: filter ?? wanted, oomCounterFile: counter },
              config: config as unknown as Readonly<Record<string, unknown>>,
              ...{ logger: silentLogger, seesProcesses: false, withRelay: true },
            }),
          });
          try {
            await runtime.open(signal);
          } catch (error) {
            await runtime[Symbol.asyncDispose]();
            throw error;
          }
          return runtime;
        },
      },
      never,
    );
    return results.filter((result) => !result.held).map((result) => result.name);
  } finally {
    client.close();
  }
}

const host = (changes: Record<string, unknown>) => (config: Config) =>
  void Object.assign(config.HostConfig, changes);
const mount =
  (Source: string, Target: string, ReadOnly = true) =>
  (config: Config) =>
    void config.HostConfig.Mounts.push({ Type: 'bind', Source, Target, ReadOnly });

const mutations: readonly [string, Mutation, string][] = [
  [
    'the network of the host',
    {
      change: (config) => {
        config.NetworkDisabled = false;
        config.HostConfig.NetworkMode = 'host';
      },
    },
    'connect_loopback',
  ],
  [
    'a network of the engine',
    {
      change: (config) => {
        config.NetworkDisabled = false;
        config.HostConfig.NetworkMode = 'bridge';
      },
    },
    'connect_public',
  ],
  ['processes of the host', { change: host({ PidMode: 'host', Init: false }) }, 'host_processes'],
  ['shared memory of the host', { change: host({ IpcMode: 'host', ShmSize: 0 }) }, 'namespaces'],
  [
    'the name of the host',
    {
      change: (config) => {
        delete config.Hostname;
        config.HostConfig.UTSMode = 'host';
      },
    },
    'namespaces',
  ],
  ['control groups of the host', { change: host({ CgroupnsMode: 'host' }) }, 'namespaces'],
  ['capabilities', { change: host({ CapDrop: [] }) }, 'privileges'],
  ['a writable root', { change: host({ ReadonlyRootfs: false }) }, 'mounts'],
  ['the home', { change: mount(homedir(), homedir()) }, 'read_secret'],
  ['/etc of the host', { change: mount('/etc', '/mnt') }, 'mounts'],
  [
    'the socket of the engine',
    { change: mount('/var/run/docker.sock', '/var/run/docker.sock') },
    'engine_socket',
  ],
  ['devices of the host', { change: host({ Privileged: true }) }, 'raw_devices'],
  ['no filter of ours', { filter: allowAll }, 'host_sockets'],
  [
    'the environment of the app',
    { change: (config) => void config.Env.push('HYPERAGENT_SECRET=x') },
    'host_environment',
  ],
];

const provider = new DockerProvider(providerParts(join(homedir(), '.hyperagent-test-inspect')));
await describeSandboxProvider('isolation probes of containers', provider, () => {
  test('the whole isolation holds', async () => {
    expect(await breachesOf({})).toEqual([]);
  });

  test('a container in which programs are root does not even start', async () => {
    // Root without capabilities may not enter another user's folder.
    const change = (config: Config) => void Object.assign(config, { User: '0:0' });
    await expect(breachesOf({ change })).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });

  test.each(mutations)('an isolation with %s does not', async (_name, mutation, probe) => {
    expect(await breachesOf(mutation)).toContain(probe);
  });
});
