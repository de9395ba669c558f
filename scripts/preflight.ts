import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';
import {
  findProgram,
  installObstacle,
  installPackages,
  NEEDED_PROGRAMS,
} from './preflight/debian-packages.ts';
import { isEngineUp, provideBaseImage, startEngine } from './preflight/docker-engine.ts';

export interface Preflight {
  /** Ends what was started for the tests. */
  stop(): Promise<void>;
}

function say(line: string): void {
  process.stdout.write(`preflight: ${line}\n`);
}

/**
 * Finds or installs what the suites need, and says what it did. What cannot be had is said too: its
 * suites are skipped by name.
 */
export async function preflight(): Promise<Preflight> {
  providePrograms();
  provideEmbeddedRuntime();
  const engine = await provideEngine();
  return { stop: engine };
}

function providePrograms(): void {
  const missing = NEEDED_PROGRAMS.filter(({ command }) => findProgram(command) === null);
  if (missing.length === 0) {
    say(`${NEEDED_PROGRAMS.map(({ command }) => command).join(', ')} are there`);
    return;
  }
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const obstacle = installObstacle() ?? install(packages);
  for (const { command, debianPackage, neededBy } of missing) {
    if (findProgram(command) !== null) say(`installed ${command} (apt, ${debianPackage})`);
    else say(`no ${command}: ${obstacle}; suites of ${neededBy} are skipped`);
  }
}

function install(packages: readonly string[]): string {
  say(`installing ${packages.join(', ')}…`);
  return installPackages(packages) ?? 'its package does not bring it';
}

/** Some 90 MB that only one suite needs: fetched for a whole proof, not for everyone. */
function provideEmbeddedRuntime(): void {
  const isThere = (): boolean => existsSync(join(ROOT, '.embedded/node_modules/node-llama-cpp'));
  if (isThere()) {
    say('the embedded runtime is there');
    return;
  }
  if (process.env.CI === undefined) {
    say('no embedded runtime: its suite is skipped (npm run embedded installs it)');
    return;
  }
  spawnSync(process.execPath, [join(ROOT, 'scripts/embedded.ts')], { stdio: 'ignore' });
  say(
    isThere()
      ? 'installed the embedded runtime'
      : 'the embedded runtime could not be installed: its suite is skipped',
  );
}

/** Gives what stops the engine, if it had to be started. */
async function provideEngine(): Promise<() => Promise<void>> {
  const nothing = (): Promise<void> => Promise.resolve();
  const isUp = await isEngineUp();
  const started = isUp ? null : await startEngine();
  if (!isUp && started === null) {
    say('no Docker engine: suites of the Docker sandbox are skipped');
    return nothing;
  }
  say(
    isUp ? 'the Docker engine is running' : 'started the Docker engine; it is stopped at the end',
  );
  const base = provideBaseImage();
  say(
    base === null
      ? 'no base image: suites of the Docker sandbox are skipped'
      : `base image: ${base}`,
  );
  return started === null ? nothing : () => started.stop();
}
