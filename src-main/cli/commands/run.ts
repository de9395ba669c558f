import type { ModelRef, Run } from '#contract/entities.ts';
import type { RequestInput } from '#contract/requests.ts';
import type {
  ApprovalPolicy,
  NetworkPolicy,
  RunMode,
  SandboxChoice,
} from '#contract/vocabulary.ts';
import { PushHub } from '../../ipc/push-hub.ts';
import type { App, AppServices } from '../../ipc/types.ts';
import type { CliEnvironment } from '../environment.ts';
import { exitCodeOfRun, UsageError } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonPrinter, type Printer } from '../printer.ts';
import { type AttachedFile, readAttachments, readPrompt } from '../run-input.ts';
import { StdoutClient } from '../stdout-client.ts';
import { styleFor } from '../style.ts';
import type { TerminalQuestions } from '../terminal-questions.ts';
import { textPrinter } from '../text-printer.ts';
import { showControls } from '../visible-text.ts';

export interface RunFlags {
  readonly promptFile?: string;
  readonly mode?: RunMode;
  readonly model?: ModelRef;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly dataDir?: string;
  readonly thread?: string;
  readonly attach?: readonly string[];
  readonly sandbox?: SandboxChoice;
  readonly network?: NetworkPolicy;
  readonly allowHost?: readonly string[];
  readonly approve?: ApprovalPolicy;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `hyperagent run`: gives the exit code once the run ended or was parked. */
export async function runTask(
  promptArgument: string | undefined,
  flags: RunFlags,
  environment: CliEnvironment,
): Promise<number> {
  const options = runOptions(flags);
  const overrides = modelOverrides(flags);
  const [prompt, files] = await Promise.all([
    readPrompt(promptArgument, flags.promptFile),
    readAttachments(flags.attach ?? []),
    // Loaded while the files are read.
    environment.loadCompose(),
  ]);
  const interruption = new Interruption();
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  try {
    await using app = await openApp(environment, {
      dataDir: flags.dataDir,
      attended,
      readOnly: false,
      modelOverrides: overrides,
    });
    const attachmentIds = await addFiles(app.services, files);
    const { run } = await app.services.runs.start({
      ...(flags.thread === undefined ? {} : { threadId: flags.thread }),
      prompt,
      attachmentIds,
      options,
    });
    const ended = await follow(run, { app, flags, interruption, attended });
    reportEnd(ended, flags);
    return interruption.exitCode ?? exitCodeOfRun(ended.status);
  } finally {
    interruption.dispose();
  }
}

function runOptions(flags: RunFlags): RequestInput<'runs.start'>['options'] {
  const restricted = flags.network ?? 'allowlist';
  if (flags.allowHost !== undefined && restricted !== 'allowlist') {
    throw new UsageError(`--allow-host needs --network allowlist, not ${restricted}.`);
  }
  return {
    ...(flags.mode === undefined ? {} : { mode: flags.mode }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(flags.network === undefined ? {} : { network: flags.network }),
    ...(flags.allowHost === undefined
      ? {}
      : { network: restricted, allowHosts: [...flags.allowHost] }),
    ...(flags.approve === undefined ? {} : { approve: flags.approve }),
    ...(flags.timeout === undefined ? {} : { timeoutSeconds: flags.timeout }),
  };
}

/** The key leaves the environment, so that nothing this process starts inherits it. */
function modelOverrides({ baseUrl, apiKeyEnv }: RunFlags): { baseUrl?: string; apiKey?: string } {
  const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
  if (apiKeyEnv !== undefined) {
    if (!apiKey) throw new UsageError(`The environment variable ${apiKeyEnv} is not set.`);
    delete process.env[apiKeyEnv];
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

async function addFiles(
  { attachments }: AppServices,
  files: readonly AttachedFile[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, data } of files) ids.push((await attachments.add(name, data)).attachmentId);
  return ids;
}

interface Following {
  readonly app: App;
  readonly flags: RunFlags;
  readonly interruption: Interruption;
  readonly attended: boolean;
}

/** Prints the run and answers for the person until it ended or was parked. */
async function follow(run: Run, following: Following): Promise<Run> {
  const { app, flags, interruption, attended } = following;
  const { runs } = app.services;
  const write = (text: string): void => void process.stdout.write(text);
  const printer: Printer = flags.json
    ? jsonPrinter(write)
    : textPrinter(write, styleFor(process.stdout, process.env));
  const isAsking = attended && run.options.approve === 'ask';
  const questions = isAsking ? await openQuestions(following) : null;
  const client = new StdoutClient(process.stdout, (event) => {
    printer.print(event);
    if (event.type === 'interrupt') questions?.ask(event);
    if (event.type === 'interrupt_response') questions?.withdraw(event.interruptId);
  });
  const cancel = (): void => void runs.cancel(run.id);
  interruption.signal.addEventListener('abort', cancel, { once: true });
  client.closed.addEventListener('abort', cancel, { once: true });
  if (interruption.signal.aborted) cancel();
  const hub = new PushHub(runs, app.logger);
  try {
    hub.attach(client);
    hub.subscribe(client, run.id, 0);
    const ended = await runs.settled(run.id);
    questions?.dispose();
    await client.reached(ended.lastSeq);
    printer.finish();
    return ended;
  } finally {
    hub.dispose();
  }
}

/** Loaded only where somebody can be asked: reading lines costs a script some of its start. */
async function openQuestions({ app, flags, interruption }: Following): Promise<TerminalQuestions> {
  const { TerminalQuestions } = await import('../terminal-questions.ts');
  return new TerminalQuestions({
    runs: app.services.runs,
    input: process.stdin,
    output: process.stderr,
    style: styleFor(process.stderr, process.env),
    isShown: flags.json !== true,
    onInterrupt: () => interruption.ask('SIGINT'),
  });
}

/** What a script does not see in the exit code alone. */
function reportEnd(run: Run, { json }: RunFlags): void {
  const say = (line: string): void =>
    void process.stderr.write(`hyperagent: ${showControls(line)}\n`);
  if (run.status === 'waiting') {
    // Questions live as long as their process in this version; the durable form will take them over.
    say(
      `${run.id} waits for a person, and nobody is here. Run it again at a terminal, in the window, or with --approve all.`,
    );
  } else if (run.status === 'cancelled') {
    say(`${run.id} was cancelled; what it did until then is kept.`);
  } else if (run.error !== null && !json) {
    say(`${run.error.message} (${run.error.code})`);
  }
}
