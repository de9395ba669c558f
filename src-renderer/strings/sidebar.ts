import { inLanguage } from '../language.ts';
/** The list of tasks. */
export const sidebarStrings = inLanguage('sidebarStrings', {
  label: 'Tasks',
  search: 'Search tasks',
  clearSearch: 'Clear search',
  waiting: 'Waiting for you',
  nobodyWaits: 'Nothing is waiting for you.',
  settings: 'Settings',
  skills: 'Skills',
  actions: (title: string) => `Actions for ${title}`,
  searching: 'Searching',
  results: (count: number) => (count === 1 ? '1 task found' : `${count} tasks found`),
  indexing: (left: number) =>
    left === 1
      ? '1 older run is still being indexed.'
      : `${left} older runs are still being indexed.`,
  kinds: {
    message: 'You wrote:',
    answer: 'Answer:',
    call: 'Command or output:',
    report: 'Report:',
  },
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  unarchive: 'Move out of the archive',
  share: 'Export',
  formats: { md: 'Markdown', html: 'Web page (HTML)', pdf: 'PDF' },
  rename: 'Rename',
  remove: 'Delete',
  groups: {
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    older: 'Older',
    archived: 'Archived',
  },
  empty: 'Your tasks will appear here.',
  archived: (count: number) => `Archived (${count})`,
  nothingFound: (query: string) => `No tasks match “${query}”.`,
  failed: 'Could not load your tasks.',
});
