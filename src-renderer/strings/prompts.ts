import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** The user's own prompts: their settings, and the dialog that saves one. Loaded with these. */
export const promptStrings = inLanguage('promptStrings', {
  hint: 'Texts that you use again. Type / in the message box to insert one. A word in double braces, such as {{topic}}, is selected for you to replace.',
  none: 'No prompts yet.',
  add: 'Add prompt',
  edit: 'Edit',
  editOne: (name: string) => `Edit ${name}`,
  delete: 'Delete',
  deleteOne: (name: string) => `Delete ${name}`,
  saveMessage: 'Save as prompt',
  name: 'Name',
  text: 'Text',
  save: 'Save prompt',
  problems: {
    taken: 'You have a prompt with this name. Choose another name.',
    longName: (limit: number) => `A name can have up to ${formatCount(limit)} characters.`,
    longText: (length: number, limit: number) =>
      `This text has ${formatCount(length)} characters. A prompt can have up to ${formatCount(limit)}.`,
    tooMany: (limit: number) =>
      `You can save up to ${formatCount(limit)} prompts. Delete one in Settings, Prompts.`,
  },
});
