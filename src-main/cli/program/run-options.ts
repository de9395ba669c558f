import { type Command, Option } from 'commander';
import {
  ApprovalPolicy,
  ExecutionMode,
  NetworkPolicy,
  SandboxChoice,
} from '#contract/vocabulary.ts';
import { collect, parseHttpUrl, parseModel, parseSeconds } from '../option-parsers.ts';

export const EXIT_CODES = `
Exit codes: 0 complete, 1 failed, 2 usage, 3 waiting for a person, 4 answered but not verified,
130 cancelled by Ctrl+C.`;

export const dataDir = (): Option =>
  new Option(
    '--data-dir <dir>',
    'where everything is kept (default: HYPERAGENT_DATA_DIR, else the data folder of the platform)',
  );

/** Which model a run has, what it may do and reach, and who answers for it. */
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
    .option('--thread <id>', 'go on with this task')
    .option('--attach <file>', 'give the task a file; may be repeated', collect)
    .addOption(new Option('--sandbox <kind>', 'where code runs').choices(SandboxChoice.options))
    .addOption(
      new Option(
        '--network <policy>',
        'what the task may reach: nothing, the hosts of a list, or anything public (default: from the settings)',
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
      new Option(
        '--approve <policy>',
        'who answers for risky calls: ask you, never, or all are approved',
      ).choices(ApprovalPolicy.options),
    )
    .option('--timeout <seconds>', 'end the run after this time', parseSeconds);
}
