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
import type { Connection } from '../connection.ts';
import type { CommitStep } from '../types.ts';
import { type CheckpointRow, type CheckpointStatements, prepareStatements } from './statements.ts';

/** The channel for the result of a task in LangGraph's functional API. */
const RETURN = '__return__';

/** The position of a checkpoint, from LangGraph's `configurable`. */
interface Place {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
}

/**
 * LangGraph's checkpoints in the app's own database. A step's result is one small row, written once, so the
 * cost of a round does not grow with the run. Passes the public validation suite.
 */
export class SqliteCheckpointer extends BaseCheckpointSaver {
  readonly #connection: Connection;
  readonly #commit: CommitStep;
  readonly #sql: CheckpointStatements;

  /** `commit` may store a step's result together with other rows of the same run, in one transaction. */
  constructor(connection: Connection, commit?: CommitStep) {
    super();
    this.#connection = connection;
    this.#commit = commit ?? ((_threadId, work) => connection.transaction(work));
    this.#sql = prepareStatements(connection);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, checkpointId } = placeOf(config);
    if (threadId === '') return undefined;
    const row =
      checkpointId === ''
        ? this.#sql.latest.get(threadId, namespace)
        : this.#sql.one.get(threadId, namespace, checkpointId);
    return row === undefined ? undefined : this.#toTuple(row);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const rows = this.#sql.list.all(
      ...twice(thread_id),
      ...twice(checkpoint_ns),
      ...twice(checkpoint_id),
      ...twice(before?.configurable?.checkpoint_id),
    );
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const row of rows) {
      if (left <= 0) return;
      const tuple = await this.#toTuple(row);
      if (!fits(tuple.metadata, filter)) continue;
      left -= 1;
      yield tuple;
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
    const [[type, body], [metadataType, metadataBody], ...channels] = await Promise.all([
      this.serde.dumpsTyped({ ...rest, channel_values: {} }),
      this.serde.dumpsTyped(metadata),
      ...changed.map(async ([channel, version]) => {
        const [valueType, value] = await this.serde.dumpsTyped(values[channel]);
        return { channel, version, type: valueType, value };
      }),
    ]);
    if (type !== metadataType) {
      throw new Error('A checkpoint and its metadata were serialised in different formats.');
    }
    const parent = parentId === '' ? null : parentId;
    const write = (): void => {
      for (const { channel, version, type: valueType, value } of channels) {
        this.#sql.putValue.run(threadId, namespace, channel, String(version), valueType, value);
      }
      this.#sql.put.run(threadId, namespace, checkpoint.id, parent, type, body, metadataBody);
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
    const rows = await Promise.all(
      writes.map(async ([channel, value], index) => {
        const [type, body] = await this.serde.dumpsTyped(value);
        return { channel, type, body, position: WRITES_IDX_MAP[channel] ?? index };
      }),
    );
    const write = (): void => {
      for (const { channel, type, body, position } of rows) {
        // Results are final; LangGraph's own entries (negative positions), such as errors, are replaced.
        const statement = position >= 0 ? this.#sql.addWrite : this.#sql.replaceWrite;
        statement.run(threadId, namespace, checkpointId, taskId, position, channel, type, body);
      }
    };
    const isResult = writes.some(([channel]) => channel === RETURN);
    this.#commit(threadId, write, { isResult });
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#connection.transaction(() => {
      this.#sql.deleteCheckpoints.run(threadId);
      this.#sql.deleteValues.run(threadId);
      this.#sql.deleteWrites.run(threadId);
    });
  }

  async #toTuple(row: CheckpointRow): Promise<CheckpointTuple> {
    const place: Place = {
      threadId: row.thread_id,
      namespace: row.namespace,
      checkpointId: row.checkpoint_id,
    };
    const writes = this.#sql.writes.all(row.thread_id, row.namespace, row.checkpoint_id);
    const [checkpoint, metadata, pendingWrites] = await Promise.all([
      this.#loadCheckpoint(row),
      this.serde.loadsTyped(row.type, row.metadata) as Promise<CheckpointMetadata>,
      Promise.all(
        writes.map(
          async ({ task_id, channel, type, value }): Promise<[string, string, unknown]> => [
            task_id,
            channel,
            await this.serde.loadsTyped(type, value),
          ],
        ),
      ),
    ]);
    return {
      config: toConfig(place),
      checkpoint,
      metadata,
      pendingWrites,
      ...(row.parent_id === null
        ? {}
        : { parentConfig: toConfig({ ...place, checkpointId: row.parent_id }) }),
    };
  }

  async #loadCheckpoint(row: CheckpointRow): Promise<Checkpoint> {
    const stored = (await this.serde.loadsTyped(row.type, row.checkpoint)) as Checkpoint;
    const values: Record<string, unknown> = {};
    for (const [channel, version] of Object.entries(stored.channel_versions)) {
      const found = this.#sql.value.get(row.thread_id, row.namespace, channel, String(version));
      if (found !== undefined) {
        values[channel] = await this.serde.loadsTyped(found.type, found.value);
      }
    }
    const checkpoint = { ...stored, channel_values: values };
    return stored.v < 4 && row.parent_id !== null
      ? this.#withSendsOf(row.parent_id, row, checkpoint)
      : checkpoint;
  }

  /** Formats before version 4 kept messages for later steps with the parent checkpoint. */
  async #withSendsOf(
    parentId: string,
    row: CheckpointRow,
    checkpoint: Checkpoint,
  ): Promise<Checkpoint> {
    const sends = this.#sql.writesOf.all(row.thread_id, row.namespace, parentId, TASKS);
    const values = await Promise.all(
      sends.map(({ type, value }) => this.serde.loadsTyped(type, value) as Promise<unknown>),
    );
    const versions = Object.values(checkpoint.channel_versions);
    const version =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    return {
      ...checkpoint,
      channel_values: { ...checkpoint.channel_values, [TASKS]: values },
      channel_versions: { ...checkpoint.channel_versions, [TASKS]: version },
    };
  }
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

/** A value for `? IS NULL OR column = ?`. */
function twice(value: unknown): [string | null, string | null] {
  const text = value === undefined || value === null ? null : String(value);
  return [text, text];
}

function fits(
  metadata: CheckpointMetadata | undefined,
  filter: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const facts: Readonly<Record<string, unknown>> = { ...metadata };
  return Object.entries(filter ?? {}).every(([key, value]) => facts[key] === value);
}
