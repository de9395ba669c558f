import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { arch, release } from 'node:os';
import { join } from 'node:path';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { usualSockets } from '../docker-provider/engine-socket.ts';
import { WORKSPACE } from '../inside.ts';
import { writeInsideFiles } from '../inside-files.ts';
import { runIsolationProbes } from '../isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '../isolation-probes/probe-program.ts';
import { installRemedy } from '../os-provider/bubblewrap-obstacles.ts';
import {
  askHostFacts,
  findProgram,
  type HostFacts,
  readHostFacts,
} from '../os-provider/host-facts.ts';
import { writeEtcFiles } from '../os-provider/host-files.ts';
import {
  chooseResourceLimits,
  findSystemdScope,
  type ResourceLimits,
  type SandboxShape,
} from '../os-provider/resource-limits.ts';
import { channelOfProbes, type SandboxProviderParts } from '../provider-parts.ts';
import { withNamedFolders } from '../seatbelt-provider/named-workspace.ts';
import { diskLimit } from '../shell/disk-watch.ts';
import { ShellRuntime } from '../shell/shell-runtime.ts';
import type {
  ProviderState,
  RuntimeSpec,
  SandboxLimits,
  SandboxProvider,
  SandboxRuntime,
} from '../types.ts';
import { giveToPrograms } from '../workspace/owner.ts';
import { type LandlockFolders, makeFolders, removeLeftovers } from './landlock-folders.ts';
import { LandlockLauncher } from './landlock-launching.ts';
import type { LandlockPlan } from './landlock-plan.ts';
import { askLandlockVersion, findLauncher, type LauncherProgram } from './launcher-program.ts';
import {
  type LandlockIsolation,
  landlockInside,
  OLDEST_LANDLOCK,
  planSandbox,
} from './plan-sandbox.ts';
import { descendantsOf } from './sandbox-tasks.ts';
import { sharedHostFilter } from './shared-host-filter.ts';

interface HostSetup {
  readonly launcher: LauncherProgram;
  readonly version: number;
  readonly facts: HostFacts;
  readonly systemdRun: string | null;
}

type Unavailable = Extract<ProviderState, { status: 'unavailable' }>;

/** What the launcher itself takes of a control group. */
const LAUNCHER = { memoryBytes: 96 * 1024 * 1024, pids: 24 };
const CAP_SYS_ADMIN = 1n << 21n;

/** The launcher and the shell are processes of the computer; its descendants are those of the sandbox. */
const SHAPE: SandboxShape = {
  holders: (pid) => ({ proc: '/proc', pids: descendantsOf(pid), scratchRoot: null }),
  countsProcesses: true,
};

export interface LandlockParts extends SandboxProviderParts {
  /** Changes the isolation, so that tests can take a part of it away. */
  readonly changePlan?: (plan: LandlockPlan) => LandlockPlan;
}

/**
 * The Linux sandbox that needs nothing installed: the kernel's own Landlock, a system-call filter and limits, set by
 * a launcher of the app. Programs share the computer's namespaces, so the workspace has its real path (see
 * `withNamedFolders`), nothing can listen on a port, and programs do not see processes; docs/decisions/0029.
 */
export class LandlockProvider implements SandboxProvider {
  readonly kind = 'landlock';
  readonly #parts: LandlockParts;
  #version: Promise<number | string> | null = null;
  #sweep: Promise<void> | null = null;

  constructor(parts: LandlockParts) {
    this.#parts = parts;
  }

  async inspect(_signal: AbortSignal): Promise<ProviderState> {
    const setup = await this.#hostSetup(readHostFacts);
    if ('status' in setup) return setup;
    const { facts, version } = setup;
    const limits = this.#resourceLimits(setup, this.#parts.limits());
    const { missing } = facts.toolchain;
    const without = missing.length === 0 ? '' : `; without ${missing.join(', ')}`;
    return {
      status: 'ready',
      detail: `Landlock ${version} of Linux${without}; names and sizes of files outside can be seen, not their contents; no ports; ${limits.detail}`,
      fingerprint: await this.#fingerprint(setup, limits),
    };
  }

  /** Queries the programs of this computer again. */
  async prepare(onProgress: (line: string) => void, _signal: AbortSignal): Promise<void> {
    onProgress('Looking for Landlock, Python, Node.js and git');
    this.#version = null;
    const setup = await this.#hostSetup(askHostFacts);
    if ('status' in setup) throw unavailable(setup);
  }

  async probe(signal: AbortSignal): Promise<ProbeResult[]> {
    const { dataDir, stateDir, environment, home, probeChannel } = this.#parts;
    const limits = this.#parts.limits();
    const engineSockets = usualSockets({ environment, home, platform: process.platform });
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const workspaceDir = await mkdtemp(join(stateDir, 'probe-workspace-'));
    try {
      const spec = { key: 'probe', workspaceDir, limits, ...channelOfProbes(this.#parts) };
      const opened = await this.#open(spec, signal);
      return await runIsolationProbes(
        {
          program: await this.#probeProgram(),
          inside: landlockInside(opened.folders),
          host: { dataDir, environment, home, engineSockets },
          hasChannel: probeChannel !== undefined,
          start: async () => opened.runtime,
        },
        signal,
      );
    } finally {
      await rm(workspaceDir, { recursive: true, force: true });
    }
  }

  async start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime> {
    const { runtime, folders } = await this.#open(spec, signal);
    const { aliasDir, targets } = folders;
    return withNamedFolders(runtime, [
      { name: WORKSPACE, alias: join(aliasDir, 'workspace'), dir: targets.workspace },
      { name: '/tmp', alias: join(aliasDir, 'tmp'), dir: targets.tmp },
    ]);
  }

  async #open(
    spec: RuntimeSpec,
    signal: AbortSignal,
  ): Promise<{ runtime: ShellRuntime; folders: LandlockFolders }> {
    const setup = await this.#hostSetup(readHostFacts);
    if ('status' in setup) throw unavailable(setup);
    const { clock, logger, changePlan = (plan) => plan } = this.#parts;
    const workspaceDir = await realpath(spec.workspaceDir);
    await giveToPrograms(workspaceDir);
    const folders = await this.#makeFolders(workspaceDir);
    const disk = diskLimit(workspaceDir, spec.limits);
    const runtime = new ShellRuntime({
      level: 'landlock',
      channel: spec.channel,
      disk: disk === null ? null : { ...disk, scratch: [folders.scratchDir] },
      clock,
      logger,
      layout: {
        scriptDir: join(folders.aliasDir, 'script'),
        workspaceDir: join(folders.aliasDir, 'workspace'),
        intake: 'counted',
        oomCounterFile: null,
      },
      launcher: new LandlockLauncher({
        launcher: setup.launcher,
        plan: changePlan(
          this.#plan(setup, {
            folders,
            limits: spec.limits,
            hasChannel: spec.channel !== undefined,
            opened: spec.folders ?? [],
          }),
        ),
        folders,
        limits: this.#resourceLimits(setup, spec.limits),
      }),
    });
    try {
      await runtime.open(signal);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
    return { runtime, folders };
  }

  #plan(
    setup: HostSetup,
    given: Pick<LandlockIsolation, 'folders' | 'limits' | 'hasChannel' | 'opened'>,
  ): LandlockPlan {
    const filter = sharedHostFilter(arch(), { sockets: given.hasChannel });
    if (filter === null) throw unavailable(noFilter());
    return planSandbox({ ...given, toolchain: setup.facts.toolchain, filter });
  }

  async #makeFolders(workspaceDir: string): Promise<LandlockFolders> {
    const { stateDir } = this.#parts;
    const runsDir = join(stateDir, 'landlock');
    this.#sweep ??= removeLeftovers(runsDir);
    await this.#sweep;
    const etcDir = join(stateDir, 'etc');
    await writeEtcFiles(etcDir);
    const insideDir = await writeInsideFiles(this.#parts);
    return await makeFolders({ runsDir, workspaceDir, insideDir, etcDir });
  }

  #resourceLimits({ systemdRun }: HostSetup, limits: SandboxLimits): ResourceLimits {
    const asRoot = process.getuid?.() === 0;
    const scope = findSystemdScope(systemdRun, this.#parts.environment, asRoot);
    if (scope === null) return chooseResourceLimits(limits, null, SHAPE);
    const { memoryBytes, pids } = limits;
    const withLauncher = {
      ...limits,
      memoryBytes: memoryBytes + LAUNCHER.memoryBytes,
      pids: pids + LAUNCHER.pids,
    };
    return chooseResourceLimits(withLauncher, scope);
  }

  /** What the sandbox is built with, or why it cannot be built. */
  async #hostSetup(ask: typeof readHostFacts): Promise<HostSetup | Unavailable> {
    const { environment, home, stateDir, clock } = this.#parts;
    if (process.platform !== 'linux') {
      const remedy = 'Install Docker Desktop and start it.';
      return { status: 'unavailable', detail: 'Landlock is part of Linux', remedy };
    }
    if (sharedHostFilter(arch(), { sockets: false }) === null) return noFilter();
    const launcher = await findLauncher(environment);
    if (launcher === null) {
      const detail = 'the desktop app needs Node.js on this computer to start this sandbox';
      return { status: 'unavailable', detail, remedy: await installRemedy('nodejs') };
    }
    this.#version ??= askLandlockVersion(launcher);
    const obstacle = obstacleOf(await this.#version);
    if (typeof obstacle !== 'number') return obstacle;
    const cacheFile = join(stateDir, 'landlock-facts.json');
    const facts = await ask({ bwrap: null, environment, home, cacheFile, now: clock.now() });
    if (facts.toolchain.missing.includes('python3')) {
      const detail = 'Python 3 is not installed, so the sandbox can neither be checked nor used';
      return { status: 'unavailable', detail, remedy: await installRemedy('python3') };
    }
    const systemdRun = await findProgram('systemd-run', environment);
    return { launcher, version: obstacle, facts, systemdRun };
  }

  async #fingerprint(setup: HostSetup, limits: ResourceLimits): Promise<string> {
    const here = '/';
    const names = { workspace: here, inside: here, etc: here, tmp: here, home: here, script: here };
    const folders = { aliasDir: here, scratchDir: here, targets: names };
    return sha256(
      canonicalJson({
        version: setup.version,
        kernel: release(),
        plan: this.#plan(setup, { folders, limits: this.#parts.limits(), hasChannel: true }),
        limits: limits.detail,
        probes: sha256(await this.#probeProgram()),
      }),
    );
  }

  async #probeProgram(): Promise<string> {
    return await readProbeProgram(this.#parts.resourcesDir, 'isolation_probes.py');
  }
}

function unavailable({ detail, remedy }: Unavailable): AppError {
  return new AppError('SANDBOX_UNAVAILABLE', `No Landlock sandbox: ${detail}. ${remedy}`);
}

function noFilter(): Unavailable {
  const detail = `no system-call filter for the processor ${arch()}`;
  return { status: 'unavailable', detail, remedy: 'Install Docker and start it.' };
}

/** Why Landlock cannot be used here; its version if it can. */
function obstacleOf(version: number | string): number | Unavailable {
  const remedy = 'Install bubblewrap, or install Docker and start it.';
  if (typeof version === 'string') {
    const detail = `its launcher does not start (${version})`;
    return { status: 'unavailable', detail, remedy };
  }
  if (version === 0) {
    const detail = 'this kernel has no Landlock, or a container forbids it';
    return { status: 'unavailable', detail, remedy };
  }
  if (version < OLDEST_LANDLOCK) {
    const detail = `this kernel has Landlock ${version}; version ${OLDEST_LANDLOCK} (Linux 6.12) is the oldest that closes signals to other programs`;
    return { status: 'unavailable', detail, remedy };
  }
  if (!existsSync('/bin/bash')) {
    return { status: 'unavailable', detail: 'bash is not installed', remedy: 'Install bash.' };
  }
  if (process.getuid?.() === 0 && !mayMount()) {
    const detail = 'the app runs as root without the right to mount, as in containers';
    return { status: 'unavailable', detail, remedy: 'Start the app as an ordinary user.' };
  }
  return version;
}

/** Programs of an app run as root are an ordinary user, who reaches its folders only by mounts of their own. */
function mayMount(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1'));
  return (BigInt(`0x${effective?.[1] ?? '0'}`) & CAP_SYS_ADMIN) !== 0n;
}
