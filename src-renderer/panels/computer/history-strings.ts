import { formatCount } from '../../format.ts';

export const historyStrings = {
  title: 'History',
  none: 'States of the files appear here after each step that changes some.',
  busy: 'A run is at work. Files can be set back when it is done.',
  newest: 'newest',
  atStart: 'Before the first step',
  afterStep: (seq: number) => `After a step (event ${formatCount(seq)})`,
  beforeRestore: 'Before files were set back',
  afterRestore: 'Files were set back',
  size: (files: number, bytes: string) =>
    `${formatCount(files)} ${files === 1 ? 'file' : 'files'}, ${bytes}`,
  changes: ({
    created,
    modified,
    deleted,
  }: {
    readonly created: number;
    readonly modified: number;
    readonly deleted: number;
  }) => `${created} new, ${modified} changed, ${deleted} gone`,
  leftOut: (count: number) => `${formatCount(count)} not kept`,
  reasons: {
    over_limit: 'over the limit of a snapshot',
    too_many: 'too many files',
    too_deep: 'too many folders, one in the other',
    special: 'not a file',
    unreadable: 'could not be read',
    changing: 'kept changing',
  },
  restore: 'Restore',
  restoreTo: (state: string, time: string) => `Restore: ${state}, ${time}`,
  confirmTitle: 'Set the files back?',
  confirmText: (state: string, time: string) =>
    `The workspace will have exactly the files of “${state}” (${time}). What is there now is kept in this history, and files that it cannot hold stay where they are.`,
  confirm: 'Set back',
  kept: (paths: readonly string[]) =>
    `Not removed, because no state in this history holds it: ${paths.join(', ')}`,
} as const;
