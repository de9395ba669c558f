/** Folders of skills, and what is wrong with them. `link:` in place of content makes a link to what follows. */
export interface SkillCase {
  readonly what: string;
  /** Of the folder. */
  readonly name: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
}
export const skillFile = (front: string, body = 'Do it well.\n'): string =>
  `---\n${front}---\n${body}`;
export const front = (name: string, more = ''): string =>
  `name: ${name}\ndescription: Does it.\n${more}`;
export const plain = (
  name: string,
  more = '',
  body?: string,
): Readonly<Record<string, string>> => ({
  'SKILL.md': skillFile(front(name, more), body),
});
export const steps = (list: string): string => `# How\n\n## Steps\n\n${list}\n`;

export const VALID: readonly SkillCase[] = [
  { what: 'the least that there can be', name: 'a', files: plain('a') },
  { what: 'digits and hyphens', name: 'pdf-2-text', files: plain('pdf-2-text') },
  { what: 'a digit first', name: '3d-print', files: plain('3d-print') },
  { what: 'a name as long as it may be', name: 'a'.repeat(64), files: plain('a'.repeat(64)) },
  {
    what: 'a description as long as it may be',
    name: 'long',
    files: { 'SKILL.md': skillFile(`name: long\ndescription: ${'d'.repeat(1_024)}\n`) },
  },
  {
    what: 'all fields',
    name: 'all',
    files: plain(
      'all',
      'license: Apache-2.0\ncompatibility: Needs git\nmetadata:\n  category: code\n  tags: [a, b]\n  version: "2.1"\n  author: somebody\nallowed-tools: Bash(git:*) Read\n',
    ),
  },
  {
    what: 'tools as a list',
    name: 'list',
    files: plain('list', 'allowed-tools:\n  - Read\n  - WebSearch\n'),
  },
  {
    what: 'tools of this app',
    name: 'ours',
    files: plain('ours', 'allowed-tools: execute_code, web_search\n'),
  },
  {
    what: 'lines that end as on Windows',
    name: 'crlf',
    files: { 'SKILL.md': skillFile(front('crlf')).replaceAll('\n', '\r\n') },
  },
  {
    what: 'a mark of the order of bytes',
    name: 'bom',
    files: { 'SKILL.md': `\ufeff${skillFile(front('bom'))}` },
  },
  {
    what: 'a description over lines',
    name: 'folded',
    files: { 'SKILL.md': skillFile('name: folded\ndescription: >\n  Does it\n  over lines.\n') },
  },
  {
    what: 'scripts and pictures',
    name: 'scripts',
    files: {
      ...plain('scripts'),
      'scripts/a.py': 'print(1)\n',
      'assets/a.png': Buffer.from([0x89, 0x50, 0, 1]),
    },
  },
  {
    what: 'steps with a link, a call and a checkpoint',
    name: 'steps',
    files: {
      ...plain(
        'steps',
        '',
        steps('1. **One** [it](sub/one.md)\n2. call → two\n3. `checkpoint: ok` (optional)'),
      ),
      ...{ 'sub/one.md': '1\n', 'sub/two.md': '2\n' },
    },
  },
  {
    what: 'steps under Workflow, and an example in a fence',
    name: 'flow',
    files: plain('flow', '', '```\n## Steps\n1. [no](no.md)\n```\n## Workflow\n1. Do it.\n'),
  },
  {
    what: 'emoji with joiners, and a flag of a region',
    name: 'emoji',
    files: plain('emoji', '', 'A 👩‍💻 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☎️ ❤️.\n'),
  },
  {
    what: 'Persian with joiners, and Chinese',
    name: 'scripts-of-the-world',
    files: plain('scripts-of-the-world', '', 'می‌خواهم 中文\n'),
  },
  {
    what: 'notes of version control',
    name: 'git',
    files: { ...plain('git'), '.git/config': '[core]\n', '.DS_Store': 'x' },
  },
];
