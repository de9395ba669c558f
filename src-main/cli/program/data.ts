import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** `hyperagent data …` */
export function addData(program: Command, environment: CliEnvironment, report: Report): void {
  const data = program
    .command('data')
    .description('Show, export or delete everything that is stored');
  const command = (name: string, description: string): Command =>
    data.command(name).description(description).addOption(dataDir());
  const load = () => import('../commands/data.ts');
  command('show', 'Show what is stored, where, and how large it is')
    .addOption(json('print one JSON object'))
    .action(async (flags) => report(await (await load()).showData(flags, environment)));
  command('export', 'Write tasks with their files, library, skills and settings to a zip file')
    .argument('<file>', 'where to write it')
    .addHelpText('after', '\nAPI keys and downloaded models are not exported.')
    .addOption(json('print one JSON object'))
    .action(async (file: string, flags) =>
      report(await (await load()).exportData(file, flags, environment)),
    );
  command('delete', 'Delete everything that the app stored: tasks, files, library, keys, settings')
    .option('--models', 'delete downloaded models as well')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', '\nYour own folders, also those given to tasks, are not touched.')
    .addOption(json('print one JSON object'))
    .action(async (flags) => report(await (await load()).deleteData(flags)));
}
