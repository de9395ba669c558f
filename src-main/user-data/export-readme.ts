import { makeVisible } from '#contract/visible-text.ts';
import type { LeftOutReason } from '../sandbox/workspace/hostile-tree.ts';

/** A file that is not in the export, or not all of it. */
export interface LeftOutFile {
  readonly path: string;
  readonly reason: LeftOutReason | 'cut_short';
}

const REASONS: Readonly<Record<LeftOutFile['reason'], string>> = {
  link: 'a link; what it leads to is not followed',
  not_a_file: 'a device, pipe or socket',
  unreadable: 'it could not be read',
  mostly_empty: 'it claims a size that it does not use on the disk',
  too_deep: 'nested in too many folders, with everything below it',
  too_many: 'too many files; the rest of this task is missing',
  cut_short: 'it changed or failed while it was read; this is its beginning',
};

/** What the export contains and what not, in words, for a user who opens it years later. */
export function exportReadme({
  left,
  leftOut,
  models,
}: {
  readonly left: readonly LeftOutFile[];
  /** How many there are; `left` has the first ones. */
  readonly leftOut: number;
  readonly models: { readonly bytes: number; readonly files: number };
}): string {
  const lines = left.map(({ path, reason }) => `  ${makeVisible(path)}: ${REASONS[reason]}`);
  const more = leftOut > left.length ? [`  … and ${leftOut - left.length} more`] : [];
  return `${[
    'HyperAgent: export of all data',
    '',
    'tasks/            One folder for each task:',
    '  conversation.md   the conversation, to read',
    '  task.json         the task and its messages',
    '  runs/             every run with all its events; "Import run" in the settings shows it again',
    '  files/            the files of the task, attached ones included; empty folders are left out',
    'library/          For each folder of the library: the list of its documents, and their texts.',
    '                  The documents themselves are in your own folders.',
    'skills/           your skills',
    'connectors/       your connectors (MCP servers):',
    '  mcp.json          their configurations, which this app and most others can import',
    '  files/            what they wrote into folders of their own',
    'prompts.json      your prompts',
    'rules.json        your approval rules',
    'settings.json     your settings',
    '',
    'Not in this export:',
    '- API keys. They are never exported. In texts, keys are replaced by "[redacted: …]". Files of tasks are',
    '  copied as they are: a key that you or the agent wrote into one is still in it.',
    '- Sign-ins that you saved for the browser, or made for connectors. They are never exported.',
    `- Variables and headers of connectors that are stored encrypted: \${NAME} stands in their place.`,
    `- Downloaded models: ${models.files} files, ${(models.bytes / 1e9).toFixed(1)} GB. You can download them again.`,
    '- Earlier versions of files, backups of the database, logs, crash dumps, and what the app can make again.',
    ...(leftOut === 0 ? [] : ['', `Files that are not in this export, or not whole (${leftOut}):`]),
    ...[...lines, ...more],
  ].join('\n')}\n`;
}
