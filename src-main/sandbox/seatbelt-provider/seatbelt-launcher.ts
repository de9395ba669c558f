import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import { spawnedShell } from '../os-provider/spawned-shell.ts';
import type { ShellProcess } from '../shell/shell-process.ts';
import type { ShellLauncher } from '../shell/shell-runtime.ts';
import type { SandboxLimits } from '../types.ts';
import { FamilyWatch } from './family-watch.ts';

export interface SeatbeltLauncherParts {
  readonly sandboxExec: string;
  readonly profile: string;
  readonly workspaceDir: string;
  readonly scratchDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
}

/** Starts shells in Seatbelt, each the leader of its own process group. */
export class SeatbeltLauncher implements ShellLauncher {
  readonly #parts: SeatbeltLauncherParts;

  constructor(parts: SeatbeltLauncherParts) {
    this.#parts = parts;
  }

  async launch(): Promise<ShellProcess> {
    const { sandboxExec, profile, workspaceDir, environment, limits } = this.#parts;
    const child = spawn(sandboxExec, ['-p', profile, '/bin/bash', '--noprofile', '--norc'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment,
      cwd: workspaceDir,
      detached: true,
    });
    if (child.pid === undefined) {
      throw new AppError(
        'SANDBOX_UNAVAILABLE',
        `${sandboxExec} could not be started. Install Docker Desktop and start it.`,
      );
    }
    const watch = new FamilyWatch(child.pid, limits);
    const inner = spawnedShell(child, () => watch.kill(), {
      ranOutOfMemory: () => watch.memoryKills > 0,
      release: () => watch.stop(),
    });
    inner.stdin.write(`ulimit -f ${Math.ceil(limits.fileBytes / 512)}; ulimit -c 0\n`);
    return { ...inner, memoryKills: () => watch.memoryKills };
  }

  async dispose(): Promise<void> {
    await rm(this.#parts.scratchDir, { recursive: true, force: true });
  }
}
