import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import type { Api } from '../../api/create-api.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, exitCodeOfRun } from '../exit-codes.ts';
import { followRun, reportEnd } from '../follow-run.ts';
import { Interruption } from '../interruption.ts';
import { modelOverrides, type OverrideFlags } from '../model-overrides.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { jsonPrinter, type Printer } from '../printer.ts';
import { describeQuestion } from '../question-text.ts';
import { type AnswerOption, parseAnswer, toResponse } from '../respond-option.ts';
import { styleFor } from '../style.ts';
import { textPrinter } from '../text-printer.ts';

export interface ResumeFlags extends OverrideFlags {
  readonly respond?: readonly string[];
  readonly level?: PolicyLevel;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/**
 * `hyperagent resume`: answers a run's questions and resumes it, in this process or in the app that is
 * running on the same data.
 */
export async function resumeRun(
  runId: string,
  flags: ResumeFlags,
  environment: CliEnvironment,
): Promise<number> {
  const answers = (flags.respond ?? []).map(parseAnswer);
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const overrides = modelOverrides(flags);
  const interruption = new Interruption();
  const open = (secondary: boolean): Promise<App> =>
    openApp(environment, {
      dataDir: flags.dataDir,
      attended,
      readOnly: false,
      secondary,
      modelOverrides: overrides,
    });
  try {
    await using app = await open(false).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'DATA_DIR_IN_USE') return null;
      throw error;
    });
    if (app === null) {
      await using secondary = await open(true);
      return await resumeInOwner(runId, answers, { app: secondary, flags, interruption });
    }
    return await resumeHere(runId, answers, { app, flags, interruption, attended });
  } finally {
    interruption.dispose();
  }
}

interface Resuming {
  readonly app: App;
  readonly flags: ResumeFlags;
  readonly interruption: Interruption;
}

async function resumeHere(
  runId: string,
  answers: readonly AnswerOption[],
  { app, flags, interruption, attended }: Resuming & { readonly attended: boolean },
): Promise<number> {
  const { api, runs } = app;
  const before = runs.get(runId);
  setLevel(before, flags, api);
  submitAnswers(runId, answers, api);
  if (!attended && openQuestions(runId, api).length > 0)
    return printWaiting(runs.get(runId), api, flags);
  if (!runs.isActive(runId)) api['runs.resume']({ runId });
  const json = flags.json === true;
  const ended = await followRun(before, before.lastSeq, { app, json, interruption, attended });
  if (ended.status === 'waiting') return printWaiting(ended, api, flags);
  reportEnd(ended, { json });
  return interruption.exitCode ?? exitCodeOfRun(ended.status);
}

/** The running app resumes the run; it reads the answers from disk. */
async function resumeInOwner(
  runId: string,
  answers: readonly AnswerOption[],
  { app, flags, interruption }: Resuming,
): Promise<number> {
  const { api, runs } = app;
  const before = runs.get(runId);
  setLevel(before, flags, api);
  submitAnswers(runId, answers, api);
  if (openQuestions(runId, api).length > 0) return printWaiting(before, api, flags);
  const printer = flags.json
    ? jsonPrinter(print)
    : textPrinter(print, styleFor(process.stdout, process.env));
  const ended = await followSecondary(before, app, { printer, signal: interruption.signal });
  printer.finish();
  if (ended.status === 'waiting') return printWaiting(ended, api, flags);
  reportEnd(ended, { json: flags.json === true });
  return interruption.exitCode ?? exitCodeOfRun(ended.status);
}

function setLevel({ threadId }: Run, { level }: ResumeFlags, api: Api): void {
  if (level !== undefined) api['threads.setLevel']({ threadId, level });
}

function submitAnswers(runId: string, answers: readonly AnswerOption[], api: Api): void {
  for (const answer of answers) {
    const question = openQuestions(runId, api).find(
      ({ interruptId }) => interruptId === answer.interruptId,
    );
    if (question === undefined) {
      throw new AppError(
        'NOT_FOUND',
        `${runId} has no open question ${answer.interruptId}. List the open questions with: hyperagent runs waiting`,
      );
    }
    const { interruptId } = question;
    api['runs.respond']({ runId, interruptId, response: toResponse(answer, question, api) });
  }
}

function openQuestions(runId: string, api: Api) {
  return api['runs.waiting']().questions.filter((question) => question.runId === runId);
}

/** Prints the questions that block the run. */
function printWaiting(run: Run, api: Api, { json }: ResumeFlags): number {
  for (const question of openQuestions(run.id, api)) {
    if (json) print(jsonLine(question));
    else
      print(
        `${question.interruptId}  ${describeQuestion(question, styleFor(process.stdout, process.env))}\n`,
      );
  }
  reportEnd({ ...run, status: 'waiting' }, { json: json === true });
  return EXIT.waiting;
}

const POLL_MS = 200;
/** How long the running app may take to pick up a run. */
const PICK_UP_MS = 10_000;

/** Prints a run that another process carries out, from the log on disk, until it ends, asks or pauses. */
async function followSecondary(
  before: Run,
  { api, runs }: Pick<App, 'api' | 'runs'>,
  { printer, signal }: { readonly printer: Printer; readonly signal: AbortSignal },
): Promise<Run> {
  let seq = before.lastSeq;
  const startedAt = performance.now();
  while (!signal.aborted) {
    for (const event of runs.events(before.id, seq, EVENT_PAGE_SIZE)) {
      printer.print(event);
      seq = event.seq;
    }
    const run = runs.get(before.id);
    const isOver = run.endedAt !== null && run.lastSeq === seq;
    const asks =
      run.status === 'waiting' &&
      api['runs.waiting']().questions.some(({ runId }) => runId === run.id);
    const isParked = run.status !== 'running' && performance.now() - startedAt > PICK_UP_MS;
    if (isOver || asks || isParked) return run;
    await wait(POLL_MS);
  }
  return runs.get(before.id);
}
