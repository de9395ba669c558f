import type { RunMode } from '#contract/vocabulary.ts';
import { formatBytes, formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** The message box and the context meter. */
export const composerStrings = inLanguage('composerStrings', {
  label: 'Message',
  placeholder: 'Describe a task',
  followUp: 'Ask for more',
  queuePlaceholder: 'Next message, sent when this run ends',
  /** What a message does while a question is open. */
  during: {
    answer: 'Your message answers the question above.',
    change: 'Your message approves the plan above with the change that you describe.',
    denial: (calls: number) =>
      calls === 1
        ? 'Your message denies the call above and tells the model what to do instead.'
        : 'Your message denies the calls above and tells the model what to do instead.',
    next: 'Your message is sent after this run.',
    buttonsOnly: 'Your message is sent after this run. Answer the question above with its buttons.',
    noAssent: 'A message never approves a call. Use the buttons above.',
    filesStay: 'Files stay here for your next message.',
    queueInstead: 'Send after this run instead',
    answerInstead: 'Answer with it instead',
    placeholders: {
      answer: 'Type your answer',
      change: 'Say what to change',
      denial: 'Say what to do instead',
    },
    send: {
      answer: 'Answer',
      change: 'Approve with this change',
      denial: 'Deny with this reason',
    },
  },
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
      system: 'System prompt',
      instructions: 'Your instructions',
      tools: 'Tools',
      history: 'Conversation',
      attachments: 'Images',
      reserve: 'Reserved for the answer',
      free: 'Free',
    },
    estimated: 'The server counts the whole; how it splits up is an estimate.',
    prefix: (hits: number, requests: number) =>
      `${formatCount(hits)} of ${formatCount(requests)} requests could reuse the server's prompt cache.`,
    prefixMiss: ({ round, byte }: { readonly round: number; readonly byte: number }) =>
      `In model call ${round}, the prompt changed from byte ${formatCount(byte)} on.`,
  },
});
