import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Settings } from '#contract/settings.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { AppEgress } from '#main/egress/app-egress.ts';
import { createEgressAgent } from '#main/egress/egress-agent.ts';
import { EgressBroker } from '#main/egress/egress-broker.ts';
import { DockerProvider } from '#main/sandbox/docker-provider/docker-provider.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { TaskChannel } from '#main/sandbox/relay/task-channel.ts';
import type { SandboxProvider, SandboxRuntime } from '#main/sandbox/types.ts';
import { openData } from '../fakes/open-data.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { median } from './core/measure.ts';

/**
 * What isolation and egress cost:
 *
 *   npm run bench isolation
 *
 * A command in a warm sandbox beside the bare program that starts the same (`bwrap`, `docker exec`);
 * a request over the broker, with its line on disk, beside a direct one; and from inside a sandbox over
 * the relay, beside the same program outside of it. All in one run.
 */

const run = promisify(execFile);
const never = new AbortController().signal;
const COMMANDS = 40;
const REQUESTS = 300;

const dir = mkdtempSync(join(homedir(), '.hyperagent-bench-'));
const data = openData(join(dir, 'data'));
const server = http.createServer((_request, response) => response.end('x'.repeat(10_000)));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const settings = Settings.parse({ egressPrivateHosts: [`127.0.0.1:${port}`] });
const broker = new EgressBroker({ store: data.egress, clock: systemClock, logger: silentLogger });
const egress = new AppEgress({ broker, settings: () => settings, rules: () => [] });
const egressClient = egress
  .forRun({ runId: 'bench', threadId: 'thr_1', network: 'open', allowHosts: [] })
  .client('fetch');

async function timed(work: () => Promise<unknown>, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

function say(label: string, ms: number, floor: number, what: string): void {
  const ratio = (ms / floor).toFixed(2);
  process.stdout.write(
    `${label.padEnd(48)} ${ms.toFixed(2)} ms  ${floor.toFixed(2)} ms ${what}  ${ratio} x\n`,
  );
}

function get(agent: http.Agent | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = agent === undefined ? { agent: new http.Agent() } : { agent };
    http
      .get(`http://127.0.0.1:${port}/`, options, (response) => {
        response.resume();
        response.once('end', () => resolve());
      })
      .once('error', reject);
  });
}

async function commands(runtime: SandboxRuntime): Promise<number> {
  const command = { commandId: 'c', language: 'bash', code: 'true', timeoutMs: 10_000 } as const;
  const once = () => runtime.run(command, { signal: never, onOutput: () => undefined });
  await once();
  return await timed(once, COMMANDS);
}

/** Requests of one Python program, which keeps a connection for each, ms a request. */
const ASK = `
import time, urllib.request, statistics
times = []
for _ in range(100):
    started = time.perf_counter()
    urllib.request.urlopen("http://127.0.0.1:${port}/").read()
    times.append((time.perf_counter() - started) * 1000)
print(statistics.median(times))`;

async function open(provider: SandboxProvider, name: string): Promise<SandboxRuntime | null> {
  const state = await provider.inspect(never);
  if (state.status !== 'ready') {
    process.stdout.write(`${name}: not measured, ${state.detail}. ${state.remedy}\n`);
    return null;
  }
  const workspaceDir = join(dir, `workspace-${name}`);
  mkdirSync(workspaceDir);
  const channel = new TaskChannel();
  channel.open(
    egress
      .forRun({ runId: 'bench', threadId: 'thr_1', network: 'open', allowHosts: [] })
      .client('sandbox'),
  );
  const limits = {
    memoryBytes: 2 ** 30,
    cpus: 2,
    pids: 128,
    fileBytes: 2 ** 30,
    diskBytes: 2 ** 30,
  };
  return await provider.start(
    { key: `unified:bench:${name}`, workspaceDir, limits, channel },
    never,
  );
}

try {
  const direct = await timed(() => get(undefined), REQUESTS);
  const brokered = await timed(async () => {
    const agent = createEgressAgent(egressClient, new URL(`http://127.0.0.1:${port}/`));
    await get(agent);
    agent.destroy();
  }, REQUESTS);
  say('a request of its own connection over the broker', brokered, direct, 'direct');
  const keptDirect = new http.Agent({ keepAlive: true });
  const kept = createEgressAgent(egressClient, new URL(`http://127.0.0.1:${port}/`));
  await Promise.all([get(keptDirect), get(kept)]);
  say(
    'the next on the same connection',
    await timed(() => get(kept), REQUESTS),
    await timed(() => get(keptDirect), REQUESTS),
    'direct',
  );
  keptDirect.destroy();
  kept.destroy();
  const outside = Number((await run('python3', ['-c', ASK])).stdout);

  const bubblewrap = await open(new BubblewrapProvider(providerParts(dir)), 'bubblewrap');
  if (bubblewrap !== null) {
    const args = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
    const floor = await timed(() => run('bwrap', [...args, 'bash', '-c', 'true']), COMMANDS);
    say('a command, bubblewrap, warm', await commands(bubblewrap), floor, 'bare bwrap');
    await reportRelay(bubblewrap, 'bubblewrap', outside);
    await bubblewrap[Symbol.asyncDispose]();
  }
  const docker = await open(new DockerProvider(providerParts(dir)), 'docker');
  if (docker !== null) {
    const { stdout } = await run('docker', [
      'ps',
      '-q',
      '--filter',
      'label=hyperagent.key=unified:bench:docker',
    ]);
    const id = stdout.trim();
    const floor = await timed(() => run('docker', ['exec', id, 'true']), COMMANDS / 4);
    say('a command, Docker, warm', await commands(docker), floor, 'bare docker exec');
    await reportRelay(docker, 'Docker', outside);
    await docker[Symbol.asyncDispose]();
  }
} finally {
  server.closeAllConnections();
  server.close();
  data.close();
  rmSync(dir, { recursive: true, force: true });
}

async function reportRelay(runtime: SandboxRuntime, name: string, outside: number): Promise<void> {
  await runtime.network?.ready;
  // The proxy is not asked for loopback by itself.
  const code = `import os\nos.environ["no_proxy"] = os.environ["NO_PROXY"] = ""\n${ASK}`;
  const command = { commandId: 'c', language: 'python', code, timeoutMs: 60_000 } as const;
  const { stdout, stderr } = await runtime.run(command, {
    signal: never,
    onOutput: () => undefined,
  });
  if (stdout.trim() === '') throw new Error(stderr);
  say(`a request of a program inside, ${name}`, Number(stdout), outside, 'outside');
}
