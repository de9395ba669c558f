import { z } from 'zod';
import { Message, Run, type RunOptions, type Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { RunEvent } from '#contract/events/run-event.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { newId } from '../base/ids.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import type { TaintStore } from '../storage/types.ts';
import { RUN_EXPORT_VERSION } from './run-export.ts';
import type { RunStores } from './run-record.ts';
import { titleOf } from './run-title.ts';

const RunFile = z.object({
  format: z.literal('hyperagent.run'),
  version: z.literal(RUN_EXPORT_VERSION),
  exportedAt: z.int(),
  // Exports of earlier versions have no `origin`.
  run: z.preprocess((run) => (isRecord(run) ? { origin: null, ...run } : run), Run),
  messages: z.array(Message),
  events: z.array(RunEvent),
});

const ENDED: ReadonlySet<Run['status']> = new Set([
  ...(['completed', 'unverified', 'failed', 'cancelled'] as const),
]);

/** The taint source of everything an imported run says. */
const IMPORTED = 'the imported run';

export interface ImportParts {
  readonly stores: RunStores;
  readonly taints: TaintStore;
  /** The options on this machine for a run that had `options` elsewhere: a file grants no permissions. */
  readonly optionsHere: (options: RunOptions) => RunOptions;
  readonly now: number;
}

/**
 * Imports an exported run as a task of its own, to look at; that needs no model. The contents of the file
 * count as untrusted; what its runs and their edits may do is decided by this machine's settings. Throws
 * `BAD_REQUEST`, which says what is wrong, if the text is not an export.
 */
export function importRun(
  text: string,
  { stores, taints, optionsHere, now }: ImportParts,
): { run: Run; thread: Thread } {
  const file = parseFile(text);
  const threadId = newId('thr', now);
  const id = newId('run', now);
  const gap = file.events.findIndex(({ seq, runId }, i) => seq !== i + 1 || runId !== file.run.id);
  if (gap >= 0) throw notAnExport(`event ${gap + 1} is missing or belongs to another run`);
  // Nothing works on it here, whatever its status in the file.
  const isOver = file.run.endedAt !== null && ENDED.has(file.run.status);
  const run: Run = {
    ...file.run,
    ...{ id, threadId, createdAt: now, origin: origin(file.run.id) },
    options: optionsHere(file.run.options),
    ...(isOver ? {} : { status: 'cancelled', endedAt: file.exportedAt }),
  };
  stores.transaction(() => {
    stores.threads.insert({ id: threadId, title: titleOf(file.run.prompt), createdAt: now });
    taints.add(threadId, IMPORTED);
    stores.runs.insert(run);
    for (const message of file.messages) {
      stores.messages.insert({ ...message, id: newId('msg', now), threadId, runId: id });
    }
    stores.events.append(file.events.map((event) => ({ ...event, runId: id })));
  });
  return { run: stores.runs.get(id), thread: stores.threads.get(threadId) };
}

function origin(runId: string): Run['origin'] {
  return { kind: 'import', runId, seq: null, messages: 0 };
}

function parseFile(text: string): z.infer<typeof RunFile> {
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (error) {
    throw notAnExport(error instanceof Error ? error.message : String(error));
  }
  if (
    isRecord(value) &&
    value.format === 'hyperagent.run' &&
    value.version !== RUN_EXPORT_VERSION
  ) {
    throw notAnExport(
      `its format is version ${String(value.version)}, and this app reads version ${RUN_EXPORT_VERSION}`,
    );
  }
  const parsed = safeParse(RunFile, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notAnExport(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is not valid'}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnExport(why: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `This is not an exported run (${why}). Name a file that "hyperagent runs export" wrote.`,
  );
}
