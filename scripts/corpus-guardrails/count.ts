import { silentLogger } from '../../src-main/base/logger.ts';
import { Guards } from '../../src-main/guardrails/guards.ts';
import type { Finding } from '../../src-main/guardrails/scanner.ts';
import { knownContacts } from '../../src-main/models/known-contacts.ts';
import { Settings } from '../../src-preload/contract/settings.ts';
import type { GuardCase } from '../../test/fakes/guard-cases.ts';

export const PLACES = ['input', 'output', 'arguments', 'results'] as const;

export interface PlaceCount {
  readonly place: GuardCase['place'];
  readonly cases: number;
  readonly detected: number;
  /** Harmless twins that were mistaken for attacks. */
  readonly alarms: number;
  /** Attacks that would be blocked or removed, not only reported. */
  readonly stopped: number;
  readonly missed: readonly GuardCase[];
  readonly falseAlarms: readonly (GuardCase & { readonly rules: readonly string[] })[];
}

/** Runs the guards, with default settings, over attacks and their twins. */
export function countPlaces(cases: readonly GuardCase[]): PlaceCount[] {
  const guards = new Guards({ settings: () => Settings.parse({}), logger: silentLogger });
  return PLACES.map((place) => {
    const own = cases.filter((one) => one.place === place);
    const attacks = own.map((one) => ({ one, ...scan(guards, one, { text: one.attack }) }));
    const twins = own.map((one) => ({
      one,
      ...scan(guards, one, { text: one.twin, seen: one.seen }),
    }));
    const alarms = twins.filter(({ rules }) => rules.length > 0);
    return {
      place,
      cases: own.length,
      detected: attacks.filter(({ rules }) => rules.length > 0).length,
      alarms: alarms.length,
      stopped: attacks.filter(({ stopped }) => stopped).length,
      missed: attacks.filter(({ rules }) => rules.length === 0).map(({ one }) => one),
      falseAlarms: alarms.map(({ one, rules }) => ({ ...one, rules })),
    };
  });
}

interface ScanResult {
  readonly rules: readonly string[];
  readonly stopped: boolean;
}

function scan(
  guards: Guards,
  { place, field = 'code' }: GuardCase,
  { text, seen = '' }: { readonly text: string; readonly seen?: string | undefined },
): ScanResult {
  switch (place) {
    case 'input':
      return asResult(guards.input(text));
    case 'arguments':
      return asResult(
        guards.arguments(JSON.stringify({ [field]: text }), { runs: field === 'code' }),
      );
    case 'results':
      return asResult(guards.result(text, { toolCallId: 'call', untrusted: 'page' }));
    case 'output': {
      const guard = guards.openOutput(knownContacts([{ role: 'user', content: seen }]));
      if (guard === null) throw new Error('The output guard must be on by default');
      const shown = guard.text(text) + guard.endText();
      return { rules: guard.findings.map(({ rule }) => rule), stopped: shown !== text };
    }
  }
}

function asResult(report: { verdict: string; findings: readonly Finding[] }): ScanResult {
  const rules = report.findings.filter(({ weight }) => weight !== 'note').map(({ rule }) => rule);
  return { rules, stopped: report.verdict === 'block' };
}
