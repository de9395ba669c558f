import { type Command, Option } from 'commander';
import { ARTIFACT_PAGE_SIZE, ArtifactKind } from '#contract/artifacts.ts';
import type { CliEnvironment } from '../environment.ts';
import { parseWholeNumber } from '../option-parsers.ts';
import { dataDir, json, type Report } from './run-options.ts';

const DEFAULT_LIMIT = 50;

/** `hyperagent artifacts` */
export function addArtifacts(program: Command, environment: CliEnvironment, report: Report): void {
  program
    .command('artifacts')
    .description('List the files that the agent made in all tasks, newest first')
    .argument('[words...]', 'only files whose path contains all of these words')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(ArtifactKind.options))
    .option('--task <task>', 'only files of this task')
    .option(
      '--limit <n>',
      `maximum number of files, 1 to ${ARTIFACT_PAGE_SIZE}`,
      parseWholeNumber,
      DEFAULT_LIMIT,
    )
    .option(
      '--before <id>',
      'the next page: only files before the one with this id',
      parseWholeNumber,
    )
    .addOption(dataDir())
    .addOption(
      json('print one JSON object: the files, and the id for --before, or null at the end'),
    )
    .action(async (words: string[], flags) => {
      const { listArtifacts } = await import('../commands/artifacts.ts');
      report(await listArtifacts(words.join(' '), flags, environment));
    });
}
