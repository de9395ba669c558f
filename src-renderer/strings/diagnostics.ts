import type { DiagnosticsSection } from '#contract/diagnostics.ts';
import { inLanguage } from '../language.ts';

const sections: Readonly<Record<DiagnosticsSection, string>> = {
  computer: 'Versions and computer',
  setup: 'Setup check',
  settings: 'Settings',
  policy: 'Policy',
  data: 'Stored data',
  crashes: 'Crash dumps',
  log: 'Log',
};

/** The diagnostics document, which the user reads before it is saved. */
export const diagnosticsStrings = inLanguage('diagnosticsStrings', {
  title: 'Diagnostics',
  hint: 'One text file for a developer or your administrator when something fails. You read it first. It has no keys, no contents of tasks and not your name, and HyperAgent sends it to nobody.',
  open: 'Show diagnostics…',
  text: 'This is exactly what is saved or copied. Read it, and leave out what you do not want to pass on.',
  collecting: 'Checking your setup and reading the log',
  failed: 'Diagnostics could not be collected.',
  again: 'Try again',
  include: 'Include',
  sections,
  content: 'The document',
  size: (size: string) => `${size} of text`,
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save…',
});
