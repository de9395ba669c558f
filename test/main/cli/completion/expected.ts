import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { describeProgram } from '#main/cli/command-tree.ts';
import { completionScript } from '#main/cli/completion/completion-script.ts';
import type { CliEnvironment } from '#main/cli/environment.ts';
import { createProgram } from '#main/cli/program/create-program.ts';
import type { Shell } from '#main/cli/program/shell-integration.ts';

const RESOURCES = join(import.meta.dirname, '../../../../resources/completion');

const environment: CliEnvironment = {
  version: '1.2.3',
  rendererDir: '/nowhere',
  loadCompose: () => Promise.reject(new Error('Completion opens no app')),
};

/** The CLI with all commands, as its help texts show them. */
export const realProgram = (): Command => createProgram(environment, () => undefined);

export const scriptOf = (shell: Shell, program: Command): string =>
  completionScript(shell, describeProgram(program), RESOURCES);

export interface Named {
  readonly name: string;
  readonly description: string;
}

/** What commander's own help shows of one command. */
export interface HelpOfCommand {
  /** Such as `hyperagent runs export`. */
  readonly line: string;
  readonly commands: readonly Named[];
  readonly options: readonly Named[];
  /** Options and arguments with choices: what is typed before the value, and the choices. */
  readonly values: readonly { readonly typed: string; readonly choices: readonly string[] }[];
}

/** All commands of a program, read from commander itself and not from what the scripts are made of. */
export function helpOf(command: Command, line: string = command.name()): HelpOfCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const ofOptions = options.flatMap(({ long = '', argChoices }) =>
    argChoices === undefined ? [] : [{ typed: long, choices: argChoices }],
  );
  const ofArguments = command.registeredArguments.flatMap(({ argChoices }, index) =>
    argChoices === undefined ? [] : [{ typed: 'x '.repeat(index).trim(), choices: argChoices }],
  );
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
  return [
    {
      line,
      commands: commands.map((one) => ({
        name: one.name(),
        description: oneLine(one.description()),
      })),
      options: options.flatMap(({ short, long, description }) =>
        [short, long].flatMap((name) =>
          name === undefined ? [] : [{ name, description: oneLine(description) }],
        ),
      ),
      values: [...ofOptions, ...ofArguments],
    },
    ...commands.flatMap((one) => helpOf(one, `${line} ${one.name()}`)),
  ];
}

/** Every character that means something to a shell or to roff, and commands that would leave a file. */
export const HOSTILE_TEXT = [
  `It's "so" \`touch ran1\` $(touch ran2); touch ran3 # [x]:y {z} <w> | & \\ \\n \\' %F{red} %d`,
  `* ? ~ ! ^ ’; New-Item ran4; ‘ @SLOTS@ $& $1 --end`,
  '.so /etc/passwd',
  `'br`,
].join('\n');

export const HOSTILE_CHOICES = [
  "it's",
  'a b',
  '$(touch ran5)',
  '`touch ran6`',
  'x:y',
  'k=v',
  'back\\slash',
  '"dq"',
  '*',
  '[q]',
] as const;

/** A program whose every text is hostile. */
export function hostileProgram(): Command {
  const program = new Command('hyperagent').description(HOSTILE_TEXT).version('1.0.0');
  program
    .command('go')
    .description(HOSTILE_TEXT)
    .alias('g')
    .addArgument(new Argument('<what>', HOSTILE_TEXT).choices(HOSTILE_CHOICES))
    .addOption(new Option('-p, --pick <one>', `pick ${HOSTILE_TEXT}`).choices(HOSTILE_CHOICES))
    .option('--many <words...>', `many ${HOSTILE_TEXT}`)
    .option('--perhaps [word]', `perhaps ${HOSTILE_TEXT}`)
    .addHelpText('after', HOSTILE_TEXT)
    .action(() => undefined);
  program.command('pack:all').description('colon').option('--only', 'one');
  program.command('secret', { hidden: true }).description('not shown');
  return program;
}
