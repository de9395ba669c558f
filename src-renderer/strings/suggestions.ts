import { inLanguage } from '../language.ts';
/** The lists that `/` and `@` open in the message box. Loaded with them. */
export const suggestionStrings = inLanguage('suggestionStrings', {
  labels: { '/': 'Modes, skills and prompts', '@': 'Files, tasks and documents' },
  groups: {
    mode: 'Modes',
    skill: 'Skills',
    prompt: 'Your prompts',
    action: 'Actions',
    file: 'Files of this task',
    task: 'Conversations of other tasks',
    document: 'Library',
    resource: 'Connector resources',
    offeredPrompt: 'Connector prompts',
  },
  offered: {
    from: (connector: string) => `Prompt from the connector ${connector}`,
    resourceFrom: (connector: string) => `Resource from the connector ${connector}`,
    attach: 'Attach',
    optional: '(optional)',
    insert: 'Insert',
    waiting: (connector: string) => `Waiting for ${connector}…`,
  },
  savePrompt: 'Save this message as a prompt',
  editPrompts: 'Edit your prompts',
  skillSentence: (name: string) => `Use the ${name} skill: `,
  count: (count: number) =>
    count === 0 ? 'No suggestions' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`,
});
