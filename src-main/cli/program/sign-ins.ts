import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** The sign-ins of the browser that the user saved by name. */
export function addSignIns(program: Command, environment: CliEnvironment, report: Report): void {
  const signIns = program
    .command('sign-ins')
    .description('List and delete the sign-ins that you saved for the browser of tasks');
  signIns
    .command('list')
    .description('List them: name, site, when each was saved and last used')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (flags) => {
      const { listSignIns } = await import('../commands/sign-ins.ts');
      report(await listSignIns(flags, environment));
    });
  signIns
    .command('delete')
    .description('Delete one. Tasks where it is in use stay signed in.')
    .argument('<name>', 'its name or id')
    .option('--yes', 'skip the confirmation')
    .addOption(dataDir())
    .addOption(json('print the deleted one as a JSON object'))
    .action(async (name, flags) => {
      const { deleteSignIn } = await import('../commands/sign-ins.ts');
      report(await deleteSignIn(name, flags, environment));
    });
}
