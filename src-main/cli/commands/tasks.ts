import type { Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import { TASK_QUERY_CHARS, TASK_RESULTS_LIMIT, type TaskHit } from '#contract/task-search.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { type Style, styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';

interface TaskFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** The tasks, or the archived ones. */
export async function listTasks(
  flags: TaskFlags & { readonly archived?: boolean },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, true);
  const { threads } = app.api['threads.list']({});
  const shown = threads
    .filter(({ archivedAt }) => (archivedAt !== null) === (flags.archived === true))
    .sort((a, b) => Number(b.pinnedAt !== null) - Number(a.pinnedAt !== null));
  if (flags.json) print(jsonLine(shown));
  else if (shown.length === 0) print(flags.archived ? 'No archived tasks.\n' : 'No tasks yet.\n');
  else for (const thread of shown) print(`${describe(thread)}\n`);
  return EXIT.complete;
}

/** Prints where the words occur. Indexes first what is not indexed, unless another process works on the folder. */
export async function searchTasks(
  words: string,
  flags: TaskFlags & { readonly limit: number },
  environment: CliEnvironment,
): Promise<number> {
  const query = words.trim();
  if (query === '' || query.length > TASK_QUERY_CHARS) {
    throw new UsageError(`Name one or more words, with at most ${TASK_QUERY_CHARS} characters.`);
  }
  if (flags.limit < 1 || flags.limit > TASK_RESULTS_LIMIT) {
    throw new UsageError(`--limit takes a number from 1 to ${TASK_RESULTS_LIMIT}.`);
  }
  await completeIndex(flags, environment);
  await using app = await open(flags, environment, true);
  const found = app.api['threads.search']({ query, limit: flags.limit });
  if (flags.json) print(jsonLine(found));
  else printFound(found);
  return EXIT.complete;
}

/** The files of a task, by path, below the folder that they are in. */
export async function listFiles(
  threadId: string,
  flags: TaskFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, true);
  const found = await app.api['files.list']({ threadId });
  if (flags.json) {
    print(jsonLine(found));
    return EXIT.complete;
  }
  print(`${showControls(found.folder)}\n`);
  for (const { path, kind, size } of found.entries) {
    if (kind === 'file') print(`  ${showControls(path)}  ${size} bytes\n`);
  }
  if (found.truncated) print('Not all files are listed.\n');
  return EXIT.complete;
}

async function completeIndex(flags: TaskFlags, environment: CliEnvironment): Promise<void> {
  {
    await using reader = await open(flags, environment, true);
    if (reader.taskIndex.left === 0) return;
  }
  try {
    await using app = await open(flags, environment, false);
    await app.taskIndex.settled();
  } catch (error) {
    // The app is open; it indexes in the background.
    if (!(error instanceof AppError && error.code === 'DATA_DIR_IN_USE')) throw error;
  }
}

function printFound({ results, notIndexed }: RequestOutput<'threads.search'>): void {
  const style = styleFor(process.stdout, process.env);
  if (results.length === 0) print('No tasks found.\n');
  for (const { thread, hits } of results) {
    print(`${describe(thread)}\n`);
    for (const hit of hits)
      print(`    ${hit.runId}  ${hit.kind.padEnd(7)}  ${marked(hit, style)}\n`);
  }
  if (notIndexed > 0) {
    printError(`${notIndexed} runs are not indexed yet; the open app continues with it.\n`);
  }
}

/** The excerpt with its matches in bold. */
function marked({ excerpt, marks }: TaskHit, style: Style): string {
  let text = '';
  let end = 0;
  for (const [from, to] of marks) {
    text +=
      showControls(excerpt.slice(end, from)) + style.bold(showControls(excerpt.slice(from, to)));
    end = to;
  }
  return text + showControls(excerpt.slice(end));
}

/** Pins or archives a task, or takes that back. */
export async function markTask(
  wanted: RequestInput<'threads.mark'>,
  flags: TaskFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, false);
  const { thread } = app.api['threads.mark'](wanted);
  print(flags.json ? jsonLine(thread) : `${describe(thread)}\n`);
  return EXIT.complete;
}

function describe({ id, title, updatedAt, status, pinnedAt, archivedAt }: Thread): string {
  const when = new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ');
  const mark = archivedAt !== null ? '  archived' : pinnedAt !== null ? '  pinned' : '';
  return `${id}  ${when}  ${(status ?? '').padEnd(10)}  ${showControls(title)}${mark}`;
}

function open(flags: TaskFlags, environment: CliEnvironment, readOnly: boolean): Promise<App> {
  return openApp(environment, { dataDir: flags.dataDir, attended: false, readOnly });
}
