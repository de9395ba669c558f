import type { RunStatus } from '#contract/vocabulary.ts';
import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** The editor of skills. */
export const editorStrings = inLanguage('editorStrings', {
  newTitle: 'New skill',
  title: (name: string) => `Edit ${name}`,
  loading: 'Opening the editor',
  failed: 'Could not open the editor.',
  source: 'Skill source',
  keys: 'Tab leaves the editor, Ctrl+Space completes, Ctrl+S saves.',
  language: 'Language',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  templates: 'Start from',
  chooseTemplate: 'Choose a template',
  replaceSure: 'You have unsaved changes. Replace them?',
  replace: 'Replace',
  keepMine: 'Keep my changes',
  save: 'Save and review',
  saveOver: 'Save as the newest version',
  saved: 'Saved',
  unsaved: 'Unsaved',
  checking: 'Checking',
  clean: 'No problems found',
  findings: (errors: number, warnings: number) =>
    `${formatCount(errors)} ${errors === 1 ? 'error' : 'errors'}, ${formatCount(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}`,
  goTo: (line: number) => `Go to line ${line}`,
  side: 'Skill tools',
  tabs: { check: 'Check', run: 'Run', versions: 'Versions' },
  saveFirst: 'Save and approve the skill to run it here.',
  unsavedRun: 'This runs the approved version, not your latest changes.',
  trial: 'Last run',
  trialStates: {
    queued: 'Starting',
    running: 'Running',
    waiting: 'Waiting for your answer',
    paused: 'Paused',
    completed: 'Done',
    unverified: 'Done',
    failed: 'Failed',
    cancelled: 'Stopped',
  } satisfies Record<RunStatus, string>,
  openTrial: 'Open the task',
  stopTrial: 'Stop',
  versions: 'Versions',
  noVersions: 'No versions yet.',
  version: (version: number) => `Version ${version}`,
  approved: (when: string) => `approved ${when}`,
  notApproved: 'not approved',
  restore: (version: number) => `Load version ${version} into the editor`,
  restored: (version: number) => `Version ${version} is now in the editor. Save it to use it.`,
});

/** The review of a skill. */
export const reviewStrings = inLanguage('reviewStrings', {
  title: (name: string) => `Review ${name}`,
  loading: 'Loading the review',
  failed: 'Could not load the review.',
  intro:
    'Approving trusts everything shown here. Hidden characters are shown by name, such as ⟨U+202E⟩.',
  changedMeanwhile:
    'The skill changed while you reviewed it, so nothing was approved. This is the current version.',
  hidden: (count: number) =>
    count === 1 ? '1 hidden character.' : `${formatCount(count)} hidden characters.`,
  files: (count: number) => `${formatCount(count)} ${count === 1 ? 'file' : 'files'} changed`,
  noFiles: 'No files changed since your last approval.',
  kinds: { new: 'new', removed: 'removed', changed: 'changed' },
  binary: 'Binary file: its content is not shown.',
  capabilities: 'Permissions',
  capabilitiesHint: 'The skill gets only the permissions you select.',
  noCapabilities: 'This skill asks for no permissions.',
  before: 'granted before',
  asked: 'new',
  dropped: 'no longer asked for',
  tools: 'Required tools',
  findings: 'Findings',
  noFindings: 'No problems found.',
  blocked: 'This skill has errors. Fix them before you approve it.',
  approve: 'Approve this version',
  later: 'Not now',
  approved: (name: string) => `${name} is approved.`,
  fingerprint: 'Fingerprint',
});
