import { type Command, Option } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { parseWholeNumber } from '../option-parsers.ts';

/** `hyperagent library …` */
export function addLibrary(
  program: Command,
  environment: CliEnvironment,
  report: (exitCode: number) => void,
): void {
  const library = program
    .command('library')
    .description('Looks after the folders that research looks things up in.');
  const command = (name: string, description: string, output: string): Command =>
    library
      .command(name)
      .description(description)
      .addOption(
        new Option(
          '--data-dir <dir>',
          'where everything is kept (default: HYPERAGENT_DATA_DIR, else the data folder of the platform)',
        ),
      )
      .addOption(new Option('--json', output));
  const load = () => import('../commands/library.ts');
  command(
    'list',
    'Lists the folders, with what could not be read.',
    'print one JSON object',
  ).action(async (flags) => report(await (await load()).listLibrary(flags, environment)));
  command('add', 'Adds a folder and indexes it.', 'print one JSON object')
    .argument('<path>', 'the folder')
    .action(async (path, flags) =>
      report(await (await load()).addToLibrary(path, flags, environment)),
    );
  command('remove', 'Removes a folder and forgets what is in it.', 'print one JSON object')
    .argument('<path>', 'the folder')
    .action(async (path, flags) =>
      report(await (await load()).removeFromLibrary(path, flags, environment)),
    );
  command('refresh', 'Looks for what changed in all folders.', 'print one JSON object').action(
    async (flags) => report(await (await load()).refreshLibrary(flags, environment)),
  );
  command(
    'search',
    'Finds documents by words, and by meaning where a model was chosen.',
    'print one JSON array',
  )
    .argument('<query>', 'what to look for')
    .option('--limit <n>', 'most documents', parseWholeNumber)
    .action(async (query, flags) =>
      report(await (await load()).searchLibrary(query, flags, environment)),
    );
}
