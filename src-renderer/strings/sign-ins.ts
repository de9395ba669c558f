import { inLanguage } from '../language.ts';

/** Saved sign-ins: in the Browser tab, and their list in the settings. */
export const signInStrings = inLanguage('signInStrings', {
  title: 'Saved sign-ins',
  menu: 'Saved sign-ins',
  use: 'Use a saved sign-in',
  none: 'No sign-in is saved.',
  noStorage:
    'No keychain is available here to protect sign-ins, so none can be saved or used. Use the desktop app.',
  save: {
    open: 'Save this sign-in…',
    title: 'Save this sign-in',
    hint: (site: string, storage: string) =>
      `Cookies and stored data of ${site}, encrypted by ${storage}. The agent acts with your sign-in in each task where you use it.`,
    name: 'Name',
    confirm: 'Save',
    replace: 'Replace',
  },
  list: {
    hint: (storage: string) =>
      `Encrypted by ${storage}. Save and use them in the Browser tab of a task, while you have control.`,
    saved: (moment: string) => `Saved ${moment}`,
    used: (moment: string) => `last used ${moment}`,
    unused: 'not used yet',
    remove: (name: string) => `Delete the sign-in ${name}`,
  },
  remove: {
    title: 'Delete this sign-in?',
    text: (name: string) =>
      `“${name}” can no longer be used in new tasks. Tasks where it is in use stay signed in until their browser ends. To end the session itself, sign out at the site.`,
    keep: 'Keep it',
    confirm: 'Delete',
  },
});
