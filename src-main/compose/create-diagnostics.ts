import type { Diagnostics, DiagnosticsSection } from '#contract/diagnostics.ts';
import type { SetupReport } from '#contract/entities.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { createSetupCheck, type SetupCheckParts } from '../setup-check/setup-check.ts';
import { VERSION } from '../version.ts';
import type { PolicedOptions } from './under-policy.ts';

export interface DiagnosticsGroupParts
  extends Pick<SetupCheckParts, 'models' | 'sandbox' | 'search' | 'settings'> {
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  /** The folder of the program. */
  readonly root: string;
}

/** The setup check, and the document that contains it. */
export function createDiagnostics(
  { dataDir, entryPoint, policy }: PolicedOptions,
  { models, sandbox, search, settings, secrets, clock, root }: DiagnosticsGroupParts,
): {
  readonly setupCheck: (signal: AbortSignal) => Promise<SetupReport>;
  readonly diagnostics: (
    without: readonly DiagnosticsSection[],
    signal: AbortSignal,
  ) => Promise<Diagnostics>;
} {
  const facts = { dataDir, policy, version: VERSION, settings };
  const setupCheck = createSetupCheck({ ...facts, models, sandbox, search });
  return {
    setupCheck,
    diagnostics: async (without, signal) => {
      const { collectDiagnostics } = await import('../diagnostics/collect-diagnostics.ts');
      const checksDatabase = entryPoint === 'terminal';
      return await collectDiagnostics(
        {
          ...facts,
          entryPoint,
          setupCheck,
          secrets,
          clock,
          root,
          env: process.env,
          checksDatabase,
          without,
        },
        signal,
      );
    },
  };
}
