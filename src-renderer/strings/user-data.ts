import type { StoredKind } from '#contract/user-data.ts';
import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

const kinds: Readonly<Record<StoredKind, string>> = {
  tasks: 'Tasks, settings, rules, keys',
  files: 'Files of tasks',
  history: 'Earlier versions of files',
  attachments: 'Pictures and uploads',
  library: 'Index of the library',
  skills: 'Markdown skills',
  connectors: 'Connectors',
  models: 'Downloaded models',
  backups: 'Backups',
  logs: 'Logs',
  sandbox: 'Sandbox',
  window: 'Storage of the window',
};

/** Everything that the app stored: what it is, its export and its deletion. */
export const userDataStrings = inLanguage('userDataStrings', {
  title: 'Your data',
  kinds,
  files: (count: number) => (count === 1 ? '1 file' : `${formatCount(count)} files`),
  notExported: 'not exported',
  total: 'Total',
  failed: 'What is stored could not be read.',
  export: {
    title: 'Export all data',
    hint: 'One zip file: tasks with their files, texts of the library, skills, connectors, prompts, rules and settings. API keys, secrets of connectors, saved sign-ins and downloaded models are never in it. Files of tasks are copied as they are.',
    keys: (names: string) => `Stored keys, which stay here: ${names}.`,
    start: 'Export…',
    stop: 'Stop the export',
    progress: 'Progress of the export',
    waiting: 'Waiting for the browser',
    running: (done: number, tasks: number, size: string) =>
      `${formatCount(done)} of ${formatCount(tasks)} tasks, ${size}`,
    saved: (file: string, size: string) => `Saved to ${file} (${size}).`,
    downloaded: (size: string) => `Downloaded (${size}).`,
    leftOut: (count: number) =>
      count === 1
        ? '1 file is not in it; README.txt inside names it.'
        : `${formatCount(count)} files are not in it; README.txt inside names them.`,
    cancelled: 'The export was stopped. Its file was removed.',
  },
  remove: {
    title: 'Delete all data',
    hint: 'Tasks and their files, the library index, skills, settings, keys, saved sign-ins, backups and logs. Your own folders are not touched. This cannot be undone.',
    open: 'Delete all data…',
    question: 'Delete all data?',
    text: (folder: string) =>
      `Everything that HyperAgent stored in ${folder} will be deleted, and HyperAgent closes. This cannot be undone. Files there that HyperAgent did not make, and your own folders, stay.`,
    models: (size: string) => `Also delete downloaded models (${size})`,
    /** Must be one of `CONFIRMATION_WORDS`. */
    word: 'delete',
    type: (word: string) => `Type “${word}” to confirm`,
    keep: 'Keep everything',
    confirm: 'Delete everything',
  },
});
