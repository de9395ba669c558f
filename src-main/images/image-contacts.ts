import {
  IMAGE_SERVER_LABELS,
  type ImageServerKind,
  LOCAL_IMAGE_SERVERS,
  type LocalImageServer,
} from '#contract/images.ts';
import type { Settings } from '#contract/settings.ts';
import { type EgressTarget, targetOfUrl } from '../egress/target.ts';
import { isLoopback } from '../models/transport/create-agent.ts';

/** A server or service that would be asked, by the settings alone. */
export interface ImageContact {
  readonly kind: ImageServerKind;
  readonly label: string;
  readonly address: string;
  readonly target: EgressTarget;
  /** On this computer: nothing leaves it. */
  readonly isLocal: boolean;
}

/** Where the services are, without their version's paths. */
const SERVICES: Readonly<Record<Exclude<ImageServerKind, LocalImageServer>, string>> = {
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** What to do where a server does not answer. */
export const START_HINTS: Readonly<Record<ImageServerKind, string>> = {
  comfyui: 'Start ComfyUI, or correct its address in the settings, under Pictures.',
  webui:
    'Start AUTOMATIC1111 or Forge with --api, or correct its address in the settings, under Pictures.',
  'sd-server':
    'Start it with: sd-server -m MODEL; or correct its address in the settings, under Pictures.',
  openai: 'Check the network, and whether the app is allowed to go online.',
  gemini: 'Check the network, and whether the app is allowed to go online.',
};

/** What to install where there is nothing. */
export const INSTALL_HINT =
  'Install one of ComfyUI, stable-diffusion.cpp, AUTOMATIC1111 or Forge and start it, or choose a service with a key in the settings, under Pictures.';

/** Those that would make a picture, in order: the chosen one, or the user's own servers. */
export function imageContacts(settings: Settings, services = SERVICES): readonly ImageContact[] {
  const { imageProvider } = settings;
  const kinds = imageProvider === 'auto' ? LOCAL_IMAGE_SERVERS : [imageProvider];
  return kinds.flatMap((kind) => contactOf(kind, settings, services) ?? []);
}

/** All of them, as the settings have them. */
export function allImageContacts(settings: Settings, services = SERVICES): readonly ImageContact[] {
  const kinds: readonly ImageServerKind[] = [...LOCAL_IMAGE_SERVERS, 'openai', 'gemini'];
  return kinds.flatMap((kind) => contactOf(kind, settings, services) ?? []);
}

export function isService(
  kind: ImageServerKind,
): kind is Exclude<ImageServerKind, LocalImageServer> {
  return kind === 'openai' || kind === 'gemini';
}

/** Whether the user named the address: only then may it be on their own network. */
export function isOfUser({ host }: URL): boolean {
  return !Object.values(SERVICES).some((address) => new URL(address).host === host);
}

function contactOf(
  kind: ImageServerKind,
  { imageServers }: Settings,
  services: typeof SERVICES,
): ImageContact | null {
  const address = isService(kind) ? services[kind] : imageServers[kind];
  const url = URL.parse(address);
  if (url === null) return null;
  const label = IMAGE_SERVER_LABELS[kind];
  return { kind, label, address, target: targetOfUrl(url), isLocal: isLoopback(url) };
}
