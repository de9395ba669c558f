import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import type { ListedModel } from '../openai/openai-wire.ts';
import type { ServerConnection } from '../transport/server-connection.ts';

const flag = z.boolean().nullish().catch(null);

/** llama.cpp. */
const Props = z.object({ modalities: z.object({ vision: flag }).nullish().catch(null) });

/** LM Studio's own API, and its older one. */
const OwnList = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      capabilities: z.object({ vision: flag }).nullish().catch(null),
    }),
  ),
});
const OlderList = z.object({ data: z.array(z.object({ id: z.string(), type: z.string() })) });

interface AskOptions {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Whether a model sees pictures; null where its server does not say. Never guessed from a name. */
export type VisionOf = (model: ListedModel) => boolean | null;

/**
 * What a server of OpenAI's protocol says of its models: in the list itself (OpenRouter, Mistral, Anthropic), at
 * llama.cpp's `/props`, or in LM Studio's own lists, which are asked only where the list comes from such a server.
 */
export async function visionOfListed(
  models: readonly ListedModel[],
  connection: ServerConnection,
  { provider, ...options }: AskOptions & { readonly provider: string },
): Promise<VisionOf> {
  const owners = new Set(models.map(({ owned_by }) => owned_by));
  if (owners.has('llamacpp')) {
    const props = safeParse(Props, await ask(connection, '/props', options));
    const vision = props.data?.modalities?.vision ?? null;
    // One model a server; with several, the server asks another one for each.
    return (model) => listedVision(model) ?? (models.length === 1 ? vision : null);
  }
  if (provider === 'lm-studio' || owners.has('organization_owner')) {
    const known = await lmStudioVision(connection, options);
    return (model) => listedVision(model) ?? known.get(model.id) ?? null;
  }
  return listedVision;
}

async function lmStudioVision(
  connection: ServerConnection,
  options: AskOptions,
): Promise<ReadonlyMap<string, boolean>> {
  const list = safeParse(OwnList, await ask(connection, '/api/v1/models', options));
  if (list.success) {
    return new Map(
      list.data.models.flatMap(({ key, capabilities }) =>
        capabilities?.vision == null ? [] : [[key, capabilities.vision] as const],
      ),
    );
  }
  const older = safeParse(OlderList, await ask(connection, '/api/v0/models', options));
  return new Map((older.data?.data ?? []).map(({ id, type }) => [id, type === 'vlm']));
}

/** A document next to `/v1`; null where there is none. */
async function ask(
  connection: ServerConnection,
  path: string,
  options: AskOptions,
): Promise<unknown> {
  const request = { method: 'GET', path, replaces: '/v1', ...options } as const;
  try {
    const { status, text } = await connection.small(request);
    return status === 200 ? parseJson(text) : null;
  } catch (error) {
    if (options.signal.aborted || !(error instanceof Error)) throw error;
    // What a server does not say is not known: the chat itself shows whether it is there.
    return null;
  }
}

function listedVision({
  capabilities,
  architecture,
  input_modalities,
}: ListedModel): boolean | null {
  const modalities = architecture?.input_modalities ?? input_modalities;
  if (modalities != null) return modalities.includes('image');
  if (!isRecord(capabilities)) return null;
  const { vision, image_input: imageInput } = capabilities;
  if (typeof vision === 'boolean') return vision;
  const supported = isRecord(imageInput) ? imageInput.supported : imageInput;
  return typeof supported === 'boolean' ? supported : null;
}
