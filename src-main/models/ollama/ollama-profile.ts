import { AppError } from '#contract/errors.ts';
import type { ModelFacts } from '../types.ts';
import type { ShowAnswer, TagsModel } from './ollama-wire.ts';

const GIB = 1024 ** 3;
const SMALLEST_WINDOW = 2048;

export const UNKNOWN_PROFILE: ModelFacts = {
  trainedContext: null,
  tools: null,
  thinking: null,
  vision: null,
  cloud: false,
};

/** The facts in `/api/show`; null for fields that old versions do not send. */
export function profileFromShow(name: string, show: ShowAnswer): ModelFacts {
  const architecture = show.model_info?.['general.architecture'];
  const trained =
    typeof architecture === 'string' ? show.model_info?.[`${architecture}.context_length`] : null;
  return {
    ...profileFromCapabilities(show.capabilities ?? null),
    trainedContext: typeof trained === 'number' && trained > 0 ? trained : null,
    cloud: isCloud(name, show),
    ...(show.modified_at ? { digest: show.modified_at } : {}),
  };
}

/** The facts in an entry of `/api/tags`; before 2026, capabilities are only in `/api/show`. */
export function profileFromTags(model: TagsModel): ModelFacts {
  return {
    ...profileFromCapabilities(model.capabilities ?? null),
    trainedContext: model.details?.context_length || null,
    cloud: isCloud(model.name, model),
  };
}

function profileFromCapabilities(capabilities: readonly string[] | null): ModelFacts {
  if (capabilities === null) return UNKNOWN_PROFILE;
  return {
    ...UNKNOWN_PROFILE,
    tools: capabilities.includes('tools'),
    thinking: capabilities.includes('thinking'),
    vision: capabilities.includes('vision'),
  };
}

/** Whether the local daemon forwards this name to a cloud: `x:cloud`, `x:120b-cloud`. */
export function isCloudName(name: string): boolean {
  return /:([^:/]*-)?cloud$/i.test(name);
}

function isCloud(
  name: string,
  remote: { remote_model?: string | null | undefined; remote_host?: string | null | undefined },
): boolean {
  return isCloudName(name) || Boolean(remote.remote_model) || Boolean(remote.remote_host);
}

/** Throws without consent: data for a model that looks local must not leave the machine unnoticed. */
export function requireCloudConsent(name: string, allowed: boolean): void {
  if (allowed) return;
  throw new AppError(
    'CLOUD_MODEL_NOT_ALLOWED',
    `${name} does not run on this machine: the server would forward everything to a cloud. Agree to that in the settings of this model, or with: hyperagent models allow ollama:${name}. Or choose one that runs here.`,
    { details: { model: name } },
  );
}

/** `num_ctx` of the Modelfile, from the lines of `/api/show`. */
export function modelfileContext(show: ShowAnswer): number | null {
  const match = /^num_ctx\s+(\d+)\s*$/m.exec(show.parameters ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}

/**
 * The window in tokens to request from Ollama: the user's setting, else the Modelfile's, else what the
 * memory of the machine allows. Ollama's own default is 4096 on most laptops, and it drops the oldest
 * messages silently. Never more than the model was trained for.
 */
export function chooseContextWindow(facts: {
  readonly setting: number | null;
  readonly modelfile: number | null;
  readonly trained: number | null;
  readonly memoryBytes: number;
}): number {
  const wanted = facts.setting ?? facts.modelfile ?? windowForMemory(facts.memoryBytes);
  return Math.max(SMALLEST_WINDOW, Math.min(wanted, facts.trained ?? wanted));
}

/** Tokens that a machine with this memory can usually hold in addition to a model that fits it. */
export function windowForMemory(bytes: number): number {
  // Machines report a little less memory than they have.
  if (bytes < 11 * GIB) return 8192;
  return bytes < 22 * GIB ? 16_384 : 32_768;
}
