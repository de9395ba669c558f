import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { SandboxProviderParts } from '#main/services/sandbox/provider-parts.ts';

const GIGABYTE = 1024 ** 3;

/** Parts of a real provider whose own files lie in `dir`. */
export function providerParts(dir: string): SandboxProviderParts {
  return {
    stateDir: join(dir, 'state'),
    dataDir: dir,
    resourcesDir: join(import.meta.dirname, '../../../../resources/sandbox'),
    environment: process.env,
    home: homedir(),
    limits: () => ({ memoryBytes: GIGABYTE, cpus: 2, pids: 128, fileBytes: GIGABYTE }),
    clock: systemClock,
    logger: silentLogger,
  };
}
