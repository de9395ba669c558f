import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { SCRIPT_DIR, WORKSPACE } from '../inside.ts';
import { writeInsideFiles } from '../inside-files.ts';
import { runIsolationProbes } from '../isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '../isolation-probes/probe-program.ts';
import { channelOfProbes, type SandboxProviderParts } from '../provider-parts.ts';
import { seccompFilter } from '../seccomp-filter.ts';
import { diskLimit } from '../shell/disk-watch.ts';
import { ShellRuntime } from '../shell/shell-runtime.ts';
import type { ProviderState, RuntimeSpec, SandboxProvider, SandboxRuntime } from '../types.ts';
import { giveToPrograms } from '../workspace/owner.ts';
import {
  containerConfig,
  containerInside,
  engineTraits,
  oomCounterFile,
} from './container-config.ts';
import { ownerLabels, removeLeftoverContainers } from './container-owner.ts';
import { DockerLauncher } from './docker-launcher.ts';
import { InfoAnswer, VersionAnswer } from './engine-answers.ts';
import { EngineClient, EngineError, EngineGoneError } from './engine-client.ts';
import { findEngine, usualSockets } from './engine-socket.ts';
import { knownEscapes } from './known-escapes.ts';
import { buildImage, findImageId, readSandboxImage, type SandboxImage } from './sandbox-image.ts';

const INSPECT_MS = 3_000;

/** A usable engine. */
interface Engine {
  readonly client: EngineClient;
  readonly version: VersionAnswer;
  readonly info: InfoAnswer;
  readonly filter: Buffer;
}

type Unavailable = Extract<ProviderState, { status: 'unavailable' }>;

/** The container sandbox: one container for each runtime, from an image built on this computer. */
export class DockerProvider implements SandboxProvider {
  readonly kind = 'docker';
  readonly #parts: SandboxProviderParts;
  #client: EngineClient | null = null;
  #cleaning: Promise<void> | null = null;

  constructor(parts: SandboxProviderParts) {
    this.#parts = parts;
  }

  async inspect(signal: AbortSignal): Promise<ProviderState> {
    const engine = await this.#engine(signal);
    if ('status' in engine) return engine;
    const image = await readSandboxImage(this.#parts.resourcesDir);
    const { doubtful } = knownEscapes(engine.version);
    const doubt =
      doubtful.length === 0
        ? ''
        : `; its runc is older than the fix for ${doubtful.join(', ')}, unless the distribution backported it`;
    const kernel = engineTraits(engine.info).hasGvisor ? ' with gVisor' : '';
    const detail = `Docker ${engine.version.Version}${kernel}${doubt}`;
    const imageId = await findImageId(engine.client, image.tag);
    if (imageId === null) {
      const remedy = 'Let the app build it once (about two minutes and 1.6 GB; needs the network).';
      return {
        status: 'needs_preparation',
        detail: `${detail}, without the sandbox image`,
        remedy,
      };
    }
    return { status: 'ready', detail, fingerprint: await this.#fingerprint(engine, imageId) };
  }

  async prepare(onProgress: (line: string) => void, signal: AbortSignal): Promise<void> {
    const { engine, image } = await this.#engineAndImage(signal);
    if ((await findImageId(engine.client, image.tag)) !== null) return;
    const { environment } = this.#parts;
    await buildImage(engine.client, image, { environment, onProgress, signal });
  }

  async probe(signal: AbortSignal): Promise<ProbeResult[]> {
    const { engine } = await this.#engineAndImage(signal);
    const { dataDir, stateDir, environment, home, resourcesDir, limits } = this.#parts;
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const workspaceDir = await mkdtemp(join(stateDir, 'probe-workspace-'));
    const question = { environment, home, platform: process.platform };
    try {
      return await runIsolationProbes(
        {
          program: await readProbeProgram(resourcesDir, 'isolation_probes.py'),
          inside: containerInside(engineTraits(engine.info)),
          host: { dataDir, environment, home, engineSockets: usualSockets(question) },
          hasChannel: this.#parts.probeChannel !== undefined,
          start: (started) =>
            this.start(
              { key: 'probe', workspaceDir, limits: limits(), ...channelOfProbes(this.#parts) },
              started,
            ),
        },
        signal,
      );
    } finally {
      await rm(workspaceDir, { recursive: true, force: true });
    }
  }

  async start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime> {
    const { engine, image } = await this.#engineAndImage(signal);
    const imageId = await findImageId(engine.client, image.tag);
    if (imageId === null) {
      throw new AppError(
        'SANDBOX_UNAVAILABLE',
        'The image of the Docker sandbox has not been built yet.',
      );
    }
    await this.#cleaning;
    const workspaceDir = await realpath(spec.workspaceDir);
    await giveToPrograms(workspaceDir);
    const traits = engineTraits(engine.info);
    const counter = oomCounterFile(traits);
    const { logger, clock } = this.#parts;
    const runtime = new ShellRuntime({
      level: 'docker',
      channel: spec.channel,
      disk: diskLimit(workspaceDir, spec.limits),
      clock,
      logger,
      layout: {
        scriptDir: SCRIPT_DIR,
        workspaceDir: WORKSPACE,
        intake: 'counted',
        oomCounterFile: counter,
      },
      launcher: new DockerLauncher({
        client: engine.client,
        config: containerConfig({
          imageId,
          labels: ownerLabels(spec.key),
          workspaceDir,
          insideDir: await realpath(await writeInsideFiles(this.#parts)),
          folders: spec.folders ?? [],
          limits: spec.limits,
          traits,
        }),
        filter: engine.filter,
        oomCounterFile: counter,
        seesProcesses: seesProcesses(engine),
        logger,
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

  async #engineAndImage(signal: AbortSignal): Promise<{ engine: Engine; image: SandboxImage }> {
    const [engine, image] = await Promise.all([
      this.#engine(signal),
      readSandboxImage(this.#parts.resourcesDir),
    ]);
    if (!('status' in engine)) return { engine, image };
    throw new AppError(
      'SANDBOX_UNAVAILABLE',
      `No Docker sandbox: ${engine.detail}. ${engine.remedy}`,
    );
  }

  /** The engine, or why there is none. Quick if there is none: only files are checked. */
  async #engine(signal: AbortSignal): Promise<Engine | Unavailable> {
    const { environment, home } = this.#parts;
    const address = await findEngine({ environment, home, platform: process.platform });
    if (address.kind === 'none') return noEngine();
    if (address.kind === 'remote') {
      return {
        status: 'unavailable',
        detail: `the Docker engine is on another computer (${address.address})`,
        remedy:
          'Choose a local engine (docker context use default). A remote one cannot use folders of this computer.',
      };
    }
    const client = this.#clientOf(address.socketPath);
    try {
      const ask = (path: string) =>
        client.request({ method: 'GET', path, signal, idleMs: INSPECT_MS });
      const [version, info] = await Promise.all([ask('/version'), ask('/info')]);
      this.#cleaning ??= this.#removeLeftovers(client);
      return usableEngine(client, VersionAnswer.parse(version), InfoAnswer.parse(info));
    } catch (error) {
      if (signal.aborted || !(error instanceof EngineError || error instanceof EngineGoneError)) {
        throw error;
      }
      return silentEngine(address.socketPath, error);
    }
  }

  /** Removes leftovers of killed apps, once, when an engine is first seen. */
  async #removeLeftovers(client: EngineClient): Promise<void> {
    const { logger } = this.#parts;
    try {
      const count = await removeLeftoverContainers(client);
      if (count > 0) logger.info('Removed containers of an app that was killed', { count });
    } catch (error) {
      logger.warn('Could not search for containers of an earlier run', { error });
    }
  }

  #clientOf(socketPath: string): EngineClient {
    if (this.#client?.socketPath !== socketPath) {
      this.#client?.close();
      this.#client = new EngineClient(socketPath);
    }
    return this.#client;
  }

  async #fingerprint({ version, info, filter }: Engine, imageId: string): Promise<string> {
    const config = containerConfig({
      imageId,
      labels: {},
      workspaceDir: '/',
      insideDir: '/',
      limits: this.#parts.limits(),
      traits: engineTraits(info),
    });
    return sha256(
      canonicalJson({
        version,
        security: info.SecurityOptions ?? [],
        runtime: info.DefaultRuntime ?? '',
        config,
        filter: sha256(filter.toString('base64')),
        probes: sha256(await readProbeProgram(this.#parts.resourcesDir, 'isolation_probes.py')),
      }),
    );
  }
}

/** gVisor has its own process ids; Podman runs `ps` inside, which programs could replace. */
function seesProcesses({ version, info }: Engine): boolean {
  const isPodman = (version.Components ?? []).some(({ Name }) => Name?.startsWith('Podman'));
  return !isPodman && !engineTraits(info).hasGvisor;
}

/** Node's names of the processors that engines name. */
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' };

function usableEngine(
  client: EngineClient,
  version: VersionAnswer,
  info: InfoAnswer,
): Engine | Unavailable {
  if (version.Os !== 'linux') {
    const remedy = 'Switch Docker Desktop to Linux containers.';
    return { status: 'unavailable', detail: `Docker runs ${version.Os} containers`, remedy };
  }
  const { open } = knownEscapes(version);
  if (open.length > 0) {
    const remedy = 'Update Docker, or choose the sandbox of this system.';
    const detail = `Docker ${version.Version} has known vulnerabilities (${open.join(', ')})`;
    return { status: 'unavailable', detail, remedy };
  }
  const filter = seccompFilter(ARCHITECTURES[version.Arch] ?? version.Arch);
  if (filter === null) {
    const remedy = 'Use an engine for x86-64 or ARM64.';
    return {
      status: 'unavailable',
      detail: `Docker runs on the processor ${version.Arch}`,
      remedy,
    };
  }
  return { client, version, info, filter };
}

function noEngine(): Unavailable {
  const remedy =
    process.platform === 'linux'
      ? 'Install Docker Engine (docs.docker.com/engine/install) or Podman, and start it.'
      : 'Install Docker Desktop (docs.docker.com/desktop) and start it.';
  return { status: 'unavailable', detail: 'Docker is not installed or not running', remedy };
}

function silentEngine(socketPath: string, error: Error): Unavailable {
  const cause = error.cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      status: 'unavailable',
      detail: `you have no permission to use Docker (${socketPath})`,
      remedy:
        'Add yourself to the group docker (sudo usermod -aG docker $USER) and sign in again, or use rootless Docker.',
    };
  }
  const detail = `Docker does not answer at ${socketPath}`;
  return { status: 'unavailable', detail, remedy: 'Start Docker.' };
}
