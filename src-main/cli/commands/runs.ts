import type { Run } from '#contract/entities.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE, RUN_FILE_LIMIT_CHARS } from '#contract/limits.ts';
import { addCosts, NO_COSTS, type RunCosts } from '#contract/run-costs.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { ReportFormat } from '#contract/vocabulary.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { jsonPrinter } from '../printer.ts';
import { describeQuestion } from '../question-text.ts';
import { saveExport } from '../save-export.ts';
import { styleFor } from '../style.ts';
import { textPrinter } from '../text-printer.ts';
import { readFailure, readUserFile } from '../user-file.ts';
import { plainTerminalText, showControls } from '../visible-text.ts';

export interface ReadFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

const openReadOnly = (flags: ReadFlags, environment: CliEnvironment): Promise<App> =>
  openApp(environment, { dataDir: flags.dataDir, attended: false, readOnly: true });

const openWritable = (flags: ReadFlags, environment: CliEnvironment): Promise<App> =>
  openApp(environment, { dataDir: flags.dataDir, attended: false, readOnly: false });

export async function listRuns(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  const runs = app.runs.list();
  if (flags.json) print(jsonLine(runs));
  else if (runs.length === 0) print('No runs yet.\n');
  else for (const run of runs) print(`${describeRun(run)}\n`);
  return EXIT.complete;
}

function describeRun(run: Run): string {
  const when = new Date(run.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const prompt = showControls(run.prompt.replace(/\s+/g, ' ')).slice(0, 80);
  return `${run.id}  ${when}  ${run.status.padEnd(10)}  ${prompt}`;
}

/** As JSON: the run's fields, plus `thread`, `messages` and `costs`. */
export async function showRun(
  id: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  const { run, thread, messages } = readRun(app, id);
  let costs = NO_COSTS;
  for (const event of eventsOf(app, id, 0)) costs = addCosts(costs, event);
  if (flags.json) {
    print(jsonLine({ ...run, thread, messages, costs }));
    return EXIT.complete;
  }
  const { options, error } = run;
  print(`${describeRun(run)}\n`);
  print(`task      ${thread.id}  ${showControls(thread.title)}\n`);
  print(`model     ${options.model.provider}:${options.model.name}\n`);
  print(
    `sandbox   ${options.sandbox}, network ${options.network}, approvals ${options.approve}${thread.level === undefined ? '' : `, ${thread.level}`}\n`,
  );
  print(`events    ${run.lastSeq}\n`);
  print(`requests  ${describeCosts(costs)}\n`);
  if (error !== null) print(`error     ${error.code}: ${showControls(error.message)}\n`);
  for (const message of messages) {
    print(`\n${message.role}:\n${plainTerminalText(message.content)}\n`);
  }
  return EXIT.complete;
}

function describeCosts({ requests, prefixHits, prefixMisses, ...tokens }: RunCosts): string {
  if (requests === 0) return 'none';
  const [first] = prefixMisses;
  const missed =
    first === undefined
      ? ''
      : `; the first that did not differs in round ${first.round} at byte ${first.byte}`;
  return `${requests}, ${tokens.promptTokens} tokens in, ${tokens.completionTokens} tokens out; ${prefixHits} repeated the previous request as a prefix${missed}`;
}

export async function printEvents(
  id: string,
  flags: ReadFlags & { readonly after: number },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  const printer = flags.json
    ? jsonPrinter(print)
    : textPrinter(print, styleFor(process.stdout, process.env));
  for (const event of eventsOf(app, id, flags.after)) printer.print(event);
  printer.finish();
  return EXIT.complete;
}

/** Every open question, with the command that answers it. */
export async function listWaiting(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  const { questions } = app.api['runs.waiting']();
  if (flags.json) {
    print(jsonLine(questions));
    return EXIT.complete;
  }
  if (questions.length === 0) print('No questions are waiting for you.\n');
  for (const question of questions) {
    const { runId, interruptId, threadTitle } = question;
    print(`${runId}  ${interruptId}  ${showControls(threadTitle)}\n`);
    print(`${describeQuestion(question, styleFor(process.stdout, process.env))}\n`);
    print(`  hyperagent resume ${runId} --respond ${interruptId}=${answersTo(question)}\n\n`);
  }
  return EXIT.complete;
}

/** A value written by a model, on one line, so that it cannot imitate our output. */
function onOneLine(value: string): string {
  return makeVisible(value).replaceAll('\n', '⟨U+000A⟩');
}

function answersTo({ kind, options, toolCallId }: WaitingQuestion): string {
  const choices = options.map(({ value }) => `select:${onOneLine(value)}`);
  switch (kind) {
    case 'approval':
      return 'approve|deny:REASON|modify:JSON';
    case 'checkpoint':
      return ['approve', 'deny:REASON', 'modify:JSON', 'input:TEXT', ...choices].join('|');
    case 'confirm':
      return toolCallId === undefined ? 'approve|deny:REASON' : 'approve|deny:REASON|input:TEXT';
    case 'decision':
    case 'input':
      return [...choices, 'input:TEXT', 'skip'].join('|');
  }
}

/** Cancels a paused or parked run. A running one belongs to the process that runs it. */
export async function cancelRun(
  id: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openWritable(flags, environment);
  app.api['runs.cancel']({ runId: id });
  const run = await app.runs.settled(id);
  print(flags.json ? jsonLine(run) : `${describeRun(run)}\n`);
  return EXIT.complete;
}

const FILES = {
  snapshot: 'with the files as they were then',
  today: 'with the current files, because there is no snapshot from then',
} as const;

/** Creates a task with the history of a run up to an event; `hyperagent resume` continues it. */
export async function forkRun(
  { id, at }: { readonly id: string; readonly at: number | undefined },
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openWritable(flags, environment);
  const from = { runId: id, seq: at ?? app.runs.get(id).lastSeq };
  const { run, thread } = await app.api['runs.fork'](from);
  const seq = run.origin?.seq ?? 0;
  print(
    flags.json
      ? jsonLine({ run, thread })
      : `Created ${run.id} from event ${seq} of ${id}, in the task ${thread.id}, ${FILES[run.origin?.files ?? 'today']}. Continue it with: hyperagent resume ${run.id}\n`,
  );
  return EXIT.complete;
}

/** Imports an exported run, to inspect it here or in the window. */
export async function importRun(
  file: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const text = await readRunFile(file);
  await using app = await openWritable(flags, environment);
  const { run, thread } = await app.api['runs.import']({ text });
  print(
    flags.json
      ? jsonLine({ run, thread })
      : `Imported ${run.id} with ${run.lastSeq} events. Show them with: hyperagent runs events ${run.id}\nThe file grants no permissions, and its content is treated as untrusted. Runs that you start from it use your settings.\n`,
  );
  return EXIT.complete;
}

async function readRunFile(file: string): Promise<string> {
  try {
    return (await readUserFile(file, RUN_FILE_LIMIT_CHARS * 4)).toString('utf8');
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${readFailure(error)}. Name a file that "runs export" wrote.`,
    );
  }
}

/** Writes everything about a run to one JSON file, or the conversation of its task in another format. */
export async function exportRun(
  { id, file }: { readonly id: string; readonly file: string },
  flags: ReadFlags & { readonly format: 'json' | ReportFormat },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openReadOnly(flags, environment);
  if (flags.format !== 'json') {
    const { threadId } = app.runs.get(id);
    const { data } = await app.api['threads.export']({ threadId, format: flags.format });
    return await saveExport(
      { file, data, what: 'the conversation', about: { runId: id, threadId } },
      flags,
    );
  }
  await app.exportRun(id, file);
  const events = app.runs.get(id).lastSeq;
  const summary = { runId: id, file, events };
  print(flags.json ? jsonLine(summary) : `Exported ${events} events to ${file}.\n`);
  return EXIT.complete;
}

function readRun({ api, runs }: App, id: string) {
  const run = runs.get(id);
  const { thread, messages } = api['threads.get']({ threadId: run.threadId });
  return { run, thread, messages: messages.filter((message) => message.runId === id) };
}

/** Reads page by page, so that a long run is never in memory as a whole. Throws `NOT_FOUND`. */
function* eventsOf({ runs }: App, id: string, after: number): Generator<RunEvent> {
  runs.get(id);
  for (let last = after; ; ) {
    const page = runs.events(id, last, EVENT_PAGE_SIZE);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < EVENT_PAGE_SIZE) return;
    last = end.seq;
  }
}
