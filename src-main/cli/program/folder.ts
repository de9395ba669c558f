import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** `hyperagent folder …` */
export function addFolder(program: Command, environment: CliEnvironment, report: Report): void {
  const folder = program
    .command('folder')
    .description('Review and apply what a task changed in the copy of your folder');
  const command = (name: string, description: string): Command =>
    folder
      .command(name)
      .description(description)
      .argument('<thread>', 'id of the task')
      .addOption(dataDir())
      .addOption(json('print one JSON object'));
  const load = () => import('../commands/folder.ts');
  command('show', 'List the files that differ from your folder').action(async (id, flags) =>
    report(await (await load()).showFolder(id, flags, environment)),
  );
  command('diff', 'Show what applying would change in one file')
    .argument('<path>', 'the file, relative to the folder')
    .action(async (threadId, path, flags) =>
      report(await (await load()).diffFolder({ threadId, path }, flags, environment)),
    );
  command('apply', 'Write changes to your folder. They can be undone.')
    .argument(
      '[paths...]',
      'files to write; without them, all but those that you edited meanwhile or that other programs run by themselves',
    )
    .option('--yes', 'skip the confirmation')
    .action(async (threadId, paths, flags) =>
      report(await (await load()).applyFolder({ threadId, paths }, flags, environment)),
    );
  command('undo', 'Take back what was applied last').action(async (id, flags) =>
    report(await (await load()).undoFolder(id, flags, environment)),
  );
}
