import { type Command, Option } from 'commander';
import { DiagnosticsSection } from '#contract/diagnostics.ts';
import type { CliEnvironment } from '../environment.ts';
import { dataDir, type Report } from './run-options.ts';

/** `hyperagent diagnostics` */
export function addDiagnostics(
  program: Command,
  environment: CliEnvironment,
  report: Report,
): void {
  program
    .command('diagnostics')
    .description('Show what to pass on when something fails: versions, setup check, settings, log')
    .option('--output <file>', 'show it, ask, and write it to a new file')
    .addOption(
      new Option('--without <section...>', 'leave out sections').choices(
        DiagnosticsSection.options,
      ),
    )
    .option('--yes', 'with --output: write it without showing it and asking')
    .addOption(dataDir())
    .addHelpText(
      'after',
      '\nSecrets, contents of tasks and your name are removed. Nothing is sent anywhere.',
    )
    .action(async (flags) => {
      const { showDiagnostics } = await import('../commands/diagnostics.ts');
      report(await showDiagnostics(flags, environment));
    });
}
