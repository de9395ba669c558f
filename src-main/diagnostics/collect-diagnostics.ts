import type { Diagnostics, DiagnosticsSection } from '#contract/diagnostics.ts';
import type { SetupReport } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { PolicyState } from '../policy/types.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { computerSection, type ProgramFacts } from './computer-section.ts';
import { crashSection } from './crash-dumps.ts';
import { identityOf } from './identity.ts';
import { logSection } from './log-section.ts';
import { policySection } from './policy-section.ts';
import { heading, section } from './section.ts';
import { setupSection } from './setup-section.ts';
import { settingsSection } from './shown-settings.ts';
import { storedFacts } from './stored-facts.ts';
import { TextCleaner } from './text-cleaner.ts';

export interface DiagnosticsParts extends ProgramFacts {
  readonly dataDir: string;
  /** The folder of the program. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly policy: PolicyState;
  readonly secrets: KnownSecrets;
  /** The settings that hold. What it throws is in the document. */
  readonly settings: () => Settings;
  /** What it throws is in the document. */
  readonly setupCheck: (signal: AbortSignal) => Promise<SetupReport>;
  /** Checks every page of the database, which can take seconds: not in a process that has a window. */
  readonly checksDatabase: boolean;
  readonly clock: Clock;
  /** Sections that are not collected, so that they cost nothing and have no effect. */
  readonly without?: readonly DiagnosticsSection[];
}

const TITLES: Readonly<Record<DiagnosticsSection, string>> = {
  computer: 'Versions and computer',
  setup: 'Setup check',
  settings: 'Settings',
  policy: 'Policy',
  data: 'Stored data',
  crashes: 'Crash dumps (only their names: they stay on this computer)',
  log: 'Log (newest lines)',
};

const NEVER = [
  'Prompts, answers, titles and files of tasks; custom instructions and saved prompts.',
  'Keys, passwords and tokens that are known, look like one, or have the name of one before them.',
  'Variables and headers of connectors, and their logs.',
  'Names of the account and of the computer, the path of the home folder, and e-mail addresses.',
  'Hosts and folders that the settings list, the rules of a policy, and the contents of crash dumps.',
  'Fields of log lines that may hold names of files or words of the user; paths of files and of web addresses.',
];

/**
 * Everything that a diagnostics document may contain. A section that cannot be read says why, so that there is a
 * document whatever is broken. Rejects only with the signal's reason.
 */
export async function collectDiagnostics(
  parts: DiagnosticsParts,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const { dataDir, policy, version, clock, checksDatabase, without = [] } = parts;
  const paths = dataPaths(dataDir);
  const cleaner = new TextCleaner({ ...parts, identity: identityOf(parts.env) });
  const locked = policy.state === 'holds' ? Object.keys(policy.policy.locked) : [];
  const sections: Readonly<Record<DiagnosticsSection, () => string[] | Promise<string[]>>> = {
    computer: () => computerSection(parts, cleaner),
    setup: async () => setupSection(await parts.setupCheck(signal), cleaner),
    settings: () => settingsSection(parts.settings(), { cleaner, locked }),
    policy: () => policySection(policy, cleaner),
    data: () => storedFacts({ dataDir, cleaner, checksDatabase }),
    crashes: () => crashSection(paths.crashes, cleaner),
    log: () => logSection(paths.logs, cleaner),
  };
  const names = Object.keys(sections) as DiagnosticsSection[];
  const texts = await Promise.all(
    names.map(async (name) => {
      if (without.includes(name)) return { section: name, text: '' };
      const lines = await linesOf(sections[name], { cleaner, signal });
      return { section: name, text: section(TITLES[name], lines) };
    }),
  );
  const at = new Date(clock.now()).toISOString();
  return {
    fileName: `hyperagent-diagnostics-${at.slice(0, 10)}.txt`,
    head: `${heading(1, 'HyperAgent diagnostics')}\n\n    Version ${version}, ${at}\n    The app sends this to nobody. Read it before you pass it on: no program recognizes all that is private.\n`,
    parts: texts,
    notes: section('Not in this document', NEVER),
  };
}

async function linesOf(
  read: () => string[] | Promise<string[]>,
  { cleaner, signal }: { readonly cleaner: TextCleaner; readonly signal: AbortSignal },
): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return [`This could not be read: ${cleaner.line(why)}`];
  }
}
