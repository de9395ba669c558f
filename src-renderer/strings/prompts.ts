import { formatCount } from '../format.ts';

/** The user's own prompts. Loaded with the settings. */
export const promptStrings = {
  hint: 'Texts that you use again. A word in double braces, such as {{topic}}, stands for what you fill in.',
  none: 'No prompts yet.',
  add: 'Add prompt',
  edit: 'Edit',
  editOne: (name: string) => `Edit ${name}`,
  delete: 'Delete',
  deleteOne: (name: string) => `Delete ${name}`,
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
} as const;
