import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { arch, release } from 'node:os';
import { join } from 'node:path';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { usualSockets } from '../docker-provider/engine-socket.ts';
import { SCRIPT_DIR, WORKSPACE } from '../inside.ts';
import { writeInsideFiles } from '../inside-files.ts';
import { runIsolationProbes } from '../isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '../isolation-probes/probe-program.ts';
import { channelOfProbes, type SandboxProviderParts } from '../provider-parts.ts';
import { seccompFilter } from '../seccomp-filter.ts';
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
import {
  type BubblewrapIsolation,
  bubblewrapArguments,
  bubblewrapInside,
} from './bubblewrap-arguments.ts';
import { BubblewrapLauncher } from './bubblewrap-launcher.ts';
import { bubblewrapObstacle, installRemedy } from './bubblewrap-obstacles.ts';
import {
  askHostFacts,
  fileState,
  findProgram,
  type HostFacts,
  readHostFacts,
} from './host-facts.ts';
import { readSystemFolders, writeEtcFiles } from './host-files.ts';
import { chooseResourceLimits, findSystemdScope, type ResourceLimits } from './resource-limits.ts';

/** What this computer offers to build a sandbox with. */
interface HostSetup {
  readonly bwrap: string;
  readonly setpriv: string | null;
  readonly systemdRun: string | null;
  readonly facts: HostFacts;
}

type Unavailable = Extract<ProviderState, { status: 'unavailable' }>;

function unavailable({ detail, remedy }: Unavailable): AppError {
  return new AppError('SANDBOX_UNAVAILABLE', `No sandbox of this system: ${detail}. ${remedy}`);
}

function filterFor(limits: ResourceLimits): Buffer {
  const filter = seccompFilter(arch(), limits);
  if (filter === null)
    throw new AppError(
      'SANDBOX_UNAVAILABLE',
      `There is no system-call filter for the processor ${arch()}. Install Docker and start it.`,
    );
  return filter;
}

/** The Linux sandbox: bubblewrap with our own arguments (`bubblewrapArguments`). */
export class BubblewrapProvider implements SandboxProvider {
  readonly kind = 'os';
  readonly #parts: SandboxProviderParts;

  constructor(parts: SandboxProviderParts) {
    this.#parts = parts;
  }

  async inspect(_signal: AbortSignal): Promise<ProviderState> {
    const setup = await this.#hostSetup(readHostFacts);
    if ('status' in setup) return setup;
    const { facts } = setup;
    const limits = this.#resourceLimits(setup, this.#parts.limits());
    const missing =
      facts.toolchain.missing.length === 0 ? '' : `; without ${facts.toolchain.missing.join(', ')}`;
    return {
      status: 'ready',
      detail: `bubblewrap ${facts.bwrapVersion}${missing}; ${limits.detail}`,
      fingerprint: await this.#fingerprint(setup, limits),
    };
  }

  /** Queries the programs of this computer again. */
  async prepare(onProgress: (line: string) => void, _signal: AbortSignal): Promise<void> {
    onProgress('Looking for bubblewrap, Python, Node.js and git');
    const setup = await this.#hostSetup(askHostFacts);
    if ('status' in setup) throw unavailable(setup);
  }

  async probe(signal: AbortSignal): Promise<ProbeResult[]> {
    const setup = await this.#hostSetup(readHostFacts);
    if ('status' in setup) throw unavailable(setup);
    const { dataDir, stateDir, environment, home } = this.#parts;
    const limits = this.#parts.limits();
    const probeChannel = channelOfProbes(this.#parts);
    const engineSockets = usualSockets({ environment, home, platform: process.platform });
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const workspaceDir = await mkdtemp(join(stateDir, 'probe-workspace-'));
    try {
      return await runIsolationProbes(
        {
          program: await this.#probeProgram(),
          inside: bubblewrapInside(await this.#isolation(setup, workspaceDir, { limits })),
          host: { dataDir, environment, home, engineSockets },
          hasChannel: this.#parts.probeChannel !== undefined,
          start: (started) =>
            this.start({ key: 'probe', workspaceDir, limits, ...probeChannel }, started),
        },
        signal,
      );
    } finally {
      await rm(workspaceDir, { recursive: true, force: true });
    }
  }

  async start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime> {
    const setup = await this.#hostSetup(readHostFacts);
    if ('status' in setup) throw unavailable(setup);
    const workspaceDir = await realpath(spec.workspaceDir);
    await giveToPrograms(workspaceDir);
    const limits = this.#resourceLimits(setup, spec.limits);
    const runtime = new ShellRuntime({
      level: 'bubblewrap',
      channel: spec.channel,
      disk: diskLimit(workspaceDir, spec.limits),
      clock: this.#parts.clock,
      logger: this.#parts.logger,
      layout: {
        scriptDir: SCRIPT_DIR,
        workspaceDir: WORKSPACE,
        intake: 'counted',
        oomCounterFile: null,
      },
      launcher: new BubblewrapLauncher({
        bwrap: setup.bwrap,
        arguments: bubblewrapArguments(await this.#isolation(setup, workspaceDir, spec)),
        seccompFilter: filterFor(limits),
        limits,
        withRelay: spec.channel !== undefined,
      }),
    });
    try {
      await runtime.open(signal);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
    return runtime;
  }

  async #isolation(
    setup: HostSetup,
    workspaceDir: string,
    { limits, folders = [] }: Pick<RuntimeSpec, 'limits' | 'folders'>,
  ): Promise<BubblewrapIsolation> {
    const etcDir = join(this.#parts.stateDir, 'etc');
    return {
      toolchain: setup.facts.toolchain,
      workspaceDir,
      etcDir,
      etcFiles: await writeEtcFiles(etcDir),
      insideDir: await writeInsideFiles(this.#parts),
      systemFolders: await readSystemFolders(),
      dropRoot: setup.setpriv === null ? null : { setpriv: setup.setpriv, bwrap: setup.bwrap },
      memoryBytes: limits.memoryBytes,
      folders,
    };
  }

  #resourceLimits(setup: HostSetup, limits: SandboxLimits): ResourceLimits {
    const scope = findSystemdScope(
      setup.systemdRun,
      this.#parts.environment,
      setup.setpriv !== null,
    );
    return chooseResourceLimits(limits, scope);
  }

  /** What the sandbox is built with, or why it cannot be built. */
  async #hostSetup(ask: typeof readHostFacts): Promise<HostSetup | Unavailable> {
    const { environment, home, stateDir, clock } = this.#parts;
    if (process.platform !== 'linux') {
      const detail = `this version has no sandbox of its own for ${process.platform}`;
      return { status: 'unavailable', detail, remedy: 'Install Docker Desktop and start it.' };
    }
    if (seccompFilter(arch()) === null) {
      const remedy = 'Install Docker and start it.';
      return {
        status: 'unavailable',
        detail: `no system-call filter for the processor ${arch()}`,
        remedy,
      };
    }
    const asRoot = process.getuid?.() === 0;
    const [bwrap, setpriv, systemdRun] = await Promise.all([
      findProgram('bwrap', environment),
      asRoot ? findProgram('setpriv', environment) : null,
      findProgram('systemd-run', environment),
    ]);
    if (bwrap === null) {
      const remedy = await installRemedy('bubblewrap');
      return { status: 'unavailable', detail: 'bubblewrap is not installed', remedy };
    }
    const cacheFile = join(stateDir, 'host-facts.json');
    const facts = await ask({ bwrap, environment, home, cacheFile, now: clock.now() });
    const lacksSetpriv = asRoot && setpriv === null;
    const obstacle = await bubblewrapObstacle({ facts, bwrap, lacksSetpriv });
    if (obstacle !== null) return { status: 'unavailable', ...obstacle };
    return { bwrap, setpriv, systemdRun, facts };
  }

  async #fingerprint(setup: HostSetup, limits: ResourceLimits): Promise<string> {
    return sha256(
      canonicalJson({
        bwrap: [setup.facts.bwrapVersion, await fileState(setup.bwrap)],
        kernel: release(),
        arguments: bubblewrapArguments(
          await this.#isolation(setup, '/', { limits: this.#parts.limits() }),
        ),
        filter: createHash('sha256').update(filterFor(limits)).digest('hex'),
        limits: limits.detail,
        probes: sha256(await this.#probeProgram()),
      }),
    );
  }

  async #probeProgram(): Promise<string> {
    return await readProbeProgram(this.#parts.resourcesDir, 'isolation_probes.py');
  }
}
