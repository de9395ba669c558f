import type { Command } from 'commander';
import { TASK_RESULTS_LIMIT } from '#contract/task-search.ts';
import type { CliEnvironment } from '../environment.ts';
import { parseWholeNumber } from '../option-parsers.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** `hyperagent tasks …` */
export function addTasks(program: Command, environment: CliEnvironment, report: Report): void {
  const tasks = program
    .command('tasks')
    .description('List, search, pin and archive tasks, and list their files');
  const command = (name: string, description: string): Command =>
    tasks.command(name).description(description).addOption(dataDir());
  const load = () => import('../commands/tasks.ts');
  command('list', 'List the tasks: pinned ones first, then the newest')
    .option('--archived', 'list the archived tasks instead')
    .addOption(json('print one JSON array'))
    .action(async (flags) => report(await (await load()).listTasks(flags, environment)));
  command('search', 'Search the words of all tasks: messages, answers, commands and their outputs')
    .argument('<words...>', 'what to search for')
    .option('--limit <count>', 'maximum tasks', parseWholeNumber, TASK_RESULTS_LIMIT)
    .addOption(json('print one JSON object: the results, and how much is not indexed yet'))
    .action(async (words: string[], flags) =>
      report(await (await load()).searchTasks(words.join(' '), flags, environment)),
    );
  command('files', 'List the files of a task, and the folder where other editors find them')
    .argument('<task>', 'id of the task')
    .addOption(json('print one JSON object'))
    .action(async (id, flags) => report(await (await load()).listFiles(id, flags, environment)));
  for (const { name, mark, on, description } of MARKS) {
    command(name, description)
      .argument('<task>', 'id of the task')
      .addOption(json('print the task as a JSON object'))
      .action(async (threadId, flags) =>
        report(await (await load()).markTask({ threadId, mark, on }, flags, environment)),
      );
  }
}

const MARKS = [
  { name: 'pin', mark: 'pinned', on: true, description: 'Show a task above the others' },
  { name: 'unpin', mark: 'pinned', on: false, description: 'Show a task by its age again' },
  {
    name: 'archive',
    mark: 'archived',
    on: true,
    description: 'Hide a task; searches still find it',
  },
  { name: 'unarchive', mark: 'archived', on: false, description: 'Show a task in the list again' },
] as const;
