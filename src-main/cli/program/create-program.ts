import { Command, Option } from 'commander';
import { SEARCH_KEYS, SearchProviderName } from '#contract/search.ts';
import type { CliEnvironment } from '../environment.ts';
import { parseModel, parsePort, parseResultCount, parseSha256 } from '../option-parsers.ts';
import { addApps } from './apps.ts';
import { addArtifacts } from './artifacts.ts';
import { addConnectors } from './connectors.ts';
import { addData } from './data.ts';
import { addDiagnostics } from './diagnostics.ts';
import { addFolder } from './folder.ts';
import { addLibrary } from './library.ts';
import { addModels } from './models.ts';
import { dataDir, EXIT_CODES, json, level, type Report } from './run-options.ts';
import { addPlan, addReports, addResume, addRun, addRuns, addSnapshots } from './runs.ts';
import { addCompletion, addMan } from './shell-integration.ts';
import { addSignIns } from './sign-ins.ts';
import { addSkills } from './skills.ts';
import { addTasks } from './tasks.ts';

type AddCommand = (program: Command, environment: CliEnvironment, report: Report) => void;

/** The commands, in the order of the help text. */
const COMMANDS: ReadonlyMap<string, AddCommand> = new Map([
  ['run', addRun],
  ['resume', addResume],
  ['runs', addRuns],
  ['plan', addPlan],
  ['reports', addReports],
  ['snapshots', addSnapshots],
  ['tasks', addTasks],
  ['artifacts', addArtifacts],
  ['apps', addApps],
  ['usage', addUsage],
  ['folder', addFolder],
  ['tools', addTools],
  ['models', addModels],
  ['search', addSearch],
  ['egress', addEgress],
  ['approvals', addApprovals],
  ['instructions', addInstructions],
  ['guardrails', addGuardrails],
  ['library', addLibrary],
  ['skills', addSkills],
  ['setup', addSetup],
  ['doctor', addDoctor],
  ['diagnostics', addDiagnostics],
  ['mcp', addConnectors],
  ['sign-ins', addSignIns],
  ['restore', addRestore],
  ['data', addData],
  ['serve', addServe],
  ['completion', addShellCompletion],
  ['man', addManPage],
]);

/**
 * The CLI for these arguments. Each command loads its modules when it runs. If the first argument
 * names a command, only that command is built: building all of them takes longer than parsing one.
 */
export function createProgram(
  environment: CliEnvironment,
  report: Report,
  argv: readonly string[] = [],
): Command {
  const program = new Command('hyperagent')
    .description(
      'An AI agent that runs code in a verified sandbox, with a model on your own machine',
    )
    .version(environment.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXIT_CODES)
    .helpCommand('help [command]', 'Show help for a command');
  const named = COMMANDS.get(argv[0] ?? '');
  for (const add of named === undefined ? COMMANDS.values() : [named]) {
    add(program, environment, report);
  }
  return program;
}

function addUsage(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('usage')
    .description('Show tokens and time by model, in the last 30 days and in all')
    .option('--task <task>', 'only of this task')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { showUsage } = await import('../commands/usage.ts');
      report(await showUsage(flags, environment));
    });
}

function addTools(program: Command, environment: CliEnvironment, report: Report): void {
  const tools = program.command('tools').description('Show what the agent can do');
  tools
    .command('list')
    .description('List the tools with their risk and effect')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (flags) => {
      const { listTools } = await import('../commands/tools.ts');
      report(await listTools(flags, environment));
    });
}

function addSearch(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('search')
    .description('Search the web with the same providers as the agent')
    .argument('<query>', 'what to look for')
    .addOption(
      new Option('--provider <name>', 'search provider (default: from the settings)').choices(
        SearchProviderName.options,
      ),
    )
    .option('--limit <n>', 'maximum number of results, 1 to 20', parseResultCount, 8)
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .addHelpText(
      'after',
      `\nAPI keys come from the desktop app, or from ${SEARCH_KEYS.map(({ variables }) => variables[0]).join(', ')}.`,
    )
    .action(async (query, flags) => {
      const { searchOnce } = await import('../commands/search.ts');
      report(await searchOnce(query, flags, environment));
    });
}

function addEgress(program: Command, environment: CliEnvironment, report: Report): void {
  const egress = program.command('egress').description('Show network connections');
  egress
    .command('list')
    .description(
      'List every requested connection, allowed or denied: time, origin, destination and size',
    )
    .option('--run <run>', 'only connections of this run')
    .addOption(dataDir())
    .addOption(json('print one JSON object per line'))
    .action(async (flags) => {
      const { listEgress } = await import('../commands/egress.ts');
      report(await listEgress(flags, environment));
    });
}

function addApprovals(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('approvals')
    .description(
      'Show when you are asked, and choose it for all tasks without a choice of their own',
    )
    .addOption(
      level(
        'every time, only when something leaves the sandbox, or park the run instead of asking',
      ),
    )
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { showApprovals } = await import('../commands/approvals.ts');
      report(await showApprovals(flags, environment));
    });
}

function addInstructions(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('instructions')
    .description('Show what the agent should always know or do, or write it')
    .option('--set <text>', 'from now on, every new task gets this; "" for nothing')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { showInstructions } = await import('../commands/instructions.ts');
      report(await showInstructions(flags, environment));
    });
}

function addGuardrails(program: Command, environment: CliEnvironment, report: Report): void {
  const toggle = (flags: string, description: string): Option =>
    new Option(`${flags} <state>`, description).choices(['on', 'off']);
  program
    .command('guardrails')
    .description('Show the guardrails, and turn the checks by the flash model on or off')
    .addOption(
      toggle('--second-opinion', 'check outgoing calls of tasks that contain untrusted text'),
    )
    .addOption(toggle('--answer-check', 'check answers for abuse, hate and threats'))
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { showGuardrails } = await import('../commands/guardrails.ts');
      report(await showGuardrails(flags, environment));
    });
}

function addSetup(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('setup')
    .description('Choose a model, or get one, and check that a task could run')
    .option('--yes', 'do not ask: keep the chosen model, else take the first choice')
    .option('--model <model>', 'make this the default model', parseModel)
    .option('--download <model>', 'download qwen3-4b and so on, an address, or a Hugging Face file')
    .option('--sha256 <hash>', 'the hash that the downloaded file must have', parseSha256)
    .addOption(level('when you are asked from now on'))
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { runSetup } = await import('../commands/setup.ts');
      report(await runSetup(flags, environment));
    });
}

function addDoctor(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('doctor')
    .description('Check the setup: models, sandboxes and a browser, and how to fix what is missing')
    .option('--policy', 'show what the policy of this computer holds, or what is wrong with it')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      if (flags.policy === true) {
        const { showPolicy } = await import('../commands/policy.ts');
        report(showPolicy(flags, environment));
        return;
      }
      const { runDoctor } = await import('../commands/doctor.ts');
      report(await runDoctor(flags, environment));
    });
}

function addRestore(program: Command, _environment: CliEnvironment, report: Report): void {
  program
    .command('restore')
    .description('Replace a damaged database with the last backup. The damaged file is kept.')
    .option('--fresh', 'start with an empty database instead')
    .option('--yes', 'skip the confirmation')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { restore } = await import('../commands/restore.ts');
      report(await restore(flags));
    });
}

function addServe(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('serve')
    .description('Open the app in the browser. Only this machine can reach it.')
    .option('--port <n>', 'port on 127.0.0.1 (default: any free port)', parsePort, 0)
    .option('--no-open', 'print the address without opening a browser')
    .addOption(dataDir())
    .action(async (flags) => {
      const { serve } = await import('../commands/serve.ts');
      report(await serve(flags, environment));
    });
}

function addShellCompletion(program: Command, environment: CliEnvironment, report: Report): void {
  addCompletion(program, report, () => createProgram(environment, report));
}

function addManPage(program: Command, environment: CliEnvironment, report: Report): void {
  addMan(program, report, () => createProgram(environment, report));
}
