import type { PolicyLevel } from '#contract/vocabulary.ts';
import { inLanguage } from '../language.ts';

/** The approval levels, wherever one is chosen. */
export const levelStrings = inLanguage('levelStrings', {
  label: 'When to ask you',
  levels: {
    ask_every_time: {
      title: 'Ask every time',
      text: 'You approve every program, every change to a file, and everything that reaches another computer. Reading files of the task does not ask.',
    },
    ask_on_exit: {
      title: 'Ask only when something leaves the sandbox',
      text: 'Programs and files inside the sandbox of a task do not ask, and you can undo what they did. New sites, secrets that would be sent, and everything else that leaves asks.',
    },
    unattended: {
      title: 'Unattended: pause and wait for me',
      text: 'For work while you are away. Asks about the same things as the level above, but does not wait for an answer: the task pauses until you are back.',
    },
  } satisfies Record<PolicyLevel, { readonly title: string; readonly text: string }>,
  recommended: 'Recommended',
  unverified:
    'On this computer it asks as often as “Ask every time”, because the sandbox isolation is not verified.',
  notChosen: 'You have not chosen yet. Until you do, high-risk calls ask.',
  ofTask: 'When this task asks you',
  current: (what: string) => `Approvals: ${what}`,
  asInSettings: (what: string) => `As in the settings (${what})`,
  short: {
    ask_every_time: 'every time',
    ask_on_exit: 'what leaves the sandbox',
    unattended: 'unattended',
    none: 'high risk',
  } satisfies Record<PolicyLevel | 'none', string>,
});
