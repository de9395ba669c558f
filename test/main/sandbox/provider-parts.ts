import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { SandboxProviderParts } from '#main/sandbox/provider-parts.ts';
import { createProbeChannel } from '#main/sandbox/relay/probe-channel.ts';
import type { RuntimeChannel } from '#main/sandbox/types.ts';

/** The channel of probes: its policy allows everything. */
export function probeChannel(): RuntimeChannel {
  return createProbeChannel(silentLogger);
}

const GIGABYTE = 1024 ** 3;

/** Parts of a real provider whose own files lie in `dir`. */
export function providerParts(dir: string): SandboxProviderParts {
  return {
    stateDir: join(dir, 'state'),
    dataDir: dir,
    resourcesDir: join(import.meta.dirname, '../../../resources/sandbox'),
    environment: process.env,
    home: homedir(),
    limits: () => ({ memoryBytes: GIGABYTE, cpus: 2, pids: 128, fileBytes: GIGABYTE }),
    probeChannel,
    clock: systemClock,
    logger: silentLogger,
  };
}
