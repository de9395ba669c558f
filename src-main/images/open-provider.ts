import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import type { ImageServerKind } from '#contract/images.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { cloudOf } from '../models/cloud/clouds.ts';
import { keySource } from '../models/connect.ts';
import type { Environment } from '../models/providers.ts';
import { type ImageContact, isService, START_HINTS } from './image-contacts.ts';
import { unavailable } from './image-errors.ts';
import { ImageHttp } from './image-http.ts';
import type { OwnWorkflow } from './providers/comfyui-own-workflow.ts';
import type { CreateImageAgent, ImageLimits, ImageProvider } from './types.ts';

export interface ProviderParts {
  /** A key from the secret store by its name; null if there is none. */
  readonly readSecret: (name: string) => string | null | Promise<string | null>;
  readonly env: Environment;
  /** Every key that is used is registered here. */
  readonly secrets: KnownSecrets;
  readonly limits?: Partial<ImageLimits>;
}

/** Of a workflow: real ones have some hundred kilobytes. */
const LARGEST_WORKFLOW = 1024 * 1024;

/** Each protocol is loaded by its first order. */
const PROTOCOLS: Readonly<
  Record<Exclude<ImageServerKind, 'comfyui'>, () => Promise<(http: ImageHttp) => ImageProvider>>
> = {
  'sd-server': async () => (await import('./providers/sd-server.ts')).sdServer,
  webui: async () => (await import('./providers/webui.ts')).webui,
  openai: async () => (await import('./providers/openai-images.ts')).openAiImages,
  gemini: async () => (await import('./providers/gemini-images.ts')).geminiImages,
};

/**
 * The provider behind a contact; nothing is sent yet. Throws `IMAGE_UNAVAILABLE` for a service without a key, and
 * `BAD_REQUEST` for a workflow that cannot be used.
 */
export async function openProvider(
  contact: ImageContact,
  createAgent: CreateImageAgent,
  parts: ProviderParts & { readonly workflow: string },
): Promise<ImageProvider> {
  const { kind, label, address } = contact;
  const http = new ImageHttp({
    ...{ baseUrl: address, label, createAgent, startHint: START_HINTS[kind] },
    ...(isService(kind) ? { headers: await keyHeaders(kind, parts) } : {}),
    ...(parts.limits === undefined ? {} : { limits: parts.limits }),
  });
  if (kind !== 'comfyui') return (await PROTOCOLS[kind]())(http);
  const { comfyui } = await import('./providers/comfyui.ts');
  const ownWorkflow = parts.workflow === '' ? null : await ownWorkflowAt(parts.workflow);
  return comfyui(http, ownWorkflow === null ? {} : { ownWorkflow });
}

async function keyHeaders(
  kind: 'openai' | 'gemini',
  { readSecret, env, secrets }: ProviderParts,
): Promise<Record<string, string>> {
  const cloud = cloudOf(kind);
  if (cloud === undefined) throw new Error(`${kind} is no service`);
  const source = await keySource(cloud, { readSecret, env });
  if (source === null) {
    throw unavailable(
      `There is no key for ${cloud.label}. Enter one in the settings, under Models, or set ${cloud.keyVariables.join(' or ')}.`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(source.key)) {
    throw unavailable(`The key for ${cloud.label} has characters that no key has. Enter it again.`);
  }
  secrets.register(source.key);
  return kind === 'gemini'
    ? { 'x-goog-api-key': source.key }
    : { authorization: `Bearer ${source.key}` };
}

async function ownWorkflowAt(path: string): Promise<OwnWorkflow> {
  const text = await readWorkflow(path).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'BAD_REQUEST',
      `The ComfyUI workflow ${path} cannot be read. Choose another file in the settings, under Pictures, or leave it empty.`,
      { cause },
    );
  });
  const { readOwnWorkflow } = await import('./providers/comfyui-own-workflow.ts');
  return readOwnWorkflow(text);
}

async function readWorkflow(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > LARGEST_WORKFLOW) {
    throw new AppError(
      'BAD_REQUEST',
      `The ComfyUI workflow ${path} has over 1 MB. Choose another file.`,
    );
  }
  return await readFile(path, 'utf8');
}
