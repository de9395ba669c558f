import type { Logger } from '../../base/logger.ts';
import { timeLimit } from '../../base/running-time.ts';
import type { Fetch } from '../../egress/fetch-through.ts';
import type { ControlClient, MachineAnswer } from './control-client.ts';
import { E2bError } from './e2b-http.ts';
import { EnvdClient } from './envd-client.ts';
import { KILL_ALL, machineConfig, machineLabels, PREPARE } from './machine-config.ts';

export interface RemoteMachineParts {
  readonly control: ControlClient;
  /** The URL of a machine's daemon. */
  readonly machineUrl: (id: string, domain: string | null) => string;
  readonly timeToLiveSeconds: number;
  readonly fetch: Fetch | undefined;
  readonly logger: Logger;
}

const KILL_MS = 10_000;
const PREPARE_MS = 30_000;

/** One machine at E2B. It is kept alive as long as this object, and ends soon after this process. */
export class RemoteMachine {
  readonly id: string;
  readonly envd: EnvdClient;
  readonly #parts: RemoteMachineParts;
  readonly #renewal: NodeJS.Timeout;

  constructor(parts: RemoteMachineParts, answer: MachineAnswer) {
    this.#parts = parts;
    this.id = answer.sandboxID;
    this.envd = new EnvdClient({
      baseUrl: parts.machineUrl(answer.sandboxID, answer.domain ?? null),
      machineId: answer.sandboxID,
      accessToken: answer.envdAccessToken ?? null,
      fetch: parts.fetch,
    });
    const everyMs = (parts.timeToLiveSeconds * 1000) / 3;
    this.#renewal = setInterval(() => void this.#renew(), everyMs).unref();
  }

  /** A new machine, ready for a shell. Throws as `send` does; a half-prepared machine is ended. */
  static async create(parts: RemoteMachineParts): Promise<RemoteMachine> {
    const config = { ...machineConfig(parts.timeToLiveSeconds), metadata: machineLabels() };
    const machine = new RemoteMachine(parts, await parts.control.create(config));
    try {
      const signal = timeLimit(PREPARE_MS);
      const { exitCode, stderr } = await machine.envd.run(PREPARE, { user: 'root', signal });
      if (exitCode === 0) return machine;
      throw new E2bError(500, `the machine could not be prepared: ${stderr.trim()}`);
    } catch (error) {
      await machine.remove();
      throw error;
    }
  }

  /** Ends every program of the agent. Files stay. */
  async killPrograms(): Promise<void> {
    await this.envd.run(KILL_ALL, { user: 'user', signal: timeLimit(KILL_MS) });
  }

  /** Ends it; false if the service did not confirm. Then it ends when its time is up. */
  async remove(): Promise<boolean> {
    clearInterval(this.#renewal);
    try {
      await this.#parts.control.remove(this.id);
      return true;
    } catch (error) {
      this.#parts.logger.warn('A machine at E2B could not be ended', { id: this.id, error });
      return false;
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.#parts.control.setTimeToLive(this.id, this.#parts.timeToLiveSeconds);
    } catch (error) {
      // Two more attempts follow before its time is up; the shell notices a machine that is gone.
      this.#parts.logger.warn('A machine at E2B could not be kept alive', { id: this.id, error });
    }
  }
}
