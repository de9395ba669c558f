import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { timeLimit } from '../../base/running-time.ts';
import type { Fetch } from '../../egress/fetch-through.ts';
import { ALLOWED_ENVIRONMENT, SCRIPT_DIR, WORKSPACE } from '../inside.ts';
import { runIsolationProbes } from '../isolation-probes/isolation-probes.ts';
import { readProbeProgram } from '../isolation-probes/probe-program.ts';
import { isLeftover } from '../process-owner.ts';
import { refuseFolders, type SandboxProviderParts } from '../provider-parts.ts';
import { ShellRuntime } from '../shell/shell-runtime.ts';
import type { ProviderState, RuntimeSpec, SandboxProvider, SandboxRuntime } from '../types.ts';
import { giveToPrograms } from '../workspace/owner.ts';
import { ControlClient, type ListedMachine } from './control-client.ts';
import { asAppError, failureOf, NO_KEY } from './e2b-failures.ts';
import { E2bLauncher } from './e2b-launcher.ts';
import { E2bRuntime } from './e2b-runtime.ts';
import { ENVD_PORT } from './envd-client.ts';
import {
  APP_LABEL,
  machineConfig,
  OWNER_LABEL,
  shellCommand,
  TEMPLATE,
  TIME_TO_LIVE_SECONDS,
} from './machine-config.ts';
import { PUBLIC_PLACES, type PublicPlaces, remoteFacts } from './remote-facts.ts';
import { RemoteMachine } from './remote-machine.ts';
import { type SyncLimits, WorkspaceSync } from './workspace-sync.ts';

export interface E2bProviderParts extends SandboxProviderParts {
  /** The current key of the service; null if the user gave none. */
  readonly readKey: () => string | null;
  /** Carries all traffic to the service; defaults to Node's own `fetch`. */
  readonly fetch?: Fetch;
  readonly apiUrl?: string;
  readonly machineUrl?: (id: string, domain: string | null) => string;
  readonly timeToLiveSeconds?: number;
  readonly syncLimits?: SyncLimits;
  /** The public addresses that the probes try to reach. */
  readonly publicPlaces?: PublicPlaces;
}

const DOMAIN = 'e2b.app';
const API_URL = `https://api.${DOMAIN}`;
const machineUrlOf = (id: string, domain: string | null): string =>
  `https://${ENVD_PORT}-${id}.${domain ?? DOMAIN}`;

const INSPECT_MS = 10_000;
/** How long the end waits for files that background programs have changed. */
const LAST_FETCH_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The cloud sandbox of e2b.dev, only if the user selects it and has a key: a machine for each runtime.
 * Files of the task are sent there. Why not their SDK: docs/decisions/0024.
 */
export class E2bProvider implements SandboxProvider {
  readonly kind = 'e2b';
  readonly isOptIn = true;
  readonly #parts: E2bProviderParts;
  #cleaning: Promise<void> | null = null;

  constructor(parts: E2bProviderParts) {
    this.#parts = parts;
  }

  async inspect(signal: AbortSignal): Promise<ProviderState> {
    const control = this.#control();
    if (control === null) return { status: 'unavailable', ...NO_KEY };
    try {
      const limited = AbortSignal.any([signal, timeLimit(INSPECT_MS)]);
      const machines = await control.list(APP_LABEL, limited);
      this.#cleaning ??= this.#removeLeftovers(control, machines);
      const detail = `E2B in the cloud, template ${TEMPLATE} with its memory and processors; files of the task are sent there`;
      return { status: 'ready', detail, fingerprint: await this.#fingerprint() };
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      return { status: 'unavailable', ...failure };
    }
  }

  /** Nothing to prepare: machines are copies of a template that the service keeps ready. */
  async prepare(): Promise<void> {
    if (this.#control() === null) throw noKey();
  }

  async probe(signal: AbortSignal): Promise<ProbeResult[]> {
    const { dataDir, stateDir, environment, home, limits, publicPlaces } = this.#parts;
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const workspaceDir = await mkdtemp(join(stateDir, 'probe-workspace-'));
    try {
      return await runIsolationProbes(
        {
          program: await this.#probeProgram(),
          inside: {
            workspace: WORKSPACE,
            scriptDir: SCRIPT_DIR,
            allowedEnvironment: ALLOWED_ENVIRONMENT,
            // Mounts and namespaces of this computer mean nothing on another one.
            ...{ mounts: [], writableMounts: [], namespaces: [], rootIsNobody: false },
            proxyPort: null,
          },
          host: { dataDir, environment, home, engineSockets: [] },
          hasChannel: false,
          describe: (targets) => remoteFacts(targets, publicPlaces ?? PUBLIC_PLACES),
          start: (started) => this.start({ key: 'probe', workspaceDir, limits: limits() }, started),
        },
        signal,
      );
    } finally {
      await rm(workspaceDir, { recursive: true, force: true });
    }
  }

  async start(spec: RuntimeSpec, signal: AbortSignal): Promise<SandboxRuntime> {
    const control = this.#control();
    if (control === null) throw noKey();
    refuseFolders(spec, 'e2b');
    await this.#cleaning;
    const workspaceDir = await realpath(spec.workspaceDir);
    await giveToPrograms(workspaceDir);
    const runtime = this.#runtime(control, { ...spec, workspaceDir });
    try {
      await runtime.open(signal);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw asAppError(error);
    }
    return runtime;
  }

  #runtime(control: ControlClient, { workspaceDir, limits }: RuntimeSpec): E2bRuntime {
    const { logger, clock, fetch, syncLimits } = this.#parts;
    const { machineUrl = machineUrlOf, timeToLiveSeconds = TIME_TO_LIVE_SECONDS } = this.#parts;
    const sync = new WorkspaceSync({
      ...{ dir: workspaceDir, logger },
      ...(syncLimits === undefined ? {} : { limits: syncLimits }),
    });
    const launcher = new E2bLauncher({
      createMachine: () =>
        RemoteMachine.create({ control, machineUrl, timeToLiveSeconds, fetch, logger }),
      limits,
      beforeRemoval: async (machine) => {
        try {
          await sync.pull(machine, timeLimit(LAST_FETCH_MS));
        } catch (error) {
          logger.warn('Could not fetch the last files from E2B', { error });
        }
      },
      logger,
    });
    const shell = new ShellRuntime({
      ...{ level: 'e2b', clock, logger, launcher },
      layout: {
        scriptDir: SCRIPT_DIR,
        workspaceDir: WORKSPACE,
        intake: 'counted',
        // Covers the whole machine, which only this runtime uses.
        oomCounterFile: '/proc/vmstat',
      },
    });
    return new E2bRuntime({ shell, launcher, sync, logger });
  }

  #control(): ControlClient | null {
    const { readKey, apiUrl = API_URL, fetch } = this.#parts;
    const apiKey = readKey()?.trim() ?? '';
    return apiKey === '' ? null : new ControlClient({ apiUrl, apiKey, fetch });
  }

  /** Ends machines of killed apps before their time is up, once, when the service is first asked. */
  async #removeLeftovers(
    control: ControlClient,
    machines: readonly ListedMachine[],
  ): Promise<void> {
    const leftovers = machines.filter(({ metadata }) => isLeftover(metadata?.[OWNER_LABEL]));
    const { logger } = this.#parts;
    try {
      await Promise.all(leftovers.map(({ sandboxID }) => control.remove(sandboxID)));
      if (leftovers.length > 0) {
        logger.info('Ended machines at E2B of an app that was killed', { count: leftovers.length });
      }
    } catch (error) {
      logger.warn('Machines at E2B of an earlier run could not be ended', { error });
    }
  }

  /** Includes the day: the service changes without notice, so its isolation is checked again every day. */
  async #fingerprint(): Promise<string> {
    const { clock, limits, apiUrl = API_URL } = this.#parts;
    return sha256(
      canonicalJson({
        apiUrl,
        day: Math.floor(clock.now() / DAY_MS),
        machine: machineConfig(TIME_TO_LIVE_SECONDS),
        shell: shellCommand(limits()),
        probes: sha256(await this.#probeProgram()),
      }),
    );
  }

  async #probeProgram(): Promise<string> {
    return await readProbeProgram(this.#parts.resourcesDir, 'remote_probes.py');
  }
}

function noKey(): AppError {
  return new AppError(
    'SANDBOX_UNAVAILABLE',
    `No sandbox at E2B: ${NO_KEY.detail}. ${NO_KEY.remedy}`,
  );
}
