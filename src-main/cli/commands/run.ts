import path from 'node:path';
import { defined } from '#contract/defined.ts';
import type { ModelRef } from '#contract/entities.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { HostPatternText } from '#contract/settings.ts';
import type { FolderAccess, GivenFolder } from '#contract/user-folder.ts';
import type {
  ApprovalPolicy,
  ExecutionMode,
  NetworkPolicy,
  PolicyLevel,
  ResearchDepth,
  ResearchScenario,
  RunMode,
  SandboxChoice,
} from '#contract/vocabulary.ts';
import type { Api } from '../../api/create-api.ts';
import type { CliEnvironment } from '../environment.ts';
import { exitCodeOfRun, UsageError } from '../exit-codes.ts';
import { followRun, reportEnd } from '../follow-run.ts';
import { Interruption } from '../interruption.ts';
import { modelOverrides } from '../model-overrides.ts';
import { openApp } from '../open-app.ts';
import { printError } from '../output.ts';
import { checkPictures } from '../picture-check.ts';
import { type AttachedFile, checkAttachments, readPrompt } from '../run-input.ts';

export interface RunFlags {
  readonly promptFile?: string;
  readonly mode?: RunMode;
  readonly depth?: ResearchDepth;
  readonly scenario?: ResearchScenario;
  readonly model?: ModelRef;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly dataDir?: string;
  readonly thread?: string;
  readonly attach?: readonly string[];
  readonly folder?: string;
  readonly folderAccess?: FolderAccess;
  readonly picturesAsFiles?: boolean;
  readonly sandbox?: SandboxChoice;
  readonly network?: NetworkPolicy;
  readonly allowHost?: readonly string[];
  readonly executionMode?: ExecutionMode;
  readonly level?: PolicyLevel;
  readonly approve?: ApprovalPolicy;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** Starts the run of a command. It receives everything except the prompt. */
export type StartRun = (
  api: Api,
  start: Omit<RequestInput<'runs.start'>, 'prompt'>,
) => Promise<RequestOutput<'runs.start'>>;

/** `hyperagent run`. Resolves to the exit code once the run ends or parks. */
export async function runTask(
  promptArgument: string | undefined,
  flags: RunFlags,
  environment: CliEnvironment,
): Promise<number> {
  let prompt = '';
  return await startAndFollow((api, start) => api['runs.start']({ ...start, prompt }), flags, {
    environment,
    read: async () => {
      const [given, files] = await Promise.all([
        readPrompt(promptArgument, flags.promptFile),
        checkAttachments(flags.attach ?? []),
      ]);
      prompt = given;
      return files;
    },
  });
}

/** Starts a run with these flags and follows it. Resolves to the exit code once it ends or parks. */
export async function startAndFollow(
  startRun: StartRun,
  flags: RunFlags,
  {
    environment,
    read,
  }: {
    readonly environment: CliEnvironment;
    /** Reads the run's input before the app opens. */
    readonly read: () => Promise<readonly AttachedFile[]>;
  },
): Promise<number> {
  const options = runOptions(flags);
  const overrides = modelOverrides(flags);
  const folder = givenFolder(flags);
  const [files] = await Promise.all([
    read(),
    // Loads while the files are read.
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
    const added = await Promise.all(files.map((file) => app.attachFile(file)));
    const model = await checkPictures(
      files.flatMap(({ name }, index) => {
        const picture = added[index]?.picture ?? null;
        return picture === null ? [] : [{ name, picture }];
      }),
      { api: app.api, model: flags.model, attended, asFiles: flags.picturesAsFiles === true },
    );
    const attachmentIds = added.map(({ attachmentId }) => attachmentId);
    const request = defined({
      ...{ threadId: flags.thread, attachmentIds, folder },
      options: defined({ ...options, model }),
      level: flags.level,
    });
    const { run } = await startRun(app.api, request);
    const ended = await followRun(run, 0, {
      app,
      json: flags.json === true,
      interruption,
      attended,
    });
    reportEnd(ended, { json: flags.json === true });
    await reportFolder(ended.threadId, app.api);
    return interruption.exitCode ?? exitCodeOfRun(ended.status);
  } finally {
    interruption.dispose();
  }
}

function givenFolder({ folder, folderAccess }: RunFlags): GivenFolder | undefined {
  if (folder !== undefined) return { path: path.resolve(folder), access: folderAccess ?? 'copy' };
  if (folderAccess === undefined) return undefined;
  throw new UsageError('--folder-access needs --folder.');
}

/** Says how many files of the user's folder the task changed in its copy, and how to see them. */
async function reportFolder(threadId: string, api: Api): Promise<void> {
  if (api['folders.get']({ threadId }).folder?.access !== 'copy') return;
  const { count } = await api['folders.changes']({ threadId });
  if (count === 0) return;
  const files = count === 1 ? '1 file differs' : `${count} files differ`;
  printError(
    `hyperagent: ${files} from your folder. Review with "hyperagent folder show ${threadId}", then "hyperagent folder apply ${threadId}".\n`,
  );
}

function runOptions(flags: RunFlags): RequestInput<'runs.start'>['options'] {
  const network = flags.network ?? 'allowlist';
  if (flags.allowHost !== undefined && network !== 'allowlist') {
    throw new UsageError(`--allow-host needs --network allowlist, not ${network}.`);
  }
  for (const host of flags.allowHost ?? []) {
    const checked = safeParse(HostPatternText, host);
    if (!checked.success)
      throw new UsageError(`--allow-host ${host}: ${checked.error.issues[0]?.message}.`);
  }
  return defined({
    mode: flags.mode,
    researchDepth: flags.depth,
    scenario: flags.scenario,
    model: flags.model,
    sandbox: flags.sandbox,
    network: flags.allowHost === undefined ? flags.network : network,
    allowHosts: flags.allowHost?.slice(),
    executionMode: flags.executionMode,
    approve: flags.approve,
    timeoutSeconds: flags.timeout,
  });
}
