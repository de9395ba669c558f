import { type Command, Option } from 'commander';
import { ReportFormat, ResearchDepth, ResearchScenario, RunMode } from '#contract/vocabulary.ts';
import type { CliEnvironment } from '../environment.ts';
import { collect, parseHttpUrl, parseMode, parseWholeNumber } from '../option-parsers.ts';
import { addRunOptions, dataDir, EXIT_CODES, json, level, type Report } from './run-options.ts';

/** `hyperagent run` */
export function addRun(program: Command, environment: CliEnvironment, report: Report): void {
  const run = program
    .command('run')
    .description('Run a task and print its progress')
    .argument('[prompt]', 'the task, in your own words')
    .option('--prompt-file <file>', 'read the task from a file, or from standard input with -')
    .addOption(
      // The names of earlier versions are accepted as well.
      new Option('--mode <mode>', 'kind of task').choices(RunMode.options).argParser(parseMode),
    )
    .addOption(
      new Option('--depth <depth>', 'how thorough research is').choices(ResearchDepth.options),
    )
    .addOption(
      new Option('--scenario <kind>', 'kind of sources that research prefers').choices(
        ResearchScenario.options,
      ),
    );
  addRunOptions(run)
    .addOption(json('print one JSON event per line, and nothing else, on standard output'))
    .addHelpText('after', EXIT_CODES)
    .action(async (prompt, flags) => {
      const { runTask } = await import('../commands/run.ts');
      report(await runTask(prompt, flags, environment));
    });
}

/** `hyperagent resume` */
export function addResume(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('resume')
    .description('Resume a run that was paused, parked or interrupted, and answer its questions')
    .argument('<run>', 'id of the run')
    .option(
      '--respond <answer>',
      'ID=approve, deny[:REASON], confirm, skip, select:VALUE, input:TEXT, modify:JSON, happened, not_happened or stop; may be repeated',
      collect,
    )
    .addOption(level('when the task asks you from now on'))
    .option(
      '--base-url <url>',
      'address of the model server, if the run was started with one',
      parseHttpUrl,
    )
    .option('--api-key-env <var>', "environment variable that holds the server's key")
    .addOption(dataDir())
    .addOption(json('print one JSON object per line: events and open questions'))
    .addHelpText('after', EXIT_CODES)
    .action(async (id, flags) => {
      const { resumeRun } = await import('../commands/resume.ts');
      report(await resumeRun(id, flags, environment));
    });
}

/** `hyperagent runs …` */
export function addRuns(program: Command, environment: CliEnvironment, report: Report): void {
  const runs = program.command('runs').description('Inspect and manage runs and their questions');
  const command = (name: string, description: string): Command =>
    runs.command(name).description(description).addOption(dataDir());
  const load = () => import('../commands/runs.ts');
  command('list', 'List all runs, newest first')
    .addOption(json('print one JSON array'))
    .action(async (flags) => report(await (await load()).listRuns(flags, environment)));
  command('show', 'Show a run with its conversation')
    .argument('<run>', 'id of the run')
    .addOption(json('print one JSON object'))
    .action(async (id, flags) => report(await (await load()).showRun(id, flags, environment)));
  command('events', 'Print the events of a run, in order')
    .argument('<run>', 'id of the run')
    .option('--after <seq>', 'only events after this number', parseWholeNumber, 0)
    .addOption(json('print one JSON event per line'))
    .action(async (id, flags) => report(await (await load()).printEvents(id, flags, environment)));
  command('waiting', 'Show every question that waits for your answer, in full')
    .addOption(json('print one JSON array'))
    .action(async (flags) => report(await (await load()).listWaiting(flags, environment)));
  command('cancel', 'Cancel a paused or parked run')
    .argument('<run>', 'id of the run')
    .addOption(json('print the run as a JSON object'))
    .action(async (id, flags) => report(await (await load()).cancelRun(id, flags, environment)));
  command('fork', 'Create a new task with the history of a run up to an event')
    .argument('<run>', 'id of the run')
    .option('--at <seq>', 'number of the event (default: the last)', parseWholeNumber)
    .addOption(json('print the run and its task as a JSON object'))
    .action(async (id, flags) =>
      report(await (await load()).forkRun({ id, at: flags.at }, flags, environment)),
    );
  command('import', 'Import an exported run to inspect it without a model')
    .argument('<file>', 'a file that "runs export" wrote')
    .addOption(json('print the run and its task as a JSON object'))
    .action(async (file, flags) =>
      report(await (await load()).importRun(file, flags, environment)),
    );
  command('export', 'Export a run with its events, or the conversation of its task, to a file')
    .argument('<run>', 'id of the run')
    .argument('<file>', 'the file to write')
    .addOption(
      new Option('--format <format>', 'json: the run, for "runs import"; others: the conversation')
        .choices(['json', ...ReportFormat.options])
        .default('json'),
    )
    .addOption(json('print a summary as a JSON object'))
    .action(async (id, file, flags) =>
      report(await (await load()).exportRun({ id, file }, flags, environment)),
    );
}

/** `hyperagent plan …` */
export function addPlan(program: Command, environment: CliEnvironment, report: Report): void {
  const plan = program.command('plan').description('Show or edit the plan of a run');
  const load = () => import('../commands/plan.ts');
  plan
    .command('show')
    .description('Show the steps with their status and checks')
    .argument('<run>', 'id of the run')
    .addOption(dataDir())
    .addOption(json('print one JSON object, or null for a run without a plan'))
    .action(async (id, flags) => report(await (await load()).showPlan(id, flags, environment)));
  plan
    .command('edit')
    .description(
      'Edit pending steps, even while the app runs the plan. Applies drops first, then renames, moves and additions.',
    )
    .argument('<run>', 'id of the run')
    .option('--drop <step>', 'remove a step; may be repeated', collect)
    .option('--rename <step:title>', 'rename a step; may be repeated', collect)
    .option(
      '--move <step:position>',
      'move a step to a position, counted from 1; may be repeated',
      collect,
    )
    .option('--add <title>', 'add a step at the end; may be repeated', collect)
    .addOption(dataDir())
    .addOption(json('print the plan as a JSON object'))
    .action(async (id, flags) => report(await (await load()).changePlan(id, flags, environment)));
}

/** `hyperagent reports …` */
export function addReports(program: Command, environment: CliEnvironment, report: Report): void {
  const reports = program.command('reports').description('Show and export research reports');
  const command = (name: string, description: string): Command =>
    reports
      .command(name)
      .description(description)
      .argument('<run>', 'id of the run')
      .option('--report <id>', 'which report, if the run has several (default: the newest)')
      .addOption(dataDir());
  const load = () => import('../commands/reports.ts');
  command('show', 'Print the report of a run as Markdown').action(async (id, flags) =>
    report(await (await load()).showReport(id, flags, environment)),
  );
  command('export', 'Export the report of a run to a file')
    .addOption(
      new Option('--format <format>', 'file format').choices(ReportFormat.options).default('pdf'),
    )
    .option('-o, --output <file>', 'the file to write (default: the name of the report)')
    .addOption(json('print a summary as a JSON object'))
    .action(async (id, flags) => report(await (await load()).exportReport(id, flags, environment)));
}

/** `hyperagent snapshots …` */
export function addSnapshots(program: Command, environment: CliEnvironment, report: Report): void {
  const snapshots = program
    .command('snapshots')
    .description("List, compare and restore earlier versions of a task's files");
  const load = () => import('../commands/snapshots.ts');
  snapshots
    .command('list')
    .description('List the snapshots of a task, newest first')
    .argument('<thread>', 'id of the task')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (id, flags) =>
      report(await (await load()).listSnapshots(id, flags, environment)),
    );
  snapshots
    .command('diff')
    .description('List what a snapshot changed since the one before, or show the lines of one file')
    .argument('<thread>', 'id of the task')
    .argument('<snapshot>', 'id of the snapshot')
    .argument('[path]', 'the file, relative to the workspace')
    .option('--since <snapshot>', 'compare with this snapshot instead')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (threadId, snapshotId, path, flags) =>
      report(await (await load()).diffSnapshot({ threadId, snapshotId, path }, flags, environment)),
    );
  snapshots
    .command('restore')
    .description("Restore a task's files from a snapshot. The current files become a new snapshot.")
    .argument('<thread>', 'id of the task')
    .argument('<snapshot>', 'id of the snapshot')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (threadId, snapshotId, flags) =>
      report(await (await load()).restoreSnapshot({ threadId, snapshotId }, flags, environment)),
    );
}
