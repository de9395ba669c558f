import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { type DataStores, openStores } from '#main/storage/open-stores.ts';

/** The stores of a data folder, for a test that sets something up before the app opens it. */
export function openData(dataDir: string): DataStores {
  return openStores({
    ...{ dataDir, entryPoint: 'terminal', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: (stored: unknown) => stored },
    ...{ clock: systemClock, logger: silentLogger },
  });
}
