import { Command, Option } from 'commander';
import {
  ReportFormat,
  ResearchDepth,
  ResearchScenario,
  RunMode,
  SearchProviderName,
} from '#contract/vocabulary.ts';
import type { CliEnvironment } from './environment.ts';
import {
  collect,
  parseHttpUrl,
  parseModel,
  parsePort,
  parseResultCount,
  parseWholeNumber,
} from './option-parsers.ts';
import { addLibrary } from './program/library.ts';
import { addRunOptions, dataDir, EXIT_CODES } from './program/run-options.ts';
import { addSkills } from './program/skills.ts';

/** Takes the exit code of the command that ran. */
export type Report = (exitCode: number) => void;

type AddCommand = (program: Command, environment: CliEnvironment, report: Report) => void;

/** The commands, in the order of the help. */
const COMMANDS: ReadonlyMap<string, AddCommand> = new Map([
  ['run', addRun],
  ['resume', addResume],
  ['runs', addRuns],
  ['plan', addPlan],
  ['reports', addReports],
  ['snapshots', addSnapshots],
  ['tools', addTools],
  ['models', addModels],
  ['search', addSearch],
  ['egress', addEgress],
  ['guardrails', addGuardrails],
  ['library', addLibrary],
  ['skills', addSkills],
  ['doctor', addDoctor],
  ['restore', addRestore],
  ['serve', addServe],
]);

/**
 * The CLI for these arguments. What a command needs is loaded when it runs. Where the first
 * argument names a command, that one is made and no other: to make all of them costs every run more than
 * its own takes to be read.
 */
export function createProgram(
  environment: CliEnvironment,
  report: Report,
  argv: readonly string[] = [],
): Command {
  const program = new Command('hyperagent')
    .description('An agent that works in a proved sandbox, with a model on your own machine.')
    .version(environment.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXIT_CODES)
    .helpCommand('help [command]', 'show the help of a command');
  const named = COMMANDS.get(argv[0] ?? '');
  for (const add of named === undefined ? COMMANDS.values() : [named]) {
    add(program, environment, report);
  }
  return program;
}

const json = (description: string): Option => new Option('--json', description);

function addRun(program: Command, environment: CliEnvironment, report: Report): void {
  const run = program
    .command('run')
    .description('Carries out a task and prints what happens.')
    .argument('[prompt]', 'the task, in words')
    .option('--prompt-file <file>', 'read the task from a file; - is standard input')
    .addOption(new Option('--mode <mode>', 'what the task is about').choices(RunMode.options))
    .addOption(
      new Option('--depth <depth>', 'how far research goes').choices(ResearchDepth.options),
    )
    .addOption(
      new Option('--scenario <kind>', 'what kind of sources research wants').choices(
        ResearchScenario.options,
      ),
    );
  addRunOptions(run)
    .addOption(json('print one event a line as JSON, and nothing else, on standard output'))
    .addHelpText('after', EXIT_CODES)
    .action(async (prompt, flags) => {
      const { runTask } = await import('./commands/run.ts');
      report(await runTask(prompt, flags, environment));
    });
}

function addRuns(program: Command, environment: CliEnvironment, report: Report): void {
  const runs = program.command('runs').description('Looks at runs and their questions.');
  const command = (name: string, description: string): Command =>
    runs.command(name).description(description).addOption(dataDir());
  const load = () => import('./commands/runs.ts');
  command('list', 'Lists all runs, newest first.')
    .addOption(json('print one JSON array'))
    .action(async (flags) => report(await (await load()).listRuns(flags, environment)));
  command('show', 'Shows one run with its conversation.')
    .argument('<run>', 'id of the run')
    .addOption(json('print one JSON object'))
    .action(async (id, flags) => report(await (await load()).showRun(id, flags, environment)));
  command('events', 'Prints what a run said, in order.')
    .argument('<run>', 'id of the run')
    .option('--after <seq>', 'only events after this number', parseWholeNumber, 0)
    .addOption(json('print one event a line as JSON'))
    .action(async (id, flags) => report(await (await load()).printEvents(id, flags, environment)));
  command('waiting', 'Shows every question that waits for you, in full.')
    .addOption(json('print one JSON array'))
    .action(async (flags) => report(await (await load()).listWaiting(flags, environment)));
  command('cancel', 'Ends a run that rests.')
    .argument('<run>', 'id of the run')
    .addOption(json('print the run as a JSON object'))
    .action(async (id, flags) => report(await (await load()).cancelRun(id, flags, environment)));
  command('fork', 'Makes a new task with the past of a run up to an event.')
    .argument('<run>', 'id of the run')
    .option('--at <seq>', 'number of the event (default: the last)', parseWholeNumber)
    .addOption(json('print the run and its task as a JSON object'))
    .action(async (id, flags) =>
      report(await (await load()).forkRun({ id, at: flags.at }, flags, environment)),
    );
  command('import', 'Takes an exported run in, to be looked at without a model.')
    .argument('<file>', 'a file that "runs export" wrote')
    .addOption(json('print the run and its task as a JSON object'))
    .action(async (file, flags) =>
      report(await (await load()).importRun(file, flags, environment)),
    );
  command('export', 'Writes a run with its conversation and events to a file.')
    .argument('<run>', 'id of the run')
    .argument('<file>', 'the file to write')
    .addOption(json('print what was written as a JSON object'))
    .action(async (id, file, flags) =>
      report(await (await load()).exportRun({ id, file }, flags, environment)),
    );
}

function addReports(program: Command, environment: CliEnvironment, report: Report): void {
  const reports = program.command('reports').description('Shows and exports reports of research.');
  const command = (name: string, description: string): Command =>
    reports
      .command(name)
      .description(description)
      .argument('<run>', 'id of the run')
      .option('--report <id>', 'which report, where the run has several (default: the newest)')
      .addOption(dataDir());
  const load = () => import('./commands/reports.ts');
  command('show', 'Prints the report of a run as Markdown.').action(async (id, flags) =>
    report(await (await load()).showReport(id, flags, environment)),
  );
  command('export', 'Writes the report of a run to a file.')
    .addOption(
      new Option('--format <format>', 'what it is written as')
        .choices(ReportFormat.options)
        .default('pdf'),
    )
    .option('-o, --output <file>', 'the file to write (default: the name of the report)')
    .addOption(json('print what was written as a JSON object'))
    .action(async (id, flags) => report(await (await load()).exportReport(id, flags, environment)));
}

function addResume(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('resume')
    .description('Lets a run go on that was paused, parked or cut off, and answers what it asks.')
    .argument('<run>', 'id of the run')
    .option(
      '--respond <answer>',
      'ID=approve, deny[:REASON], confirm, skip, select:VALUE, input:TEXT, modify:JSON, happened, not_happened or stop; may be repeated',
      collect,
    )
    .option(
      '--base-url <url>',
      'address of the model server, where it was given for the run',
      parseHttpUrl,
    )
    .option('--api-key-env <var>', "environment variable that holds the server's key")
    .addOption(dataDir())
    .addOption(json('print one event a line as JSON, and open questions the same way'))
    .addHelpText('after', EXIT_CODES)
    .action(async (id, flags) => {
      const { resumeRun } = await import('./commands/resume.ts');
      report(await resumeRun(id, flags, environment));
    });
}

function addPlan(program: Command, environment: CliEnvironment, report: Report): void {
  const plan = program.command('plan').description('Looks at the plan of a run, and changes it.');
  const load = () => import('./commands/plan.ts');
  plan
    .command('show')
    .description('Shows the steps with how far they are and what was checked.')
    .argument('<run>', 'id of the run')
    .addOption(dataDir())
    .addOption(json('print one JSON object, or null for a run without a plan'))
    .action(async (id, flags) => report(await (await load()).showPlan(id, flags, environment)));
  plan
    .command('edit')
    .description(
      'Changes steps that have not begun, also while the app carries the plan out. Drops first, then renames, moves and adds.',
    )
    .argument('<run>', 'id of the run')
    .option('--drop <step>', 'leave a step out; may be repeated', collect)
    .option('--rename <step:title>', 'another title for a step; may be repeated', collect)
    .option('--move <step:position>', 'put a step at a place, from 1; may be repeated', collect)
    .option('--add <title>', 'a step at the end; may be repeated', collect)
    .addOption(dataDir())
    .addOption(json('print the plan as a JSON object'))
    .action(async (id, flags) => report(await (await load()).changePlan(id, flags, environment)));
}

function addSnapshots(program: Command, environment: CliEnvironment, report: Report): void {
  const snapshots = program
    .command('snapshots')
    .description("Looks at earlier states of a task's files, and goes back to one.");
  const load = () => import('./commands/snapshots.ts');
  snapshots
    .command('list')
    .description('Lists the states that can be had back, newest first.')
    .argument('<thread>', 'id of the task')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (id, flags) =>
      report(await (await load()).listSnapshots(id, flags, environment)),
    );
  snapshots
    .command('restore')
    .description('Sets the files of a task back. The present state is kept as a snapshot.')
    .argument('<thread>', 'id of the task')
    .argument('<snapshot>', 'id of the snapshot')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (threadId, snapshotId, flags) =>
      report(await (await load()).restoreSnapshot({ threadId, snapshotId }, flags, environment)),
    );
}

function addTools(program: Command, environment: CliEnvironment, report: Report): void {
  const tools = program.command('tools').description('Looks at what the agent can do.');
  tools
    .command('list')
    .description('Lists the tools with their risk and effect.')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (flags) => {
      const { listTools } = await import('./commands/tools.ts');
      report(await listTools(flags, environment));
    });
}

function addModels(program: Command, environment: CliEnvironment, report: Report): void {
  const models = program.command('models').description('Looks after the models.');
  const load = () => import('./commands/models.ts');
  const command = (name: string, description: string, output: string): Command =>
    models.command(name).description(description).addOption(dataDir()).addOption(json(output));
  const onModel = (name: string, description: string, output: string): Command =>
    command(name, description, output)
      .argument('<model>', 'PROVIDER:NAME, such as ollama:qwen3:8b', parseModel)
      .option('--base-url <url>', 'address of the model server', parseHttpUrl);
  command(
    'list',
    'Lists the models that were found, with what is known of each.',
    'print one JSON array',
  ).action(async (flags) => report(await (await load()).listModels(flags, environment)));
  onModel('show', 'Shows what is known of a model.', 'print one JSON object').action(
    async (model, flags) => report(await (await load()).showModel(model, flags, environment)),
  );
  onModel(
    'check',
    'Sets a model a dozen small tasks and writes its report card.',
    'print one JSON object a line',
  )
    .addHelpText('after', '\nIt takes some minutes. Ctrl+C stops it.')
    .action(async (model, flags) =>
      report(await (await load()).checkModel(model, flags, environment)),
    );
  command(
    'recommend',
    'Says which model to use for each tier, and why.',
    'print one JSON array',
  ).action(async (flags) => report(await (await load()).recommendModels(flags, environment)));
  onModel(
    'pull',
    'Gets a model, or goes on where that was stopped (Ollama).',
    'print one JSON object a line',
  ).action(async (model, flags) =>
    report(await (await load()).pullModel(model, flags, environment)),
  );
  onModel(
    'allow',
    'Lets a local server forward this model to a cloud.',
    'print one JSON object',
  ).action(async (model, flags) =>
    report(await (await load()).allowModel(model, flags, environment)),
  );
}

function addSearch(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('search')
    .description('Searches as the agent would, with what is set up for it.')
    .argument('<query>', 'what to look for')
    .addOption(
      new Option('--provider <name>', 'who is asked (default: from the settings)').choices(
        SearchProviderName.options,
      ),
    )
    .option('--limit <n>', 'how many results at most, 1 to 20', parseResultCount, 8)
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .addHelpText(
      'after',
      '\nKeys come from the desktop app, or from BRAVE_API_KEY, TAVILY_API_KEY, SERPER_API_KEY and OLLAMA_API_KEY.',
    )
    .action(async (query, flags) => {
      const { searchOnce } = await import('./commands/search.ts');
      report(await searchOnce(query, flags, environment));
    });
}

function addEgress(program: Command, environment: CliEnvironment, report: Report): void {
  const egress = program.command('egress').description('Looks at what left this computer.');
  egress
    .command('list')
    .description(
      'Lists every connection that was asked for: when, who, where, how much, and what was denied.',
    )
    .option('--run <run>', 'only those of a run')
    .addOption(dataDir())
    .addOption(json('print one JSON object a line'))
    .action(async (flags) => {
      const { listEgress } = await import('./commands/egress.ts');
      report(await listEgress(flags, environment));
    });
}

function addGuardrails(program: Command, environment: CliEnvironment, report: Report): void {
  const toggle = (flags: string, description: string): Option =>
    new Option(`${flags} <state>`, description).choices(['on', 'off']);
  program
    .command('guardrails')
    .description('Shows what is looked at, and switches what the flash model is asked.')
    .addOption(toggle('--second-opinion', "about calls that leave a task with others' words"))
    .addOption(toggle('--answer-check', 'about abuse, hatred and threats in answers'))
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { showGuardrails } = await import('./commands/guardrails.ts');
      report(await showGuardrails(flags, environment));
    });
}

function addDoctor(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('doctor')
    .description(
      'Looks for models, sandboxes and a browser, and says what to do where one is missing.',
    )
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { examine } = await import('./commands/doctor.ts');
      report(await examine(flags, environment));
    });
}

function addRestore(program: Command, _environment: CliEnvironment, report: Report): void {
  program
    .command('restore')
    .description('Puts the last backup in the place of a damaged database, which is kept.')
    .option('--fresh', 'begin with an empty database instead')
    .option('--yes', 'do not ask')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (flags) => {
      const { restore } = await import('./commands/restore.ts');
      report(await restore(flags));
    });
}

function addServe(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('serve')
    .description('Opens the app in the browser, reachable from this machine only.')
    .option('--port <n>', 'port on 127.0.0.1 (default: any free one)', parsePort, 0)
    .option('--no-open', 'print the address without opening a browser')
    .addOption(dataDir())
    .action(async (flags) => {
      const { serve } = await import('./commands/serve.ts');
      report(await serve(flags, environment));
    });
}
