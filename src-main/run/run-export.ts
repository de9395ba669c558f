import type { Message, Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { withCleanTexts } from '../base/clean-texts.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import { withoutSecretKinds } from '../base/secret-kinds.ts';
import type { EventReader, MessageReader, RunReader } from '../storage/types.ts';
import { writeWholeFile } from '../storage/whole-file.ts';

/** Increases when a change could mislead readers of older exports. */
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
  /** Removed also from events that were stored before the secret was known. */
  readonly secrets?: KnownSecrets;
}

type ExportOptions = Exported & { readonly file: string };
type TextOptions = Exported & { readonly limit: number };

const PAGE = 500;

/**
 * Writes a `RunExport` to `file`, one event per line, in pages, so that a long run does not fill the memory.
 * Exports are meant to be shared, so known secrets and anything in the format of a secret are removed. The
 * file is complete or does not exist. Throws `NOT_FOUND`, `DISK_FULL`, and `BAD_REQUEST` for an unusable path.
 */
export async function exportRun(
  stores: RunExportStores,
  { runId, file, now, secrets = new KnownSecrets() }: ExportOptions,
): Promise<void> {
  secrets.recall();
  const run = stores.runs.get(runId);
  await writeWholeFile(file, async (write) => {
    for (const chunk of runFileChunks(stores, run, { now, secrets }))
      await write(Buffer.from(chunk));
  });
}

/** The same export as a string. Throws `FILE_TOO_LARGE` over `limit` characters. */
export function runFileText(
  stores: RunExportStores,
  { runId, now, limit, secrets = new KnownSecrets() }: TextOptions,
): string {
  secrets.recall();
  let text = '';
  for (const chunk of runFileChunks(stores, stores.runs.get(runId), { now, secrets })) {
    text += chunk;
    if (text.length > limit) {
      throw new AppError(
        'FILE_TOO_LARGE',
        `This run is too long to export from a window. Use: hyperagent runs export ${runId} FILE`,
      );
    }
  }
  return text;
}

/** The same export in pieces, of at most some hundred events each. */
export function* runFileChunks(
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
  // A run that is still active is exported as it was when the export started.
  for (let seq = 0; seq < run.lastSeq; ) {
    const page = events.page(run.id, seq, Math.min(PAGE, run.lastSeq - seq));
    if (page.length === 0) break;
    seq = page.at(-1)?.seq ?? run.lastSeq;
    yield separator + page.map(json).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}
