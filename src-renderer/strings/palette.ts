import { inLanguage } from '../language.ts';
/** The command palette. Loaded with it, when it is first opened. */
export const paletteStrings = inLanguage('paletteStrings', {
  title: 'Command palette',
  placeholder: 'Search tasks, actions, settings, models and skills',
  results: 'Results',
  groups: { recent: 'Recently used', action: 'Actions', task: 'Newest tasks' },
  kinds: {
    action: 'Action',
    task: 'Task',
    setting: 'Settings',
    model: 'Model',
    skill: 'Skill',
  },
  cloud: 'cloud',
  nothing: (query: string) => `Nothing matches “${query}”.`,
  count: (shown: number, total: number) => {
    if (total > shown) return `The best ${shown} of ${total}. Type more to narrow them down.`;
    return `${total} ${total === 1 ? 'result' : 'results'}`;
  },
});
