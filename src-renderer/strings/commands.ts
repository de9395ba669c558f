import { inLanguage } from '../language.ts';
/** What can be done by a shortcut or from the command palette, and the dialog that lists the shortcuts. */
export const commandStrings = inLanguage('commandStrings', {
  title: 'Keyboard shortcuts',
  groups: {
    window: 'Anywhere',
    task: 'The open task',
    question: 'A question for you',
  },
  labels: {
    palette: 'Open the command palette',
    shortcuts: 'Show keyboard shortcuts',
    newTask: 'New task',
    search: 'Search tasks',
    sidebar: 'Show or hide the task list',
    settings: 'Open settings',
    setupCheck: 'Open setup check',
    artifacts: 'Show all artifacts',
    nextQuestion: 'Go to the next question',
    approve: 'Approve what is asked',
    deny: 'Deny what is asked, with a reason',
    composer: 'Go to the message box',
    computer: 'Show or hide the computer',
    stop: 'Stop the run',
    savePrompt: 'Save the message as a prompt',
  },
  notInText: 'not while you type',
});
