import type { Run } from '#contract/entities.ts';
import type { App } from '../compose/app.ts';
import { PushHub } from '../transport/push-hub.ts';
import type { Interruption } from './interruption.ts';
import { print, printError } from './output.ts';
import { jsonPrinter, type Printer } from './printer.ts';
import { StdoutClient } from './stdout-client.ts';
import { styleFor } from './style.ts';
import type { TerminalQuestions } from './terminal-questions.ts';
import { textPrinter } from './text-printer.ts';
import { showControls } from './visible-text.ts';

export interface FollowOptions {
  readonly app: App;
  readonly json: boolean;
  readonly interruption: Interruption;
  readonly attended: boolean;
}

/** Prints a run's events after `afterSeq`, and asks the user its questions, until it ends, parks or pauses. */
export async function followRun(run: Run, afterSeq: number, options: FollowOptions): Promise<Run> {
  const { app, json, interruption, attended } = options;
  const { api, runs } = app;
  let unwritten = '';
  const write = (text: string): void => {
    unwritten += text;
  };
  // One system call for events that arrive together: writes to files and terminals are synchronous.
  const flush = (): void => {
    if (unwritten !== '') print(unwritten);
    unwritten = '';
  };
  const printer: Printer = json
    ? jsonPrinter(write)
    : textPrinter(write, styleFor(process.stdout, process.env));
  const isAsking = attended && run.options.approve === 'ask';
  const questions = isAsking ? await openQuestions(options) : null;
  const client = new StdoutClient(process.stdout, (events) => {
    for (const event of events) {
      printer.print(event);
      if (event.type !== 'interrupt' && event.type !== 'interrupt_response') continue;
      // Earlier output must appear above the question.
      flush();
      if (event.type === 'interrupt') questions?.ask(event);
      else questions?.withdraw(event.interruptId);
    }
    flush();
  });
  const cancel = (): void => void api['runs.cancel']({ runId: run.id });
  interruption.signal.addEventListener('abort', cancel, { once: true });
  client.closed.addEventListener('abort', cancel, { once: true });
  if (interruption.signal.aborted) cancel();
  const hub = new PushHub(runs, app.logger);
  try {
    hub.attach(client).subscribe(run.id, afterSeq);
    const ended = await runs.settled(run.id);
    questions?.dispose();
    await client.reached(ended.lastSeq);
    printer.finish();
    flush();
    return ended;
  } finally {
    hub.dispose();
  }
}

/** Loaded only if a user can answer: importing readline slows down the start of scripts. */
async function openQuestions({
  app,
  json,
  interruption,
}: FollowOptions): Promise<TerminalQuestions> {
  const { TerminalQuestions } = await import('./terminal-questions.ts');
  return new TerminalQuestions({
    api: app.api,
    input: process.stdin,
    output: process.stderr,
    style: styleFor(process.stderr, process.env),
    isShown: !json,
    onInterrupt: () => interruption.handleSignal('SIGINT'),
  });
}

/** Prints what the exit code alone does not say. */
export function reportEnd(run: Run, { json }: { readonly json: boolean }): void {
  const say = (line: string): void => printError(`hyperagent: ${showControls(line)}\n`);
  if (run.status === 'waiting') {
    say(
      `${run.id} is waiting for your answer. Show its questions with "hyperagent runs waiting", then answer with "hyperagent resume ${run.id} --respond ID=…" or in the window.`,
    );
  } else if (run.status === 'paused' || run.status === 'queued') {
    if (run.error !== null) say(`${run.error.message} (${run.error.code})`);
    say(`${run.id} is ${run.status}. Resume it with "hyperagent resume ${run.id}".`);
  } else if (run.status === 'cancelled') {
    say(`${run.id} was cancelled. Its work so far is kept.`);
  } else if (run.error !== null && !json) {
    say(`${run.error.message} (${run.error.code})`);
  }
}
