import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Run } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { App, AppServices } from '../../ipc/types.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonPrinter } from '../printer.ts';
import { styleFor } from '../style.ts';
import { textPrinter } from '../text-printer.ts';
import { plainTerminalText, showControls } from '../visible-text.ts';

export interface LookFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

const openToLook = (flags: LookFlags, environment: CliEnvironment): Promise<App> =>
  openApp(environment, { dataDir: flags.dataDir, attended: false, readOnly: true });

const write = (text: string): void => void process.stdout.write(text);

export async function listRuns(flags: LookFlags, environment: CliEnvironment): Promise<number> {
  await using app = await openToLook(flags, environment);
  const runs = app.services.runs.list();
  if (flags.json) write(`${JSON.stringify(runs)}\n`);
  else if (runs.length === 0) write('There are no runs yet.\n');
  else for (const run of runs) write(`${describeRun(run)}\n`);
  return EXIT.complete;
}

function describeRun(run: Run): string {
  const when = new Date(run.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const prompt = showControls(run.prompt.replace(/\s+/g, ' ')).slice(0, 80);
  return `${run.id}  ${when}  ${run.status.padEnd(10)}  ${prompt}`;
}

/** As JSON: the run's own fields, with `thread` and `messages` beside them. */
export async function showRun(
  id: string,
  flags: LookFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openToLook(flags, environment);
  const { run, thread, messages } = readRun(app.services, id);
  if (flags.json) {
    write(`${JSON.stringify({ ...run, thread, messages })}\n`);
    return EXIT.complete;
  }
  const { options, error } = run;
  write(`${describeRun(run)}\n`);
  write(`task      ${thread.id}  ${showControls(thread.title)}\n`);
  write(`model     ${options.model.provider}:${options.model.name}\n`);
  write(`sandbox   ${options.sandbox}, network ${options.network}, approvals ${options.approve}\n`);
  write(`events    ${run.lastSeq}\n`);
  if (error !== null) write(`error     ${error.code}: ${showControls(error.message)}\n`);
  for (const message of messages) {
    write(`\n${message.role}:\n${plainTerminalText(message.content)}\n`);
  }
  return EXIT.complete;
}

export async function printEvents(
  id: string,
  flags: LookFlags & { readonly after: number },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openToLook(flags, environment);
  const printer = flags.json
    ? jsonPrinter(write)
    : textPrinter(write, styleFor(process.stdout, process.env));
  for (const event of eventsOf(app.services, id, flags.after)) printer.print(event);
  printer.finish();
  return EXIT.complete;
}

/** Everything about a run in one JSON file. An existing file is replaced only by a whole one. */
export async function exportRun(
  { id, file }: { readonly id: string; readonly file: string },
  flags: LookFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openToLook(flags, environment);
  const { lastSeq } = app.services.runs.get(id);
  const pieces = Readable.from(exportPieces(app.services, id));
  if (file === '-') {
    await pipeline(pieces, process.stdout, { end: false });
    return EXIT.complete;
  }
  const partial = `${file}.partial`;
  try {
    await pipeline(pieces, createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw new UsageError(`${file} cannot be written: ${(cause as Error).message}`);
  }
  const summary = { runId: id, file, events: lastSeq };
  write(flags.json ? `${JSON.stringify(summary)}\n` : `${lastSeq} events are in ${file}.\n`);
  return EXIT.complete;
}

function* exportPieces(services: AppServices, id: string): Generator<string> {
  const head = { format: 'hyperagent-run', version: 1, ...readRun(services, id) };
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  let separator = '\n';
  for (const event of eventsOf(services, id, 0)) {
    yield `${separator}${JSON.stringify(event)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

function readRun(services: AppServices, id: string) {
  const run = services.runs.get(id);
  const { thread, messages } = services.threads.get(run.threadId);
  return { run, thread, messages: messages.filter((message) => message.runId === id) };
}

/** Page by page, so that a long run is never in memory as a whole. Throws `NOT_FOUND` first. */
function* eventsOf({ runs }: AppServices, id: string, after: number): Generator<RunEvent> {
  runs.get(id);
  for (let last = after; ; ) {
    const page = runs.events(id, last, EVENT_PAGE_SIZE);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < EVENT_PAGE_SIZE) return;
    last = end.seq;
  }
}
