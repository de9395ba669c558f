/** The list of tasks. */
export const sidebarStrings = {
  label: 'Tasks',
  search: 'Search tasks',
  clearSearch: 'Clear search',
  waiting: 'Waiting for you',
  nobodyWaits: 'Nothing is waiting for you.',
  settings: 'Settings',
  skills: 'Skills',
  actions: (title: string) => `Actions for ${title}`,
  rename: 'Rename',
  remove: 'Delete',
  groups: {
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    older: 'Older',
  },
  empty: 'Your tasks will appear here.',
  nothingFound: (query: string) => `No tasks match “${query}”.`,
  failed: 'Could not load your tasks.',
} as const;
