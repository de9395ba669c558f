import { basename } from 'node:path/posix';
import { hasKeys } from '../../base/key-files.ts';
import type { ProjectManifest } from '../project-folder.ts';

export interface ReadmeParts {
  readonly name: string;
  /** Null for pages without a project. */
  readonly manifest: ProjectManifest | null;
  readonly leftOut: readonly string[];
}

const SCRIPTS = [
  { script: 'dev', does: 'starts it, and reloads it as you change its files' },
  { script: 'build', does: 'builds it for production' },
  { script: 'preview', does: 'serves what was built' },
  { script: 'start', does: 'starts it' },
  { script: 'test', does: 'runs its tests' },
];

/** How to run a project that was downloaded, as Markdown. */
export function projectReadme({ name, manifest, leftOut }: ReadmeParts): string {
  const lines = [`# ${name}`, '', ...howToRun(manifest), ''];
  const secrets = leftOut.filter((file) => hasKeys(basename(file)) && !/\p{Cc}/u.test(file));
  if (secrets.length > 0) {
    const named = secrets.map((file) => `\`${file.replaceAll('`', '')}\``).join(', ');
    lines.push(
      `Settings and keys are not in this download: ${named}. Write your own before you start it.`,
      '',
    );
  }
  return lines.join('\n');
}

function howToRun(manifest: ProjectManifest | null): string[] {
  const block = (command: string): string[] => ['```sh', command, '```'];
  if (manifest === null) {
    return ['Serve this folder, and open the address that is printed:', '', ...block('npx serve')];
  }
  const known = SCRIPTS.filter(({ script }) => manifest.scripts?.[script] != null);
  const [first] = known;
  const run = first === undefined ? [] : [`npm run ${first.script}`];
  return [
    'You need [Node.js](https://nodejs.org) 22 or newer. Then, in this folder:',
    '',
    ...block(['npm install', ...run].join('\n')),
    ...(known.length === 0 ? [] : ['']),
    ...known.map(({ script, does }) => `- \`npm run ${script}\` ${does}.`),
  ];
}
