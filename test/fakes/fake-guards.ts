import { Settings } from '#contract/settings.ts';
import type { KnownSecrets } from '#main/base/known-secrets.ts';
import { silentLogger } from '#main/base/logger.ts';
import { type GuardScanners, type GuardSettings, Guards } from '#main/guardrails/guards.ts';

/** The guards as they come, with some settings changed or scanners put in their place. */
export function testGuards(
  changes: Partial<GuardSettings> = {},
  scanners: Partial<GuardScanners> = {},
  secrets?: KnownSecrets,
): Guards {
  const settings = Settings.parse(changes);
  return new Guards({
    settings: () => settings,
    logger: silentLogger,
    scanners,
    ...(secrets === undefined ? {} : { secrets }),
  });
}
