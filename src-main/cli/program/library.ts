import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { parseWholeNumber } from '../option-parsers.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** `hyperagent library …` */
export function addLibrary(program: Command, environment: CliEnvironment, report: Report): void {
  const library = program
    .command('library')
    .description('Manage the folders that research can search');
  const command = (name: string, description: string, output: string): Command =>
    library.command(name).description(description).addOption(dataDir()).addOption(json(output));
  const load = () => import('../commands/library.ts');
  command(
    'list',
    'List the folders and the files that could not be read',
    'print one JSON object',
  ).action(async (flags) => report(await (await load()).listLibrary(flags, environment)));
  command('add', 'Add a folder and index it', 'print one JSON object')
    .argument('<path>', 'the folder')
    .action(async (path, flags) =>
      report(await (await load()).addToLibrary(path, flags, environment)),
    );
  command('remove', 'Remove a folder and delete its index', 'print one JSON object')
    .argument('<path>', 'the folder')
    .action(async (path, flags) =>
      report(await (await load()).removeFromLibrary(path, flags, environment)),
    );
  command('refresh', 'Scan all folders for changes', 'print one JSON object').action(
    async (flags) => report(await (await load()).refreshLibrary(flags, environment)),
  );
  command(
    'search',
    'Search documents by words, and by meaning if an embedding model is set',
    'print one JSON array',
  )
    .argument('<query>', 'what to look for')
    .option('--limit <n>', 'maximum number of documents', parseWholeNumber)
    .action(async (query, flags) =>
      report(await (await load()).searchLibrary(query, flags, environment)),
    );
}
