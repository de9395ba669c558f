import { type Command, Option } from 'commander';
import { FolderAccess } from '#contract/user-folder.ts';
import {
  ApprovalPolicy,
  ExecutionMode,
  NetworkPolicy,
  PolicyLevel,
  SandboxChoice,
} from '#contract/vocabulary.ts';
import { exitCodes } from '../exit-codes.ts';
import { collect, parseHttpUrl, parseModel, parseSeconds } from '../option-parsers.ts';

/** Takes the exit code of the command that ran. */
export type Report = (exitCode: number) => void;

export const EXIT_CODES = exitCodesText();

function exitCodesText(): string {
  const items = exitCodes().map(({ code, meaning }) => `${code} ${meaning}`);
  return `\nExit codes: ${items.slice(0, -1).join(', ')},\n${items.at(-1)}.`;
}

export const dataDir = (): Option =>
  new Option(
    '--data-dir <dir>',
    "data folder (default: HYPERAGENT_DATA_DIR, or the platform's folder for app data)",
  );

export const json = (description: string): Option => new Option('--json', description);

/** When the user is asked. */
export const level = (description: string): Option =>
  new Option('--level <level>', description).choices(PolicyLevel.options);

/** Which model a run uses, what it may do and reach, and who approves its calls. */
export function addRunOptions(command: Command): Command {
  return command
    .option(
      '--model <model>',
      'ollama:NAME, openai-compatible:NAME, PROVIDER:NAME, a tier (max, pro, flash) or demo (default: from the settings)',
      parseModel,
    )
    .option('--base-url <url>', 'address of the model server', parseHttpUrl)
    .option('--api-key-env <var>', "environment variable that holds the server's key")
    .addOption(dataDir())
    .option('--thread <id>', 'continue this task')
    .option('--attach <file>', 'attach a file; may be repeated', collect)
    .option(
      '--folder <dir>',
      'give the task a copy of your folder; you review and apply its changes',
    )
    .addOption(
      new Option(
        '--folder-access <access>',
        'with --folder: read forbids applying changes',
      ).choices(FolderAccess.options),
    )
    .option(
      '--pictures-as-files',
      'attach pictures although the model does not see them: it gets their paths only',
    )
    .addOption(new Option('--sandbox <kind>', 'where code runs').choices(SandboxChoice.options))
    .addOption(
      new Option(
        '--network <policy>',
        'what the task may reach: nothing, listed hosts, or any public host (default: from the settings)',
      ).choices(NetworkPolicy.options),
    )
    .option(
      '--allow-host <host>',
      'with --network allowlist: example.com, *.example.com, example.com:8080 or an address; may be repeated',
      collect,
    )
    .addOption(
      new Option(
        '--execution-mode <mode>',
        'codeact lets the agent write scripts that call its tools',
      ).choices(ExecutionMode.options),
    )
    .addOption(
      level(
        'when this task asks you: every time, only when something leaves the sandbox, or park instead (default: from the settings)',
      ),
    )
    .addOption(
      new Option(
        '--approve <policy>',
        'calls that need approval: ask you, deny all (never), or approve all',
      ).choices(ApprovalPolicy.options),
    )
    .option('--timeout <seconds>', 'stop the run after this many seconds', parseSeconds);
}
