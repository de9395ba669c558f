import type { RunMode } from '#contract/vocabulary.ts';
import { formatBytes, formatCount } from '../format.ts';

/** The message box and the context meter. */
export const composerStrings = {
  label: 'Message',
  placeholder: 'Describe a task',
  followUp: 'Ask for more',
  queuePlaceholder: 'Next message, sent when this run ends',
  send: 'Send',
  sendBlind: 'Send without showing the pictures',
  queueIt: 'Send after this run',
  stop: 'Stop the run',
  pause: 'Pause after this step',
  pausing: 'Pausing after this step',
  attach: 'Attach files',
  dropHere: 'Drop files to attach them',
  removeFile: (name: string) => `Remove ${name}`,
  sendingFile: 'adding',
  pictureSize: (width: number, height: number) => `${width} × ${height}`,
  notShown: (problem: string) => `Attached as a file only. ${problem}`,
  blind: {
    no: (model: string) => `${model} does not see pictures. It will get only their file names.`,
    unknown: (model: string) =>
      `It is not known whether ${model} sees pictures. It will get only their file names.`,
    use: (model: string) => `Use ${model}, which sees them`,
    none: 'Install a model that sees, or check this one in the settings.',
  },
  mode: 'Mode',
  modes: {
    task: 'Task',
    research: 'Research',
    data: 'Data',
    app: 'App',
    image: 'Image',
    slide: 'Slides',
    writing: 'Writing',
    code: 'Code',
  } satisfies Record<RunMode, string>,
  modeHints: {
    task: 'Any task, planned and done step by step',
    research: 'Searches, reads sources and writes a report with citations',
    data: 'Analyzes your files with calculations and charts',
    app: 'Builds an app and previews it',
    image: 'Creates and edits images',
    slide: 'Creates slides',
    writing: 'Writes a document, e-mail or article',
    code: 'Writes a program, with tests on request',
  } satisfies Record<RunMode, string>,
  queued: 'Next',
  unqueue: 'Move back to the message box',
  queueKept: 'The run did not finish, so your next message was not sent. It is in the message box.',
  tooLarge: (name: string, size: number, limit: number) =>
    `${name} is ${formatBytes(size)}. Attachments can be up to ${formatBytes(limit)}. Attach a part of it, or all of it with the CLI: hyperagent run --attach FILE.`,
  tooMany: (limit: number) => `You can attach up to ${limit} files to a message.`,
  unreadable: (name: string) => `${name} could not be read. Check that it still exists.`,
  sendHint: 'Enter to send, Shift+Enter for a new line',
  context: {
    label: (percent: number) => `Context: ${percent}% full`,
    unknown: 'Context: size unknown',
    title: 'Context window',
    used: (used: number, all: number) => `${formatCount(used)} of ${formatCount(all)} tokens`,
    usedOnly: (used: number) => `${formatCount(used)} tokens, window size unknown`,
    parts: {
      system: 'Instructions',
      tools: 'Tools',
      history: 'Conversation',
      attachments: 'Images',
      reserve: 'Reserved for the answer',
    },
    prefix: (hits: number, requests: number) =>
      `${formatCount(hits)} of ${formatCount(requests)} requests could reuse the server's prompt cache.`,
    prefixMiss: ({ round, byte }: { readonly round: number; readonly byte: number }) =>
      `In model call ${round}, the prompt changed from byte ${formatCount(byte)} on.`,
  },
} as const;
