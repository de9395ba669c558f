import { inLanguage } from '../language.ts';
/** The dialogs that rename or delete a task, and that show an address before it opens. */
export const dialogStrings = inLanguage('dialogStrings', {
  rename: { title: 'Rename task', label: 'Title', save: 'Rename' },
  remove: {
    title: 'Delete this task?',
    text: (title: string) =>
      `“${title}” will be deleted with its messages, runs and workspace files. This cannot be undone.`,
    confirm: 'Delete task',
    keep: 'Keep task',
  },
  link: {
    title: 'Open this link?',
    leadsTo: 'This link leads to',
    open: 'Open in browser',
    copy: 'Copy link',
  },
});
