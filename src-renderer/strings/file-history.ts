import { formatCount, listOf } from '../format.ts';
import { inLanguage } from '../language.ts';

export const historyStrings = inLanguage('historyStrings', {
  title: 'History',
  none: 'A snapshot appears here after each step that changes files.',
  busy: 'A run is in progress. You can restore files when it is done.',
  newest: 'newest',
  atStart: 'Before the first step',
  afterStep: (seq: number) => `After a step (event ${formatCount(seq)})`,
  beforeRestore: 'Before a restore',
  afterRestore: 'After a restore',
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
  }) => `${created} new, ${modified} changed, ${deleted} deleted`,
  leftOut: (count: number) => `${formatCount(count)} not saved`,
  reasons: {
    over_limit: 'over the snapshot limit',
    too_many: 'too many files',
    too_deep: 'too deeply nested',
    special: 'not a regular file',
    unreadable: 'could not be read',
    changing: 'changed while it was saved',
  },
  show: 'Show what changed',
  more: (count: number) => `and ${formatCount(count)} more`,
  restore: 'Restore',
  restoreTo: (state: string, time: string) => `Restore: ${state}, ${time}`,
  confirmTitle: 'Restore the files?',
  confirmText: (state: string, time: string) =>
    `The workspace will contain exactly the files of “${state}” (${time}). The current files are saved in this history first. Files that cannot be saved stay in place. Packages and anything else that programs put outside the workspace are not saved, in any sandbox: they are neither removed nor brought back.`,
  confirm: 'Restore files',
  kept: (paths: readonly string[]) =>
    `Not removed, because this history has no copy: ${listOf(paths)}`,
});
