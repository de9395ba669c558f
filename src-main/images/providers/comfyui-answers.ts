import { z } from 'zod';
import type { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { failed, said } from '../image-errors.ts';

/** What ComfyUI answers, as far as it is used, and what its errors mean for the user. */

const MOST_NAMES = 500;
const LONGEST_NAME = 300;
/** Names that are shown of a longer list. */
const SHOWN_NAMES = 5;

const Id = z.string().min(1).max(200);
const FilePart = z.string().max(1_000);

export const SystemStats = z.object({ system: z.object({ comfyui_version: z.string() }) });

export const Uploaded = z.object({ name: FilePart.min(1), subfolder: FilePart });

export const Queued = z.object({ prompt_id: Id });

/** Of each job, its number in the queue and its id. */
const QueueItem = z.tuple([z.number(), Id], z.unknown());
export const Queue = z.object({
  queue_running: z.array(QueueItem),
  queue_pending: z.array(QueueItem),
});

const SavedImage = z.object({
  filename: FilePart.min(1),
  subfolder: FilePart,
  type: z.enum(['output', 'temp']),
});
export type SavedImage = z.infer<typeof SavedImage>;

const History = z.object({
  outputs: z.record(z.string(), z.object({ images: z.array(z.unknown()).nullish() })),
  status: z.object({ status_str: z.string(), messages: z.array(z.unknown()).catch([]) }).nullish(),
});

/** What a finished job made: pictures by node, in the order in which ComfyUI names them. */
export type JobImages = ReadonlyMap<string, readonly SavedImage[]>;

const ExecutionError = z.object({
  node_type: z.string().nullish().catch(null),
  exception_message: z.string().nullish().catch(null),
  exception_type: z.string().nullish().catch(null),
});

const NodeError = z.object({
  message: z.string(),
  details: z.string().nullish().catch(null),
  type: z.string().nullish().catch(null),
  extra_info: z
    .object({
      input_name: z.string().nullish().catch(null),
      input_config: z.unknown(),
      received_value: z.unknown(),
    })
    .nullish()
    .catch(null),
});
const Refusal = z.object({
  error: z.object({
    type: z.string().nullish().catch(null),
    message: z.string(),
    details: z.string().nullish().catch(null),
  }),
  node_errors: z
    .record(z.string(), z.object({ errors: z.array(NodeError) }))
    .nullish()
    .catch(null),
});

/** The names in a list of files; null for what is none. */
export function namesIn(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const names: string[] = [];
  for (const one of value as readonly unknown[]) {
    if (names.length === MOST_NAMES) break;
    if (typeof one !== 'string' || one.length > LONGEST_NAME) continue;
    const name = one.replace(/[\p{Cc}\p{Cf}]/gu, '');
    if (name !== '') names.push(name);
  }
  return names;
}

/** The choices of an input, in the older and the newer style of `/object_info`; null for none. */
export function choicesOf(config: unknown): string[] | null {
  const [type, options] = Array.isArray(config) ? (config as readonly unknown[]) : [];
  if (type !== 'COMBO') return namesIn(type);
  const parsed = safeParse(z.object({ options: z.unknown() }), options);
  return parsed.success ? namesIn(parsed.data.options) : null;
}

/** The choices of one input of a node, from `/object_info/<node>`; null where the node is not there. */
export function choicesIn(info: unknown, node: string, input: string): string[] | null {
  const schema = z.object({
    [node]: z.object({ input: z.object({ required: z.object({ [input]: z.unknown() }) }) }),
  });
  const parsed = safeParse(schema, info);
  return parsed.success ? choicesOf(parsed.data[node]?.input.required[input]) : null;
}

/** Whether an answer of `/object_info/<node>` describes that node. */
export function hasNode(info: unknown, node: string): boolean {
  return safeParse(z.object({ [node]: z.looseObject({}) }), info).success;
}

/** A list of names for an error, shortened. */
export function shortList(names: readonly string[]): string {
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more}`;
}

/** Why `/prompt` refused a job. */
export function refusalOf(label: string, status: number, value: unknown): AppError {
  const parsed = safeParse(Refusal, value);
  if (!parsed.success) return failed(`${label} refused the job (status ${status}).`);
  const { error, node_errors } = parsed.data;
  if (/missing_node_type|invalid_prompt$/.test(error.type ?? '')) {
    return failed(
      `${label} has no such node: ${said(error.message)} Install it, or update ${label}.`,
    );
  }
  const first = Object.values(node_errors ?? {}).flatMap(({ errors }) => errors)[0];
  if (first === undefined) {
    return failed(`${label} refused the job: ${said(`${error.message} ${error.details ?? ''}`)}`);
  }
  const { extra_info: info } = first;
  const choices = first.type === 'value_not_in_list' ? choicesOf(info?.input_config) : null;
  if (choices !== null) {
    const received = typeof info?.received_value === 'string' ? info.received_value : '';
    return failed(
      `${label} has no "${said(received)}" for ${said(info?.input_name ?? 'an input')}. It has: ${shortList(choices) || 'none'}.`,
    );
  }
  return failed(`${label} refused the job: ${said(`${first.message}: ${first.details ?? ''}`)}`);
}

/** Why a job failed, from the data of `execution_error`. */
export function executionFailure(label: string, data: unknown): AppError {
  const parsed = safeParse(ExecutionError, data);
  const { node_type, exception_message, exception_type } = parsed.success
    ? parsed.data
    : { node_type: null, exception_message: null, exception_type: null };
  const words = exception_message ?? '';
  if (/OutOfMemory/.test(exception_type ?? '') || /out of memory/i.test(words)) {
    return failed(
      `${label} ran out of memory. Make the picture smaller, or close other programs that use the graphics card.`,
    );
  }
  const where = node_type == null ? '' : ` at "${said(node_type)}"`;
  return failed(
    `${label} failed${where}: ${said(words) || 'it gave no reason'}. Its own window and log say more.`,
  );
}

export function interruptedInServer(label: string): AppError {
  return failed(`The job was stopped in ${label}. Order the picture again if you want it.`);
}

/** What a job made, from its entry in the history. Throws `IMAGE_FAILED` if it failed, or is none. */
export function imagesOf(label: string, entry: unknown): JobImages {
  const parsed = safeParse(History, entry);
  if (!parsed.success) {
    throw failed(`${label} described the finished job in an unknown form. Update ${label}.`);
  }
  const { outputs, status } = parsed.data;
  if (status?.status_str === 'error') throw failureIn(label, status.messages);
  return new Map(
    Object.entries(outputs).map(([node, { images }]) => [
      node,
      (images ?? []).flatMap((image) => {
        const saved = safeParse(SavedImage, image);
        return saved.success ? [saved.data] : [];
      }),
    ]),
  );
}

function failureIn(label: string, messages: readonly unknown[]): AppError {
  for (const message of messages) {
    const [type, data] = Array.isArray(message) ? (message as readonly unknown[]) : [];
    if (type === 'execution_interrupted') return interruptedInServer(label);
    if (type === 'execution_error') return executionFailure(label, data);
  }
  return executionFailure(label, null);
}
