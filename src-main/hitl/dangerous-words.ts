import { posix } from 'node:path';

interface Dangers {
  /** Options of one dash and one letter, which may be combined (`-rf`) or joined with their value (`-ofile`). */
  readonly letters?: string;
  /** Exact words: options of one dash and a name, subcommands. */
  readonly words?: readonly string[];
  /** Options of two dashes; abbreviations count too, as most programs accept them. */
  readonly long?: readonly string[];
}

/**
 * Options by which harmless-looking programs run others, read settings from elsewhere, delete, or send
 * files away; from their manuals. Options not listed here may still do harm: a rule about the words of a
 * command means trust in that program.
 */
const DANGERS: Readonly<Record<string, Dangers>> = {
  awk: { letters: 'fei', long: ['--file', '--exec', '--include', '--load', '--source'] },
  chmod: { letters: 'R', long: ['--recursive'] },
  chown: { letters: 'R', long: ['--recursive'] },
  curl: {
    letters: 'oOKTdFwx',
    long: [
      ...['--output', '--remote-name', '--config', '--upload-file', '--data', '--json', '--form'],
      ...['--unix-socket', '--abstract-unix-socket', '--proxy', '--preproxy', '--write-out'],
    ],
  },
  fd: { letters: 'xX', long: ['--exec', '--exec-batch'] },
  find: {
    words: [
      ...['-delete', '-exec', '-execdir', '-ok', '-okdir'],
      ...['-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from'],
    ],
  },
  git: {
    letters: 'cCOxufD',
    words: [
      ...['config', 'submodule', 'bisect', 'filter-branch', 'difftool', 'mergetool', 'hook'],
      ...['clean', 'credential', 'daemon', 'instaweb', 'send-email', 'web--browse', 'worktree'],
    ],
    long: [
      ...['--exec-path', '--config-env', '--config', '--exec', '--upload-pack', '--receive-pack'],
      ...['--git-dir', '--work-tree', '--ext-diff', '--textconv', '--open-files-in-pager'],
      ...['--output', '--template', '--force', '--mirror', '--delete', '--hard', '--paginate'],
      ...['--extcmd', '--gpg-sign', '--editor', '--recurse-submodules', '--separate-git-dir'],
    ],
  },
  less: { letters: 'kotTO', long: ['--lesskey-file', '--log-file', '--tag'] },
  make: {
    letters: 'fCIE',
    long: ['--file', '--makefile', '--directory', '--eval', '--include-dir'],
  },
  man: { letters: 'PCH', long: ['--pager', '--config-file', '--html'] },
  mv: { letters: 'f', long: ['--force'] },
  node: {
    letters: 'epr',
    long: ['--eval', '--print', '--require', '--import', '--loader', '--experimental-loader'],
  },
  npm: {
    words: ['exec', 'x', 'explore', 'config', 'set', 'publish', 'link'],
    long: ['--script-shell', '--prefix', '--registry', '--userconfig', '--globalconfig'],
  },
  perl: { letters: 'eEMmiI' },
  pip: {
    letters: 'eirfct',
    long: [
      ...['--editable', '--index-url', '--extra-index-url', '--requirement', '--find-links'],
      ...['--constraint', '--target', '--prefix', '--root', '--global-option', '--config-settings'],
    ],
  },
  python: { letters: 'cm' },
  rg: { long: ['--pre', '--search-zip', '--hostname-bin'] },
  rm: { letters: 'rRf', long: ['--recursive', '--force', '--no-preserve-root'] },
  rsync: {
    letters: 'eM',
    long: ['--rsh', '--rsync-path', '--delete', '--remove-source-files', '--remote-option'],
  },
  scp: { letters: 'oSFDJ' },
  sed: { letters: 'iefs', long: ['--in-place', '--expression', '--file'] },
  sort: { letters: 'oT', long: ['--output', '--compress-program', '--files0-from'] },
  ssh: { letters: 'oFELRDwJ' },
  tar: {
    letters: 'IFxPCu',
    words: ['x', 'xf', 'xvf', 'xzf', 'xvzf', 'xjf', 'xJf'],
    long: [
      ...['--to-command', '--checkpoint-action', '--use-compress-program', '--rsh-command'],
      ...['--remove-files', '--info-script', '--new-volume-script', '--rmt-command', '--extract'],
      ...['--get', '--absolute-names', '--directory', '--unlink-first', '--delete'],
    ],
  },
  wget: {
    letters: 'OePi',
    long: [
      ...['--output-document', '--execute', '--post-file', '--post-data', '--body-file'],
      ...['--body-data', '--use-askpass', '--config', '--input-file', '--directory-prefix'],
    ],
  },
  zip: { letters: 'Tm', words: ['-TT'], long: ['--unzip-command', '--test', '--move'] },
};
const SAME_AS: Readonly<Record<string, string>> = {
  fdfind: 'fd',
  gawk: 'awk',
  gmake: 'make',
  mawk: 'awk',
  pip3: 'pip',
  pnpm: 'npm',
  python3: 'python',
  sftp: 'scp',
};

/** Whether `word` makes a command of `program` do more than its name promises. */
export function isDangerousWord(program: string, word: string): boolean {
  const name = posix.basename(program).toLowerCase();
  const key = SAME_AS[name] ?? name;
  const dangers = Object.hasOwn(DANGERS, key) ? DANGERS[key] : undefined;
  if (dangers === undefined) return false;
  const { letters = '', words = [], long = [] } = dangers;
  if (words.includes(word)) return true;
  if (!word.startsWith('-') || word === '-' || word === '--') return false;
  if (!word.startsWith('--')) return [...letters].some((letter) => word.slice(1).includes(letter));
  const [option = ''] = word.split('=', 1);
  return long.some((known) => known.startsWith(option) || option.startsWith(known));
}
