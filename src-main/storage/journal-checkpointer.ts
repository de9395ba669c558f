import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { parseStep, type StepPath } from '../base/step-path.ts';
import type { Connection } from './connection.ts';
import type { CommitStep, JournalEntry, RunJournal } from './types.ts';

/** The channel for the result of a task in LangGraph's functional API. */
const RETURN = '__return__';

/** A value as LangGraph's serialiser gives it; bytes that are not text as base64. */
type Typed = { readonly type: string } & ({ readonly text: string } | { readonly base64: string });

interface StoredCheckpoint {
  readonly threadId: string;
  readonly namespace: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly checkpoint: Typed;
  readonly metadata: Typed;
}

interface StoredWrite {
  readonly taskId: string;
  readonly position: number;
  readonly channel: string;
  readonly value: Typed;
}

/** The position of a checkpoint, from LangGraph's `configurable`. Its "thread" is a branch of a run. */
interface Place {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
}

/**
 * LangGraph's checkpoints as entries of the run journal, until the run ends. What the steps of a run gave is
 * in the journal already, so a checkpoint holds only how far a graph is. Passes the public validation suite.
 */
export class JournalCheckpointer extends BaseCheckpointSaver {
  readonly #connection: Connection;
  readonly #journal: RunJournal;
  readonly #commit: CommitStep;

  /** `commit` may store a step's result together with other entries of the same run, in one transaction. */
  constructor(journal: RunJournal, connection: Connection, commit?: CommitStep) {
    super();
    this.#connection = connection;
    this.#journal = journal;
    this.#commit = commit ?? ((_threadId, work) => connection.transaction(work));
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, checkpointId } = placeOf(config);
    if (threadId === '') return undefined;
    const stored = this.#checkpoints(threadId).filter(
      (one) => one.namespace === namespace && (checkpointId === '' || one.id === checkpointId),
    );
    const newest = stored.sort(newestFirst)[0];
    return newest === undefined ? undefined : this.#toTuple(newest);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const threads = thread_id === undefined ? this.#threads() : [String(thread_id)];
    const end = before?.configurable?.checkpoint_id as string | undefined;
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const threadId of threads) {
      for (const stored of this.#checkpoints(threadId).sort(newestFirst)) {
        if (left <= 0) return;
        if (checkpoint_ns !== undefined && stored.namespace !== checkpoint_ns) continue;
        if (checkpoint_id !== undefined && stored.id !== checkpoint_id) continue;
        if (end !== undefined && stored.id >= end) continue;
        const tuple = await this.#toTuple(stored);
        if (!fits(tuple.metadata, filter)) continue;
        left -= 1;
        yield tuple;
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, namespace, checkpointId: parentId } = placeOf(config);
    requireThread(threadId, 'a checkpoint');
    const { channel_values: values, ...rest } = checkpoint;
    const changed = Object.entries(newVersions).filter(([channel]) => channel in values);
    const stored: StoredCheckpoint = {
      ...{ threadId, namespace, id: checkpoint.id, parentId: parentId === '' ? null : parentId },
      checkpoint: await this.#dump({ ...rest, channel_values: {} }),
      metadata: await this.#dump(metadata),
    };
    const channels = await Promise.all(
      changed.map(async ([channel, version]) => ({
        hash: keyOf(namespace, channel, version),
        payload: await this.#dump(values[channel]),
      })),
    );
    const { runId, step } = stepOf(threadId);
    const write = (): void => {
      for (const channel of channels) {
        this.#journal.put(runId, { step, kind: 'channel', ...channel });
      }
      const hash = keyOf(namespace, checkpoint.id);
      this.#journal.put(runId, { step, kind: 'checkpoint', hash, payload: stored });
    };
    this.#commit(threadId, write, { isResult: false });
    return toConfig({ threadId, namespace, checkpointId: checkpoint.id });
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    const { threadId, namespace, checkpointId } = placeOf(config);
    requireThread(threadId, 'the result of a step');
    if (checkpointId === '') throw new Error('The result of a step belongs to a checkpoint.');
    const stored = await Promise.all(
      writes.map(async ([channel, value], index): Promise<StoredWrite> => {
        const position = WRITES_IDX_MAP[channel] ?? index;
        return { taskId, position, channel, value: await this.#dump(value) };
      }),
    );
    const { runId, step } = stepOf(threadId);
    const write = (): void => {
      for (const payload of stored) {
        const hash = keyOf(namespace, checkpointId, taskId, payload.position);
        // Results are final; LangGraph's own entries (negative positions), such as errors, are replaced.
        const isKept = payload.position >= 0 && this.#journal.at(runId, step, hash).length > 0;
        if (!isKept) this.#journal.put(runId, { step, kind: 'write', hash, payload });
      }
    };
    const isResult = writes.some(([channel]) => channel === RETURN);
    this.#commit(threadId, write, { isResult });
  }

  override async deleteThread(threadId: string): Promise<void> {
    const { runId, step } = stepOf(threadId);
    this.#connection
      .sql(
        `DELETE FROM run_journal WHERE run_id = ? AND step = ?
           AND kind IN ('checkpoint', 'channel', 'write')`,
      )
      .run(runId, step);
  }

  #threads(): string[] {
    const rows = this.#connection.sql<{ run_id: string; step: string }>(
      "SELECT DISTINCT run_id, step FROM run_journal WHERE kind = 'checkpoint' ORDER BY run_id, step",
    );
    return rows.all().map(({ run_id, step }) => (step === '' ? run_id : `${run_id}/${step}`));
  }

  #checkpoints(threadId: string): StoredCheckpoint[] {
    return this.#entries(threadId, 'checkpoint').map(({ payload }) => payload as StoredCheckpoint);
  }

  #entries(threadId: string, kind: JournalEntry['kind']): JournalEntry[] {
    const { runId, step } = stepOf(threadId);
    return this.#journal.at(runId, step).filter((entry) => entry.kind === kind);
  }

  /** What the tasks of a checkpoint wrote. */
  #writes({ threadId, namespace }: StoredCheckpoint, checkpointId: string): StoredWrite[] {
    const prefix = keyOf(namespace, checkpointId, '');
    return this.#entries(threadId, 'write')
      .filter(({ hash }) => hash.startsWith(prefix))
      .map(({ payload }) => payload as StoredWrite)
      .sort((a, b) => compare(a.taskId, b.taskId) || a.position - b.position);
  }

  async #toTuple(stored: StoredCheckpoint): Promise<CheckpointTuple> {
    const { threadId, namespace, id, parentId } = stored;
    const [checkpoint, metadata, pendingWrites] = await Promise.all([
      this.#loadCheckpoint(stored),
      this.#load(stored.metadata) as Promise<CheckpointMetadata>,
      Promise.all(
        this.#writes(stored, id).map(
          async ({ taskId, channel, value }): Promise<[string, string, unknown]> => [
            taskId,
            channel,
            await this.#load(value),
          ],
        ),
      ),
    ]);
    const tuple = {
      config: toConfig({ threadId, namespace, checkpointId: id }),
      ...{ checkpoint, metadata, pendingWrites },
    };
    if (parentId === null) return tuple;
    return { ...tuple, parentConfig: toConfig({ threadId, namespace, checkpointId: parentId }) };
  }

  async #loadCheckpoint(stored: StoredCheckpoint): Promise<Checkpoint> {
    const { runId, step } = stepOf(stored.threadId);
    const checkpoint = (await this.#load(stored.checkpoint)) as Checkpoint;
    const values: Record<string, unknown> = {};
    for (const [channel, version] of Object.entries(checkpoint.channel_versions)) {
      const hash = keyOf(stored.namespace, channel, version);
      const entry = this.#journal.at(runId, step, hash).at(-1);
      if (entry !== undefined) values[channel] = await this.#load(entry.payload as Typed);
    }
    const whole = { ...checkpoint, channel_values: values };
    return checkpoint.v < 4 && stored.parentId !== null
      ? this.#withSendsOf(stored.parentId, stored, whole)
      : whole;
  }

  /** Formats before version 4 kept messages for later steps with the parent checkpoint. */
  async #withSendsOf(
    parentId: string,
    stored: StoredCheckpoint,
    checkpoint: Checkpoint,
  ): Promise<Checkpoint> {
    const sends = this.#writes(stored, parentId).filter(({ channel }) => channel === TASKS);
    const values = await Promise.all(sends.map(({ value }) => this.#load(value)));
    const versions = Object.values(checkpoint.channel_versions);
    const version =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    return {
      ...checkpoint,
      channel_values: { ...checkpoint.channel_values, [TASKS]: values },
      channel_versions: { ...checkpoint.channel_versions, [TASKS]: version },
    };
  }

  async #dump(value: unknown): Promise<Typed> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    const buffer = Buffer.from(bytes);
    return type === 'json'
      ? { type, text: buffer.toString('utf8') }
      : { type, base64: buffer.toString('base64') };
  }

  #load(value: Typed): Promise<unknown> {
    const bytes = 'text' in value ? Buffer.from(value.text) : Buffer.from(value.base64, 'base64');
    return this.serde.loadsTyped(value.type, bytes);
  }
}

/** Ids of checkpoints sort by age. */
function newestFirst(a: StoredCheckpoint, b: StoredCheckpoint): number {
  return compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join('\n');
}

/** The branch of a run that a thread of LangGraph stands for: "RUN" or "RUN/BRANCH". */
function stepOf(threadId: string): { readonly runId: string; readonly step: StepPath } {
  const end = threadId.indexOf('/');
  if (end < 0) return { runId: threadId, step: parseStep('') };
  return { runId: threadId.slice(0, end), step: parseStep(threadId.slice(end + 1)) };
}

function placeOf(config: RunnableConfig): Place {
  const { thread_id = '', checkpoint_ns = '', checkpoint_id = '' } = config.configurable ?? {};
  return {
    threadId: String(thread_id),
    namespace: String(checkpoint_ns),
    checkpointId: String(checkpoint_id),
  };
}

function toConfig({ threadId, namespace, checkpointId }: Place): RunnableConfig {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      checkpoint_id: checkpointId,
    },
  };
}

function requireThread(threadId: string, what: string): void {
  if (threadId === '') throw new Error(`There is no "thread_id" that ${what} could belong to.`);
}

function fits(
  metadata: CheckpointMetadata | undefined,
  filter: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const facts: Readonly<Record<string, unknown>> = { ...metadata };
  return Object.entries(filter ?? {}).every(([key, value]) => facts[key] === value);
}
