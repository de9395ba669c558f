import { inLanguage } from '../language.ts';
import { modelStrings } from './models.ts';

/** What to do about a run that failed; the buttons beside it do that. */
export const remedyStrings = inLanguage('remedyStrings', {
  retry: 'Retry the last step. What was done before it is kept.',
  report: 'Retry the last step. If it fails again, the log in the data folder says why.',
  wait: 'Wait a moment, then retry the last step.',
  startServer: 'Start the model server or correct its address, then retry the last step.',
  stalled:
    'The model may be too slow for this computer. Retry the last step, or choose a smaller model.',
  lessMemory:
    'Choose a smaller model or a smaller context window, or close other programs that use memory. Then run this again.',
  otherModel: 'Choose another model below the message box, then run this again.',
  notInstalled: 'Choose a model that is installed, or download this one.',
  noModel: 'Choose a model below the message box.',
  modelKey: 'Check the key of this server in the settings, then retry the last step.',
  modelAddress: 'Correct the address of the model server in the settings.',
  allowCloud: 'Allow this model to be sent to its cloud, or choose a local one.',
  shorter: 'Shorten the message, attach less, or choose a model with a larger context window.',
  lessAtOnce: 'Ask for less at once, or retry the last step to go on from there.',
  moreRounds: 'Retry the last step to go on, or allow more steps in the settings.',
  change: 'Change the message or its files, then send it again. As it is, it fails again.',
  demo: 'The demonstration plays a script. Choose a model for tasks of your own.',
  sandbox: 'Open the setup check to see what is missing, then retry the last step.',
  sandboxBroken: 'Open the setup check to see which escape attempt succeeded.',
  connector: 'Look at the connector in the settings, then retry the last step.',
  allowHost: 'Allow the host in the settings, or choose another network policy for this task.',
  search: 'Set up another search provider in the settings, then retry the last step.',
  images:
    'Start a server that makes pictures, or choose another one in the settings, then retry the last step.',
  imageFailed:
    'Retry the last step. If it fails again, ask for another picture, or use another server or model.',
  library: 'Check the folder in the settings, then run this again.',
  disk: 'Free some space or check the disk, then retry the last step.',
  data: 'Look at the data folder in the settings.',
  otherApp: 'Close the other HyperAgent that uses this data folder, then retry the last step.',
  skill: 'Look at the skill: it may need to be installed, enabled, reviewed or fixed.',
  skillFailed: 'Retry the last step. If it fails again, look at the skill.',
  guardrails: 'Change the message, or what the guardrails do about a finding.',
  denied: 'Say in the message what should be done instead.',
  askedAgain: 'Retry the last step, and look at the question again.',
  link: 'Open the full link that the terminal printed.',
  invalidPolicy: 'The people who manage this computer have to correct its policy.',
  managed:
    'Your organization set this. Choose something that it allows, or ask the people who manage this computer.',
});

export type RemedyName = keyof typeof remedyStrings;

/** The buttons that lead to a remedy. */
export const remedyActionStrings = inLanguage('remedyActionStrings', {
  editMessage: 'Edit the message',
  chooseModel: 'Choose another model',
  modelSettings: modelStrings.openSettings,
  setupCheck: modelStrings.setupCheck,
  network: 'Open network settings',
  search: 'Open search settings',
  images: 'Open picture settings',
  library: 'Open library settings',
  guardrails: 'Open guardrail settings',
  data: 'Open data settings',
  connectors: 'Open connectors',
  skills: 'Open skills',
});
