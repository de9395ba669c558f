import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../run-cli.ts';
import {
  HOSTILE_CHOICES,
  HOSTILE_TEXT,
  helpOf,
  hostileProgram,
  type Named,
  realProgram,
  scriptOf,
} from './expected.ts';
import { readPowershellTables } from './powershell-tables.ts';
import {
  argumentsOfTyped,
  type Candidate,
  canType,
  completionsOf,
  type RunnableShell,
  SHELL_IS_HERE,
  shellNote,
  testFolder,
} from './shells.ts';

const SHELLS: readonly RunnableShell[] = ['bash', 'zsh', 'fish'];

/** Without quotes of the shell, in any order: each sorts in its own way, and zsh groups. */
const namesIn = (candidates: readonly Candidate[] = []): string[] =>
  [...new Set(candidates.map(({ name }) => name))].sort();
const names = (all: readonly Named[]): string[] => all.map(({ name }) => name).sort();
const byName = (all: readonly Named[]): Named[] =>
  all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** A folder with files to complete. */
function folderWithFiles(): string {
  const folder = testFolder();
  mkdirSync(join(folder, 'a folder'));
  for (const file of ['my file.csv', 'notes.md', 'run']) writeFileSync(join(folder, file), '');
  return folder;
}

for (const shell of SHELLS) {
  const needsTerminal = shell === 'zsh' && !canType;
  describe.skipIf(!SHELL_IS_HERE[shell] || needsTerminal)(`in ${shell}${shellNote(shell)}`, () => {
    const ask = (lines: readonly string[], cwd: string, program = realProgram()) =>
      completionsOf(shell, lines, { script: scriptOf(shell, program), cwd });

    it('every command and option of the help texts is offered, with its description', async () => {
      const commands = helpOf(realProgram());
      expect(commands.length).toBeGreaterThan(80);
      const found = await ask(
        commands.flatMap(({ line }) => [`${line} `, `${line} -`, `${line} --`]),
        testFolder(),
      );
      const groups = commands.filter((one) => one.commands.length > 0);
      expect(groups.map(({ line }) => [line, namesIn(found.get(`${line} `))])).toEqual(
        groups.map((one) => [one.line, names(one.commands)]),
      );
      expect(commands.map(({ line }) => [line, namesIn(found.get(`${line} -`))])).toEqual(
        commands.map((one) => [one.line, names(one.options)]),
      );
      if (shell === 'bash') return;
      const isLong = ({ name }: Named): boolean => name.startsWith('--');
      expect(commands.map(({ line }) => byName(found.get(`${line} --`) ?? []))).toEqual(
        commands.map((one) => byName(one.options.filter(isLong))),
      );
      expect(groups.map(({ line }) => byName(found.get(`${line} `) ?? []))).toEqual(
        groups.map((one) => byName(one.commands)),
      );
    });

    it('every choice of an option or argument is offered as its value', async () => {
      const values = helpOf(realProgram()).flatMap((one) =>
        one.values.flatMap(({ typed, choices }) => {
          const line = `${one.line} ${typed}`.trimEnd();
          const after = [{ line: `${line} `, choices: [...choices].sort() }];
          if (!typed.startsWith('--')) return after;
          // In fish a candidate is the whole word.
          const whole = choices.map((choice) => (shell === 'fish' ? `${typed}=${choice}` : choice));
          return [...after, { line: `${line}=`, choices: whole.sort() }];
        }),
      );
      expect(values.length).toBeGreaterThan(40);
      const found = await ask(
        values.map(({ line }) => line),
        testFolder(),
      );
      expect(values.map(({ line }) => [line, namesIn(found.get(line))])).toEqual(
        values.map(({ line, choices }) => [line, choices]),
      );
    });

    it('what follows depends on what is before the cursor', async () => {
      const whole = (name: string): string[] => [shell === 'fish' ? `--level=${name}` : name];
      const all = ['--data-dir', '--help', '--json', '-h'];
      const expected: Readonly<Record<string, readonly string[]>> = {
        'hyperagent ru': ['run', 'runs'],
        'hyperagent runs ex': ['export'],
        'hyperagent runs export --fo': ['--format'],
        'hyperagent run --level=ask_on': whole('ask_on_exit'),
        // The value of an option is no command, and no option.
        'hyperagent run --thread runs --sandbox d': ['docker'],
        'hyperagent run --model ollama:qwen3:8b --sandbox d': ['docker'],
        'hyperagent run --level=unattended --sandb': ['--sandbox'],
        // All words after an option with many values are its values, up to the next option.
        'hyperagent mcp tools NAME --on one two --of': ['--off'],
        'hyperagent mcp tools NAME --on one ': [],
        // Ids and numbers are not known.
        'hyperagent runs show ': [],
        'hyperagent runs fork RUN --at ': [],
        'hyperagent models thinking ollama:qwen3:8b a': ['auto'],
        // Options are shown by themselves where nothing else can follow.
        'hyperagent runs list ': all,
        'hyperagent runs show RUN ': all,
        'hyperagent run -- -': [],
        'hyperagent nonsense ': ['--help', '--version', '-V', '-h'],
        'hyperagent help ru': ['run', 'runs'],
        'hyperagent mcp help sign': ['sign-in', 'sign-out'],
      };
      const found = await ask(Object.keys(expected), folderWithFiles());
      const foundNames = [...found].map(([line, candidates]) => [line, namesIn(candidates)]);
      expect(Object.fromEntries(foundNames)).toEqual(expected);
    });

    it('files are offered where a file is taken, folders where a folder is', async () => {
      const folders = [
        'hyperagent run --folder ',
        'hyperagent skills validate ',
        'hyperagent runs list --data-dir=',
      ];
      const files = [
        'hyperagent run --attach ',
        'hyperagent runs export RUN ',
        'hyperagent mcp import ',
      ];
      const found = await ask([...files, ...folders], folderWithFiles());
      const plain = (line: string): string[] =>
        namesIn(found.get(line)).map((name) => name.replace(/\\|\/$|^--data-dir=/g, ''));
      expect(files.map(plain)).toEqual(
        files.map(() => ['a folder', 'my file.csv', 'notes.md', 'run']),
      );
      expect(folders.map(plain)).toEqual(folders.map(() => ['a folder']));
    });

    it('hostile descriptions and choices are shown as they are, and nothing of them is run', async () => {
      const cwd = testFolder();
      const line = 'hyperagent go ';
      const found = await ask(
        [
          'hyperagent ',
          line,
          `${line}--`,
          `${line}--pick `,
          'hyperagent g -',
          'hyperagent pack:all --o',
        ],
        cwd,
        hostileProgram(),
      );
      const description = `pick ${HOSTILE_TEXT.replaceAll('\n', ' ')}`;
      // Bash and zsh note what they insert, with quotes.
      const plain = (key: string): string[] =>
        namesIn(found.get(key)).map((name) =>
          shell === 'fish' ? name : name.replace(/\\(.)/g, '$1'),
        );
      expect(plain('hyperagent ').sort()).toEqual(['g', 'go', 'help', 'pack:all']);
      expect(plain('hyperagent pack:all --o')).toEqual(['--only']);
      expect(plain(line).sort()).toEqual([...HOSTILE_CHOICES].sort());
      expect(plain(`${line}--pick `).sort()).toEqual([...HOSTILE_CHOICES].sort());
      expect(plain('hyperagent g -')).toContain('-p');
      if (shell !== 'bash') {
        expect(found.get(`${line}--`)?.find(({ name }) => name === '--pick')).toEqual({
          name: '--pick',
          description,
        });
      }
      expect(readdirSync(cwd)).toEqual([]);
    });

    it.skipIf(!canType)(
      'Tab at a terminal completes the word, with the quotes that it needs',
      async () => {
        const cwd = folderWithFiles();
        const typed = [
          ['hyperagent skil\tvali\ta\t', ['skills', 'validate', 'a folder/']],
          ['hyperagent run --sandb\tdo\t', ['run', '--sandbox', 'docker']],
          ['hyperagent run --sandbox=do\t', ['run', '--sandbox=docker']],
          ['hyperagent run --attach my\t', ['run', '--attach', 'my file.csv']],
          ['hyperagent run --attach=my\t', ['run', '--attach=my file.csv']],
        ] as const;
        const lines = typed.map(([line]) => line);
        const withoutSlash = (all: readonly (readonly string[])[]): string[][] =>
          all.map((words) => words.map((word) => word.replace(/\/$/, '')));
        const got = await argumentsOfTyped(shell, lines, {
          script: scriptOf(shell, realProgram()),
          cwd,
        });
        expect(withoutSlash(got)).toEqual(withoutSlash(typed.map(([, words]) => words)));
      },
    );

    it.skipIf(!canType)(
      'Tab inserts a hostile choice so that it arrives as one argument',
      async () => {
        const cwd = testFolder();
        const typed = [
          ['hyperagent go it\t', ["it's"]],
          ['hyperagent go a\t', ['a b']],
          ['hyperagent go --pick x:\t', ['x:y']],
          ['hyperagent go --pick=k=\t', ['k=v']],
          ['hyperagent go ba\t', ['back\\slash']],
        ] as const;
        const lines = typed.map(([line]) => line);
        const got = await argumentsOfTyped(shell, lines, {
          script: scriptOf(shell, hostileProgram()),
          cwd,
        });
        expect(got.map((words) => words.at(-1)?.replace(/^--pick=/, ''))).toEqual(
          typed.map(([, words]) => words[0]),
        );
        expect(readdirSync(cwd)).toEqual([]);
      },
    );
  });
}

// PowerShell cannot be installed here: its script was never run. What the tables say is read as PowerShell reads it.
describe('the script for PowerShell, which is read and not run', () => {
  it('has every command, option and choice of the help texts', () => {
    const { subcommands, flags, slots } = readPowershellTables(
      scriptOf('powershell', realProgram()),
    );
    const commands = helpOf(realProgram());
    const keyOf = (line: string): string => line.replace(/^hyperagent ?/, '');
    const groups = commands.filter((one) => one.commands.length > 0);
    const flagged = commands.filter((one) => one.options.length > 0);
    expect(Object.fromEntries(subcommands)).toEqual(
      Object.fromEntries(groups.map((one) => [keyOf(one.line), one.commands])),
    );
    expect(Object.fromEntries(flags)).toEqual(
      Object.fromEntries(flagged.map((one) => [keyOf(one.line), one.options])),
    );
    const values = commands.flatMap(({ line, values }) =>
      values.map(({ typed, choices }) => {
        const key = typed.startsWith('--')
          ? typed
          : String(typed.split(' ').filter(Boolean).length + 1);
        return [`${keyOf(line)} ${key}`, choices] as const;
      }),
    );
    expect(values.map(([key]) => [key, slots.get(key)?.slice(2)])).toEqual(values);
    expect(slots.get('run --attach')).toEqual(['one', 'files']);
    expect(slots.get('skills validate 1')).toEqual(['one', 'folders']);
  });

  it('keeps every hostile text inside its quotes', () => {
    const { flags, slots } = readPowershellTables(scriptOf('powershell', hostileProgram()));
    expect(flags.get('go')).toContainEqual({
      name: '--pick',
      description: `pick ${HOSTILE_TEXT.replaceAll('\n', ' ')}`,
    });
    expect(slots.get('go 1')).toEqual(['one', 'words', ...HOSTILE_CHOICES]);
    expect(slots.get('g --many')).toEqual(['many', 'anything']);
    expect(slots.get('go --perhaps')).toEqual(['maybe', 'anything']);
  });
});

describe('hyperagent completion', () => {
  it('prints the script, and touches no data folder', async () => {
    const dataDir = join(testFolder(), 'data');
    const { code, stdout, stderr } = await runCli(['completion', 'fish'], {
      env: { HYPERAGENT_DATA_DIR: dataDir },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(scriptOf('fish', realProgram()));
    expect(existsSync(dataDir)).toBe(false);
  });

  it('refuses an unknown shell as any bad input, and names the known ones', async () => {
    const { code, stdout, stderr } = await runCli(['completion', 'tcsh']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      "hyperagent: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish, powershell.\n",
    );
  });

  it('says how to install the script for each shell', async () => {
    const { stdout } = await runCli(['completion', '--help']);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      expect(stdout).toContain(`\n  ${shell.padEnd(12)}hyperagent completion ${shell} >`);
    }
  });
});
