import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Message, Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { withCleanTexts } from '../base/clean-texts.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { withoutSecretKinds } from '../base/secret-kinds.ts';
import type { EventReader, MessageReader, RunReader } from '../storage/types.ts';

/** Counts up when a reader of older exports could be misled. */
export const RUN_EXPORT_VERSION = 1;

/** The whole of a run as one JSON value. */
export interface RunExport {
  readonly format: 'hyperagent.run';
  readonly version: typeof RUN_EXPORT_VERSION;
  readonly exportedAt: number;
  readonly run: Run;
  readonly messages: readonly Message[];
  readonly events: readonly RunEvent[];
}

export interface RunExportStores {
  readonly runs: RunReader;
  readonly messages: MessageReader;
  readonly events: EventReader;
}

interface Exported {
  readonly runId: string;
  readonly now: number;
  /** Also taken out of what was stored before they were known. */
  readonly secrets?: KnownSecrets;
}

type ExportOptions = Exported & { readonly file: string };
type TextOptions = Exported & { readonly limit: number };

const PAGE = 500;

/**
 * Writes a `RunExport` to `file`, one event a line, in pages: a long run does not fill the memory. It is
 * to be shared: secrets are taken out of it, by their form too. The file is whole or not there. Throws `NOT_FOUND`, `DISK_FULL`, `BAD_REQUEST` for an unusable path.
 */
export async function exportRun(
  stores: RunExportStores,
  { runId, file, now, secrets = new KnownSecrets() }: ExportOptions,
): Promise<void> {
  secrets.recall();
  const run = stores.runs.get(runId);
  const half = `${resolve(file)}.${randomBytes(4).toString('hex')}.part`;
  try {
    const handle = await open(half, 'wx', 0o600);
    try {
      for (const chunk of chunks(stores, run, { now, secrets })) await handle.writeFile(chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    throw toExportError(error, file);
  }
}

/** The same as one text. Throws `FILE_TOO_LARGE` over `limit` characters. */
export function runFileText(
  stores: RunExportStores,
  { runId, now, limit, secrets = new KnownSecrets() }: TextOptions,
): string {
  secrets.recall();
  let text = '';
  for (const chunk of chunks(stores, stores.runs.get(runId), { now, secrets })) {
    text += chunk;
    if (text.length > limit) {
      throw new AppError(
        'FILE_TOO_LARGE',
        `This run is too long to be handed to a window. Use: hyperagent runs export ${runId} FILE`,
      );
    }
  }
  return text;
}

function* chunks(
  stores: RunExportStores,
  run: Run,
  { now, secrets }: { readonly now: number; readonly secrets: KnownSecrets },
): Generator<string> {
  const json = (value: unknown): string => {
    const clean = (text: string) => withoutSecretKinds(secrets.text(text));
    return JSON.stringify(withCleanTexts(value, clean));
  };
  const { runs: _runs, messages, events } = stores;
  const head = {
    format: 'hyperagent.run',
    version: RUN_EXPORT_VERSION,
    exportedAt: now,
    run,
    messages: messages.listOfRun(run.id),
  } satisfies Omit<RunExport, 'events'>;
  yield `${json(head).slice(0, -1)},"events":[`;
  let separator = '\n';
  // A run that is still at work is exported as it was when this began.
  for (let seq = 0; seq < run.lastSeq; ) {
    const page = events.page(run.id, seq, Math.min(PAGE, run.lastSeq - seq));
    if (page.length === 0) break;
    seq = page.at(-1)?.seq ?? run.lastSeq;
    yield separator + page.map(json).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

function toExportError(error: unknown, file: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (error instanceof AppError || code === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError(
      'DISK_FULL',
      `There is no space left for ${file}. Free some, or name a file on another disk.`,
      { details: { file }, cause: error },
    );
  }
  return new AppError(
    'BAD_REQUEST',
    `The run cannot be written to ${file} (${code}). Name a file in a folder that exists and that you may write: ${dirname(resolve(file))} is not one.`,
    { details: { file }, cause: error },
  );
}
