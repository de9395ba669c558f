import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';
import {
  installObstacle,
  installPackages,
  NEEDED_PROGRAMS,
  problemOf,
} from './preflight/debian-packages.ts';
import {
  isEngineUp,
  provideBaseImage,
  provideSandboxImage,
  startEngine,
} from './preflight/docker-engine.ts';

function say(line: string): void {
  process.stdout.write(`preflight: ${line}\n`);
}

/**
 * Finds or installs what the suites need, and reports it. Suites whose needs cannot be met are skipped by
 * name.
 */
export async function preflight(): Promise<void> {
  // Installed by npm while apt is busy.
  const embedded = provideEmbeddedRuntime();
  providePrograms();
  say(await embedded);
}

function providePrograms(): void {
  const problems = new Map(NEEDED_PROGRAMS.map((one) => [one, problemOf(one)]));
  const missing = NEEDED_PROGRAMS.filter((one) => problems.get(one) !== null);
  const working = NEEDED_PROGRAMS.filter((one) => problems.get(one) === null);
  if (working.length > 0) say(`${working.map(({ command }) => command).join(', ')} work`);
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debianPackages }) => debianPackages);
  const obstacle = installObstacle() ?? install(packages);
  for (const one of missing) {
    const problem = problemOf(one);
    const { command, debianPackages, neededBy } = one;
    if (problem === null) say(`installed ${command} (apt, ${debianPackages.join(', ')})`);
    else say(`no ${command}: ${problem}${obstacle}; suites of ${neededBy} are skipped`);
  }
}

/** Installs packages. Returns the failure in brackets, or an empty text. */
function install(packages: readonly string[]): string {
  say(`installing ${packages.join(', ')}…`);
  const failure = installPackages(packages);
  return failure === null ? '' : ` (${failure})`;
}

/** Installs about 90 MB that only one suite needs, into the checkout. Resolves to a report line. */
async function provideEmbeddedRuntime(): Promise<string> {
  const isInstalled = (): boolean =>
    existsSync(join(ROOT, '.embedded/node_modules/node-llama-cpp'));
  if (isInstalled()) return 'the embedded runtime is installed';
  const install = spawn(process.execPath, [join(ROOT, 'scripts/embedded.ts')], { stdio: 'ignore' });
  await once(install, 'close');
  return isInstalled()
    ? 'installed the embedded runtime'
    : 'the embedded runtime could not be installed: its suite is skipped (npm run embedded installs it)';
}

/**
 * Starts a Docker engine if none is running, and builds the sandbox image if it is missing. This takes
 * minutes, while other suites run. Resolves to a function that stops the engine if it was started here.
 */
export async function provideDocker(): Promise<() => Promise<void>> {
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
  const base = await provideBaseImage();
  say(
    base === null
      ? 'no base image: suites of the Docker sandbox are skipped'
      : `base image: ${base}`,
  );
  if (base !== null) say(await provideSandboxImage());
  return started === null ? nothing : () => started.stop();
}
