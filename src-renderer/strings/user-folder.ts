import type { FolderChange, RefusedChange, UserFolder } from '#contract/user-folder.ts';
import { formatCount, listOf } from '../format.ts';
import { inLanguage } from '../language.ts';

const files = (count: number): string => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

/** The user's own folder in a task. */
export const folderStrings = inLanguage('folderStrings', {
  give: 'Use a folder of this computer',
  dialog: {
    title: 'Use a folder of this computer',
    text: 'The agent works on a copy. Your folder changes only when you apply changes.',
    path: 'Folder',
    placeholder: '/home/me/project',
    access: 'What the task may do',
    accessChoices: {
      copy: 'Change the copy; I review and apply the changes',
      read: 'Read only',
    } satisfies Record<UserFolder['access'], string>,
    use: 'Use folder',
  },
  chip: (count: number, size: string) => `${files(count)}, ${size}`,
  leftOut: (count: number) => `${formatCount(count)} not copied`,
  remove: (name: string) => `Remove the folder ${name}`,
  inMessage: { copy: 'your folder, as a copy', read: 'your folder, read only' } satisfies Record<
    UserFolder['access'],
    string
  >,
  title: 'Your folder',
  review: 'Review changes',
  differs: (count: number) => (count === 0 ? 'No changes' : `${files(count)} changed`),
  readOnly: 'Read only: changes of the copy cannot be applied.',
  blocked: {
    link: 'A link: it is never applied.',
    not_a_file: 'Not a plain file in your folder, or behind a link.',
    name: 'A file with such a name is never applied.',
  } satisfies Record<NonNullable<FolderChange['blocked']>, string>,
  editedMeanwhile: 'You edited this file since it was copied. Applying replaces your version.',
  runsByItself: 'Other programs run this file without asking.',
  choose: (path: string) => `Apply ${path}`,
  chooseAll: 'All',
  apply: (count: number) => `Apply ${files(count)}`,
  applied: (count: number) => `${files(count)} written to your folder.`,
  undo: 'Undo',
  undone: (count: number) => `${files(count)} restored.`,
  canUndo: (count: number) => `${files(count)} applied last.`,
  refused: (path: string, reason: string) => `${path} was left alone: ${reason}`,
  reasons: {
    changed: 'it changed in the meantime. Look at it again.',
    blocked: 'it is not a plain file, or lies behind a link.',
    denied: 'the system denied access.',
    disk_full: 'the disk is full.',
  } satisfies Record<RefusedChange['reason'], string>,
  notCompared: (paths: readonly string[], count: number) =>
    `Not compared: ${listOf(paths)}${count > paths.length ? ` and ${formatCount(count - paths.length)} more` : ''}`,
  more: (count: number) => `${files(count)} more are not listed. Apply these first.`,
  failed: 'The changes could not be listed.',
});
