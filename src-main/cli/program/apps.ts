import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** `hyperagent apps …` */
export function addApps(program: Command, environment: CliEnvironment, report: Report): void {
  const apps = program.command('apps').description('Build and download the app of a task');
  const command = (name: string, description: string): Command =>
    apps
      .command(name)
      .description(description)
      .argument('<task>', 'id of the task')
      .addOption(dataDir());
  const load = () => import('../commands/apps.ts');
  command('zip', 'Write the project as a zip file, with a README that says how to run it')
    .argument('<file>', 'where to write it')
    .addOption(json('print one JSON object'))
    .action(async (threadId, file, flags) =>
      report(await (await load()).zipApp({ threadId, file }, flags, environment)),
    );
  command('build', 'Build the app for production, start what was built, and look at its page')
    .argument('[file]', 'write the built files as a zip file')
    .addOption(json('print the build as a JSON object'))
    .action(async (threadId, file, flags) =>
      report(await (await load()).buildApp({ threadId, file }, flags, environment)),
    );
}
