import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { shippedNode } from '../../base/packaged-files.ts';
import { usualSockets } from '../docker-provider/engine-socket.ts';
import { ALLOWED_ENVIRONMENT, COMMON_ENVIRONMENT } from '../inside.ts';
import { runIsolationProbes } from '../isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '../isolation-probes/probe-program.ts';
import { fileState } from '../os-provider/host-facts.ts';
import { findToolchain, type Toolchain } from '../os-provider/toolchain.ts';
import { refuseFolders, type SandboxProviderParts } from '../provider-parts.ts';
import { ShellRuntime } from '../shell/shell-runtime.ts';
import type { ProviderState, RuntimeSpec, SandboxProvider, SandboxRuntime } from '../types.ts';
import { withNamedWorkspace } from './named-workspace.ts';
import { SeatbeltLauncher } from './seatbelt-launcher.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';
/** Variables that macOS programs always find in their environment. */
const OF_THE_SYSTEM = ['__CF_USER_TEXT_ENCODING', 'PYTHONUSERBASE', '__PYVENV_LAUNCHER__'];

type Unavailable = Extract<ProviderState, { status: 'unavailable' }>;

export interface SeatbeltParts extends SandboxProviderParts {
  /** Path of the program; the system's own if absent. */
  readonly sandboxExec?: string;
}

/**
 * The macOS sandbox: Seatbelt with our own profile. The workspace is at its real path; see
 * `withNamedWorkspace`. Memory and processes are watched, not limited: macOS has no control groups.
 */
export class SeatbeltProvider implements SandboxProvider {
  readonly kind = 'os';
  readonly #parts: SeatbeltParts;
  #toolchain: Promise<Toolchain> | null = null;

  constructor(parts: SeatbeltParts) {
    this.#parts = parts;
  }

  async inspect(_signal: AbortSignal): Promise<ProviderState> {
    const obstacle = await this.#obstacle();
    if (obstacle !== null) return obstacle;
    const toolchain = await this.#findToolchain();
    const { missing } = toolchain;
    const without = missing.length === 0 ? '' : `; without ${missing.join(', ')}`;
    return {
      status: 'ready',
      detail: `Seatbelt of macOS${without}; memory and processes are watched`,
      fingerprint: await this.#fingerprint(toolchain),
    };
  }

  async prepare(onProgress: (line: string) => void, _signal: AbortSignal): Promise<void> {
    onProgress('Looking for Python, Node.js and git');
    this.#toolchain = null;
    await this.#findToolchain();
  }

  async probe(signal: AbortSignal): Promise<ProbeResult[]> {
    const { dataDir, stateDir, environment, home } = this.#parts;
    const limits = this.#parts.limits();
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const workspaceDir = await realpath(await mkdtemp(join(stateDir, 'probe-workspace-')));
    const scratch = await makeScratch();
    try {
      return await runIsolationProbes(
        {
          program: await this.#probeProgram(),
          inside: {
            workspace: workspaceDir,
            scriptDir: scratch,
            allowedEnvironment: [...ALLOWED_ENVIRONMENT, ...OF_THE_SYSTEM],
            mounts: [],
            writableMounts: [],
            namespaces: [],
            rootIsNobody: false,
            proxyPort: null,
          },
          host: {
            dataDir,
            environment,
            home,
            engineSockets: usualSockets({ environment, home, platform: 'darwin' }),
          },
          hasChannel: false,
          start: async () => {
            const spec = { key: 'probe', workspaceDir, limits };
            return (await this.#open(spec, { scratch, signal }))[0];
          },
        },
        signal,
      );
    } finally {
      await rm(workspaceDir, { recursive: true, force: true });
    }
  }

  async start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime> {
    refuseFolders(spec, 'macOS');
    const scratch = await makeScratch();
    return withNamedWorkspace(...(await this.#open(spec, { scratch, signal })));
  }

  async #open(
    spec: RuntimeSpec,
    { scratch, signal }: { readonly scratch: string; readonly signal: AbortSignal },
  ): Promise<[ShellRuntime, { readonly alias: string; readonly workspaceDir: string }]> {
    const obstacle = await this.#obstacle();
    if (obstacle !== null) throw unavailable(obstacle);
    const workspaceDir = await realpath(spec.workspaceDir);
    // macOS data folders have spaces in their names, which would break unquoted shell text.
    const alias = join(scratch, 'workspace');
    await symlink(workspaceDir, alias);
    const toolchain = await this.#findToolchain();
    const runtime = new ShellRuntime({
      level: 'seatbelt',
      clock: this.#parts.clock,
      logger: this.#parts.logger,
      // The bash of macOS is 3.2.
      layout: {
        scriptDir: join(scratch, 'script'),
        workspaceDir: alias,
        intake: 'nul',
        oomCounterFile: null,
      },
      launcher: new SeatbeltLauncher({
        sandboxExec: this.#sandboxExec,
        profile: seatbeltProfile({
          workspaceDir,
          scratchDir: scratch,
          toolchainFolders: toolchain.folders,
        }),
        workspaceDir,
        scratchDir: scratch,
        limits: spec.limits,
        environment: environmentFor(scratch, toolchain),
      }),
    });
    try {
      await runtime.open(signal);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
    return [runtime, { alias, workspaceDir }];
  }

  get #sandboxExec(): string {
    return this.#parts.sandboxExec ?? SANDBOX_EXEC;
  }

  async #obstacle(): Promise<Unavailable | null> {
    const remedy = 'Install Docker Desktop and start it.';
    if ((await fileState(this.#sandboxExec)) === null) {
      return { status: 'unavailable', detail: `${this.#sandboxExec} is missing`, remedy };
    }
    if (process.platform === 'darwin' && process.getuid?.() === 0) {
      const detail = 'the app runs as root, and programs would too';
      return { status: 'unavailable', detail, remedy: 'Start the app as an ordinary user.' };
    }
    return null;
  }

  #findToolchain(): Promise<Toolchain> {
    const { environment, home } = this.#parts;
    const systemFolders = ['/usr', '/bin', '/sbin', '/System', '/Library'];
    this.#toolchain ??= findToolchain({
      ...{ environment, home, systemFolders, shippedNode: shippedNode() },
    });
    return this.#toolchain;
  }

  async #fingerprint(toolchain: Toolchain): Promise<string> {
    const isolation = { workspaceDir: '/w', scratchDir: '/s', toolchainFolders: toolchain.folders };
    return sha256(
      canonicalJson({
        sandboxExec: await fileState(this.#sandboxExec),
        kernel: release(),
        profile: seatbeltProfile(isolation),
        probes: sha256(await this.#probeProgram()),
      }),
    );
  }

  async #probeProgram(): Promise<string> {
    return await readProbeProgram(this.#parts.resourcesDir, 'isolation_probes.py');
  }
}

/** Creates the folders of one runtime: the shell's scripts, a home, and temporary files. */
async function makeScratch(): Promise<string> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'hyperagent-')));
  await Promise.all(['script', 'home', 'tmp'].map((name) => mkdir(join(scratch, name))));
  return scratch;
}

function environmentFor(scratch: string, toolchain: Toolchain): Record<string, string> {
  const { path, pythonUserBase } = toolchain;
  return {
    ...COMMON_ENVIRONMENT,
    HOME: join(scratch, 'home'),
    TMPDIR: join(scratch, 'tmp'),
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    ...(pythonUserBase === null ? {} : { PYTHONUSERBASE: pythonUserBase }),
  };
}

function unavailable({ detail, remedy }: Unavailable): AppError {
  return new AppError('SANDBOX_UNAVAILABLE', `No sandbox of this system: ${detail}. ${remedy}`);
}
