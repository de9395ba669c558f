import type { RunStatus } from '#contract/vocabulary.ts';
import { formatCount } from './format.ts';

/** Words of the editor of skills and of the review. */
export const editorStrings = {
  newTitle: 'New skill',
  title: (name: string) => `Edit ${name}`,
  loading: 'Opening the editor',
  failed: 'The editor could not be opened.',
  source: 'Source of the skill',
  keys: 'Tab moves on; Ctrl+Space completes; Ctrl+S saves.',
  language: 'Language',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  templates: 'Start from',
  chooseTemplate: 'A template',
  replaceSure: 'What is written here is not saved. Put the other source in its place?',
  replace: 'Put it in place',
  keepMine: 'Keep what is here',
  save: 'Save and review',
  saveOver: 'Save it as the newest version',
  saved: 'Saved',
  unsaved: 'Not saved',
  checking: 'Checking',
  clean: 'Nothing was found',
  findings: (errors: number, warnings: number) =>
    `${formatCount(errors)} ${errors === 1 ? 'error' : 'errors'}, ${formatCount(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}`,
  goTo: (line: number) => `Go to line ${line}`,
  side: 'Beside the source',
  tabs: { check: 'Check', run: 'Run', versions: 'Versions' },
  saveFirst: 'Save it and approve it; then it can be run here.',
  unsavedRun: 'This runs the approved source, not what was written since.',
  trial: 'Last run',
  trialStates: {
    queued: 'It is about to run.',
    running: 'It runs.',
    waiting: 'It waits for your answer.',
    paused: 'It rests.',
    completed: 'It is done.',
    unverified: 'It is done.',
    failed: 'It failed.',
    cancelled: 'It was stopped.',
  } satisfies Record<RunStatus, string>,
  openTrial: 'Open the task',
  stopTrial: 'Stop',
  versions: 'Versions',
  noVersions: 'Nothing was saved yet.',
  version: (version: number) => `Version ${version}`,
  approved: (when: string) => `approved ${when}`,
  notApproved: 'not approved',
  restore: (version: number) => `Put version ${version} into the editor`,
  restored: (version: number) => `Version ${version} is in the editor. Save it to use it.`,
} as const;

export const reviewStrings = {
  title: (name: string) => `Review ${name}`,
  loading: 'Reading what is to be reviewed',
  failed: 'The review could not be read.',
  intro:
    'This is everything that your yes would trust. What is hidden in a text stands by its name, as ⟨U+202E⟩.',
  changedMeanwhile:
    'The skill was changed while you looked at it, and nothing was approved. This is how it is now.',
  hidden: (count: number) =>
    count === 1
      ? 'One character would not be seen by itself.'
      : `${formatCount(count)} characters would not be seen by themselves.`,
  files: (count: number) => `${formatCount(count)} ${count === 1 ? 'file' : 'files'} changed`,
  noFiles: 'No file differs from what you approved last.',
  kinds: { new: 'new', gone: 'removed', changed: 'changed' },
  binary: 'Not text: only that it changed can be shown.',
  capabilities: 'What it may do',
  capabilitiesHint: 'It gets what is ticked, and nothing else.',
  noCapabilities: 'It asks for nothing of the app.',
  before: 'granted before',
  asked: 'new',
  dropped: 'no longer asked for',
  tools: 'Tools that it needs',
  findings: 'Findings',
  noFindings: 'Nothing was found.',
  blocked: 'An error stands in the way: it has to be mended before this can be approved.',
  approve: 'Approve exactly this',
  later: 'Not now',
  approved: (name: string) => `${name} is approved.`,
  fingerprint: 'Fingerprint',
} as const;
