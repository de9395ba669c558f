import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

const entries = (size: number): string =>
  `${formatCount(size)} ${size === 1 ? 'entry' : 'entries'}`;

/** The computer panel: terminal and files. */
export const computerStrings = inLanguage('computerStrings', {
  label: 'Computer',
  terminal: 'Terminal',
  files: 'Files',
  run: (index: number, count: number) => `Run ${index} of ${count}`,
  runLabel: 'Commands from',
  noCommands: 'Commands and their output appear here.',
  noFiles: 'Files of this task appear here.',
  noTask: 'Start a task to see its computer.',
  terminalLabel: 'Commands and their output, read-only',
  failed: 'Could not load the files.',
  refresh: 'Refresh',
  tree: 'Workspace',
  truncatedList: 'Not all files are listed.',
  download: 'Download',
  back: 'All files',
  toChat: 'Back to the conversation',
  truncated: 'Only the beginning is shown.',
  binary: 'This file cannot be previewed. Download it to open it.',
  asTable: 'Table',
  asTree: 'Tree',
  asText: 'Text',
  jsonObject: (size: number) => `{${entries(size)}}`,
  jsonList: (size: number) => `[${entries(size)}]`,
  jsonMore: (left: number) => `Show more (${formatCount(left)} left)`,
  jsonFault: (line: number, column: number) =>
    `Not valid JSON: line ${formatCount(line)}, column ${formatCount(column)}.`,
  tableRows: (shown: number) => `First ${formatCount(shown)} rows`,
  created: 'new',
  modified: 'changed',
  byOneOf: (calls: number) => `By one of ${calls} calls that ran at the same time`,
  dropped: 'Older output was dropped. The run log has all of it.',
  exit: (code: number, time: string) => `exit ${code}, ${time}`,
  history: 'File history',
});

/** Background programs of the sandbox. */
export const programStrings = inLanguage('programStrings', {
  label: 'Background programs',
  title: (count: number): string =>
    `${count} ${count === 1 ? 'program' : 'programs'} running in the background`,
  unknown: 'Programs may be running in the background. This sandbox does not report them.',
  since: (time: string, pid: number): string => `since ${time}, pid ${pid}`,
  end: 'Stop all',
});
