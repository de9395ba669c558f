import { createInterface } from 'node:readline/promises';
import type { ModelRef } from '#contract/entities.ts';
import type { ModelDownload } from '#contract/local-models.ts';
import { PolicyLevel } from '#contract/vocabulary.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, messageOf, UsageError } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';
import { MEANINGS } from './approvals.ts';
import { type Choice, modelChoices, pathOfOwn } from './setup-choices.ts';

export interface SetupFlags {
  readonly dataDir?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  /** A model that is there, as the default. */
  readonly model?: ModelRef;
  /** A model to download: an id of the list, an address, or a file on Hugging Face. */
  readonly download?: string;
  readonly sha256?: string;
  readonly level?: PolicyLevel;
}

const say = (line: string): void => printError(`${showControls(line)}\n`);

/**
 * `hyperagent setup`: chooses a model, gets one where there is none, chooses when to ask, and says whether a task
 * could run. Asks at a terminal; with `--yes` it takes the first model, downloads only if there is none at all, and
 * leaves the approval level as it is: nobody gets a freer one without choosing it. Resolves to 1 if a task could not
 * run afterwards.
 */
export async function runSetup(flags: SetupFlags, environment: CliEnvironment): Promise<number> {
  const isAsked = flags.yes !== true && flags.model === undefined && flags.download === undefined;
  if (isAsked && process.stdin.isTTY !== true) {
    throw new UsageError(
      'Setup asks what to use, and there is no terminal. Take the first choice with --yes, or name a model with --model or --download.',
    );
  }
  const interruption = new Interruption();
  try {
    await using app = await openApp(environment, {
      dataDir: flags.dataDir,
      attended: false,
      readOnly: false,
    });
    const { signal } = interruption;
    await chooseModel(app, flags, signal);
    await installRuntime(app, signal);
    await chooseLevel(app, { isAsked, level: flags.level }, signal);
    const report = await app.api['setup.check']({}, { closed: signal });
    const { ready, text } = report.verdict;
    print(flags.json ? jsonLine(report) : `${showControls(text)}\n`);
    if (ready) say('Try it: hyperagent run "…", or open the app.');
    return ready ? EXIT.complete : EXIT.failed;
  } catch (error) {
    if (interruption.exitCode === null) throw error;
    return interruption.exitCode;
  } finally {
    interruption.dispose();
  }
}

async function chooseModel(app: App, flags: SetupFlags, signal: AbortSignal): Promise<void> {
  const { api } = app;
  if (flags.model !== undefined) {
    api['settings.update']({ changes: { model: flags.model } });
    return;
  }
  if (flags.download !== undefined) {
    const { offers } = await api['localModels.get']();
    const offer = offers.find(({ id }) => id === flags.download);
    await download(app, offer === undefined ? asReference(flags) : { id: offer.id }, signal);
    return;
  }
  const { model } = api['settings.get']().settings;
  const { policy } = api['app.info']();
  const isLocked = policy?.state === 'holds' && policy.locked.includes('model');
  if (model !== null && (flags.yes === true || isLocked)) return;
  const { servers } = await api['models.list']({}, { closed: signal });
  const choices = modelChoices({ servers, local: await api['localModels.get'](), model });
  const ask = { question: 'Which model is to answer your tasks?', choices };
  const choice = flags.yes === true ? choices[0] : await askFor(ask, signal);
  if (choice === undefined) {
    say('No model was found, and none of the app fits this computer. Start a model server.');
    return;
  }
  say(choice.label);
  await take(app, choice, signal);
}

function asReference({ download: reference = '', sha256 }: SetupFlags) {
  return { reference, ...(sha256 === undefined ? {} : { sha256 }) };
}

async function take(app: App, choice: Choice, signal: AbortSignal): Promise<void> {
  const { api } = app;
  switch (choice.kind) {
    case 'model':
      api['settings.update']({ changes: { model: choice.model } });
      break;
    case 'file':
      await api['localModels.use']({ path: choice.path });
      break;
    case 'start':
      await api['localModels.startServer']({ id: choice.id }, { closed: signal });
      say('It runs now. Run hyperagent setup again to choose its model.');
      break;
    case 'download':
      await download(app, { id: choice.id }, signal);
      break;
  }
}

async function chooseLevel(
  { api }: App,
  { isAsked, level }: { readonly isAsked: boolean; readonly level: PolicyLevel | undefined },
  signal: AbortSignal,
): Promise<void> {
  let chosen = level;
  if (chosen === undefined && isAsked && api['settings.get']().settings.policyLevel === null) {
    const choices = PolicyLevel.options.map((one) => ({ label: `${one}: ${MEANINGS[one]}`, one }));
    const question = 'When are you to be asked? About:';
    chosen = (await askFor({ question, choices }, signal))?.one;
  }
  if (chosen !== undefined) api['settings.update']({ changes: { policyLevel: chosen } });
}

/** Asks for a number until there is one of the list; an empty answer is the first. */
async function askFor<Option extends { readonly label: string }>(
  { question, choices }: { readonly question: string; readonly choices: readonly Option[] },
  signal: AbortSignal,
): Promise<Option | undefined> {
  if (choices.length === 0) return undefined;
  say(question);
  choices.forEach(({ label }, index) => {
    say(`  ${index + 1}  ${label}`);
  });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const answer = (await lines.question(`1 to ${choices.length} [1] > `, { signal })).trim();
      const choice = choices[Number(answer === '' ? 1 : answer) - 1];
      if (choice !== undefined) return choice;
      say(`Enter a number from 1 to ${choices.length}.`);
    }
  } finally {
    lines.close();
  }
}

type Wanted = Parameters<App['api']['localModels.download']>[0]['wanted'];

/** Downloads with progress; what has arrived when it is interrupted is kept. Throws if it fails. */
async function download(app: App, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { api } = app;
  const ended = Promise.withResolvers<ModelDownload>();
  let id: string | null = null;
  const follow = (state: ModelDownload): void => {
    if (id !== null && state.id !== id) return;
    if (process.stderr.isTTY === true) printError(`\r\u001b[K${progressLine(state)}`);
    if (!['running', 'checking'].includes(state.status)) ended.resolve(state);
  };
  const stop = app.onBroadcast((notice) => {
    if (notice.kind === 'model_download') follow(notice.download);
  });
  try {
    const started = await api['localModels.download']({ wanted });
    id = started.download.id;
    const { file, licence } = started.download;
    say(
      `Downloading ${file}. Licence: ${licence ?? 'unknown, read it where the file comes from'}.`,
    );
    signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
    signal.throwIfAborted();
    const { status, problem, sha256 } = await ended.promise;
    if (process.stderr.isTTY === true) printError('\n');
    if (status !== 'completed') throw new Error(problem ?? 'The download was stopped.');
    say(`${file} is ready (SHA-256 ${sha256}).`);
    const path = pathOfOwn((await api['localModels.get']()).found, file);
    if (path !== undefined) await api['localModels.use']({ path });
  } finally {
    stop();
  }
}

function progressLine({ file, completedBytes, totalBytes, status }: ModelDownload): string {
  const done = (completedBytes / 1e9).toFixed(2);
  const all = totalBytes === null ? '' : ` of ${(totalBytes / 1e9).toFixed(2)}`;
  return `${showControls(file)}: ${done}${all} GB${status === 'checking' ? ' checked' : ''}`;
}

/** A model file needs what loads it. That it cannot be installed is said, and is no failure of the rest. */
async function installRuntime({ api }: App, signal: AbortSignal): Promise<void> {
  const { settings } = api['settings.get']();
  if (settings.model?.provider !== 'embedded') return;
  const { runtime } = await api['localModels.get']();
  if (runtime === 'ready') return;
  say('Installing the runtime for model files (about 90 MB, once)…');
  try {
    await api['localModels.installRuntime']();
  } catch (error) {
    signal.throwIfAborted();
    say(messageOf(error));
  }
}
