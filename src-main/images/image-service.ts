import { AppError } from '#contract/errors.ts';
import { IMAGE_EDGE, type ImageProgressNotice, type ImageServerInfo } from '#contract/images.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { AppEgress, RunEgress } from '../egress/app-egress.ts';
import { createEgressAgent } from '../egress/egress-agent.ts';
import { targetOfUrl } from '../egress/target.ts';
import type { EgressClient } from '../egress/types.ts';
import { createPlainAgent } from '../models/transport/create-agent.ts';
import { isDirect } from '../models/transport/guarded-agents.ts';
import type { PictureDecoder } from '../pictures/picture-decoder.ts';
import { fitWithin } from '../pictures/sizes.ts';
import type { Size } from '../pictures/types.ts';
import {
  allImageContacts,
  type ImageContact,
  INSTALL_HINT,
  imageContacts,
  isOfUser,
  isService,
} from './image-contacts.ts';
import { failed, unavailable } from './image-errors.ts';
import { ImageQueue } from './image-queue.ts';
import type { ProviderParts } from './open-provider.ts';
import type {
  CreateImageAgent,
  ImageOrder,
  ImagePlace,
  ImageProgress,
  ImageProvider,
  MadeImage,
} from './types.ts';

/** Larger than what any server makes, and less than the decoder's limit. */
const LARGEST = { width: 8_192, height: 8_192 };
/** Of a picture from words without a size. */
const USUAL = { width: 1_024, height: 1_024 };
/** The largest in which a given picture is drawn again, unless a size is wanted: more takes most graphics cards' memory. */
const DRAWN = { width: 2_048, height: 2_048 };
/** Servers draw in steps of this many pixels. */
const GRID = 8;
/** Edge of the unfinished picture that the window shows, in pixels. */
const PREVIEW_EDGE = 320;

export interface ImageServiceParts extends ProviderParts {
  readonly settings: () => Settings;
  readonly decoder: Pick<PictureDecoder, 'decode'>;
  readonly notify: (progress: ImageProgressNotice) => void;
  /** For servers on this computer that are only asked whether they answer. */
  readonly createAgent?: CreateImageAgent;
  /** Other addresses of the services, for tests. */
  readonly services?: Parameters<typeof imageContacts>[1];
}

/** A picture that was made and checked: a PNG without metadata. */
export interface CheckedImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly seed: number | null;
  readonly model: string | null;
  /** Nothing but black: what servers send when their numbers overflow. */
  readonly isBlack: boolean;
}

export interface MadeOrder {
  readonly contact: ImageContact;
  readonly images: readonly CheckedImage[];
  /** Why pictures of the order are missing, for the user. */
  readonly problems: readonly string[];
}

/** Where an order may go, and whom its progress is for. */
export interface OrderScope {
  /** What the call was judged by: nothing else is asked. */
  readonly contacts: readonly ImageContact[];
  readonly createAgent: CreateImageAgent;
  readonly signal: AbortSignal;
  readonly threadId: string;
  readonly toolCallId: string;
}

/** An order before its pictures were read. */
export type GivenOrder = Omit<ImageOrder, 'width' | 'height' | 'image' | 'mask' | 'clearMask'> & {
  /** Null for that of the given picture, or the usual one. */
  readonly width: number | null;
  readonly height: number | null;
  /** The bytes of files. */
  readonly image: Uint8Array | null;
  readonly mask: Uint8Array | null;
};

/** What tools use of it. */
export type ImageMaker = Pick<ImageService, 'contacts' | 'place' | 'make'>;

/** Makes pictures by servers of the user's and by services. */
export class ImageService {
  readonly #parts: ImageServiceParts;
  readonly #queue = new ImageQueue();

  constructor(parts: ImageServiceParts) {
    this.#parts = parts;
  }

  /** What would be asked for a picture now, in order. */
  contacts(): readonly ImageContact[] {
    return imageContacts(this.#parts.settings(), this.#parts.services);
  }

  /** Where a picture would be made now. Only servers on this computer are asked whether they answer. */
  async place(signal: AbortSignal): Promise<ImagePlace> {
    const contacts = this.contacts();
    if (contacts.some(({ isLocal }) => !isLocal)) return { where: 'elsewhere' };
    try {
      await this.#find({
        contacts,
        createAgent: this.#parts.createAgent ?? createPlainAgent,
        signal,
      });
      return { where: 'here' };
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      return { where: 'nowhere', why: error.message };
    }
  }

  /**
   * Makes the pictures of an order, by the first contact that answers. Throws `IMAGE_UNAVAILABLE` where none does,
   * `IMAGE_FAILED`, `EGRESS_DENIED`, `PICTURE_UNREADABLE` and `PICTURE_TOO_LARGE` for a picture that was given, and the
   * signal's reason, after the cancel was sent.
   */
  async make(given: GivenOrder, scope: OrderScope): Promise<MadeOrder> {
    const { signal } = scope;
    const order = await this.#read(given, signal);
    const { contact, provider, info } = await this.#find(scope);
    requireAbility(contact, info, order);
    const progress = this.#reports(scope);
    const work = (): Promise<readonly MadeImage[]> =>
      provider.make(order, { signal, onProgress: progress.report });
    const waiting = (queue: number): void =>
      progress.report({ queue, step: null, steps: null, preview: null });
    try {
      const made = isService(contact.kind)
        ? await work()
        : await this.#queue.run(contact.address, { signal, onPlace: waiting }, work);
      return { contact, ...(await this.#check(made, { order, contact, signal })) };
    } finally {
      progress.end();
    }
  }

  /** Every server and service; those of the user's are asked, and so is the service in use. */
  async servers(
    createAgent: CreateImageAgent,
    signal: AbortSignal,
  ): Promise<RequestOutput<'images.servers'>> {
    const { settings, services } = this.#parts;
    const { imageProvider } = settings();
    const found = await Promise.all(
      allImageContacts(settings(), services).map(async (contact) => {
        const isAsked = !isService(contact.kind) || contact.kind === imageProvider;
        const asked = isAsked ? await this.#ask(contact, createAgent, signal) : null;
        return { contact, asked };
      }),
    );
    const used = new Set(this.contacts().map(({ kind }) => kind));
    const first = found.find(
      ({ contact, asked }) => used.has(contact.kind) && asked !== null && 'info' in asked,
    );
    return {
      servers: found.map(({ contact, asked }) => ({
        kind: contact.kind,
        address: isService(contact.kind) ? null : contact.address,
        isUsed: contact === first?.contact,
        info: asked !== null && 'info' in asked ? asked.info : null,
        problem: asked !== null && 'error' in asked ? asked.error.message : null,
      })),
    };
  }

  async #find({
    contacts,
    createAgent,
    signal,
  }: Pick<OrderScope, 'contacts' | 'createAgent' | 'signal'>): Promise<{
    readonly contact: ImageContact;
    readonly provider: ImageProvider;
    readonly info: ImageServerInfo;
  }> {
    const asked = contacts.map((contact) => this.#ask(contact, createAgent, signal));
    // Those after the first that answers are not awaited.
    for (const one of asked) one.catch(() => undefined);
    const errors: AppError[] = [];
    for (const [index, contact] of contacts.entries()) {
      const answer = await asked[index];
      signal.throwIfAborted();
      if (answer === undefined) continue;
      if ('info' in answer) return { contact, ...answer };
      errors.push(answer.error);
    }
    const [only] = errors;
    // One that was chosen says itself what is wrong.
    if (only !== undefined && contacts.length === 1) throw only;
    throw unavailable(
      `Nothing on this computer makes pictures: ${contacts.map(({ label, address }) => `${label} does not answer at ${address}`).join(', ')}. ${INSTALL_HINT}`,
    );
  }

  async #ask(
    contact: ImageContact,
    createAgent: CreateImageAgent,
    signal: AbortSignal,
  ): Promise<
    | { readonly provider: ImageProvider; readonly info: ImageServerInfo }
    | { readonly error: AppError }
  > {
    try {
      const { comfyuiWorkflow: workflow } = this.#parts.settings();
      // Loaded by the first picture.
      const { openProvider } = await import('./open-provider.ts');
      const provider = await openProvider(contact, createAgent, { ...this.#parts, workflow });
      return { provider, info: await provider.inspect(signal) };
    } catch (error) {
      if (error instanceof AppError && !signal.aborted) return { error };
      throw error;
    }
  }

  /** The order with its pictures decoded and written again: servers get nothing else of a file. */
  async #read(given: GivenOrder, signal: AbortSignal): Promise<ImageOrder> {
    const { decoder, settings } = this.#parts;
    const model = given.model ?? (settings().imageModel.trim() || null);
    if (given.image === null) {
      const size = sizeOf(given, USUAL);
      return { ...given, ...size, model, image: null, mask: null, clearMask: null };
    }
    const within = LARGEST;
    const image = await decoder.decode(given.image, { within, form: 'exact' }, signal);
    const size = sizeOf(given, fitWithin(image, DRAWN));
    const order = { ...given, ...size, model, image: image.data, mask: null, clearMask: null };
    if (given.mask === null) return order;
    const mask = await decoder.decode(given.mask, { within, form: 'mask' }, signal);
    if (mask.width !== image.width || mask.height !== image.height) {
      throw new AppError(
        'BAD_REQUEST',
        `The mask has ${mask.width} × ${mask.height} pixels, and the picture ${image.width} × ${image.height}. Give a mask of the same size.`,
      );
    }
    if (mask.isBlack === true) {
      throw new AppError(
        'BAD_REQUEST',
        'The mask is black: nothing may change. Paint white what may.',
      );
    }
    const clear = await decoder.decode(given.mask, { within, form: 'clear_mask' }, signal);
    return { ...order, mask: mask.data, clearMask: clear.data };
  }

  async #check(
    made: readonly MadeImage[],
    { order, contact, signal }: { order: ImageOrder; contact: ImageContact; signal: AbortSignal },
  ): Promise<Omit<MadeOrder, 'contact'>> {
    const images: CheckedImage[] = [];
    const problems: string[] = [];
    // More than was asked for would be kept unseen.
    for (const { bytes, seed, model } of made.slice(0, order.count)) {
      try {
        const job = { within: LARGEST, form: 'exact' } as const;
        const picture = await this.#parts.decoder.decode(bytes, job, signal);
        const { data: png, width, height, isBlack } = picture;
        images.push({ png, width, height, seed, model, isBlack: isBlack === true });
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error;
        problems.push(`${contact.label} sent something that is no picture. ${error.message}`);
      }
    }
    if (images.length === 0) {
      throw failed(problems[0] ?? `${contact.label} finished, and sent no picture.`);
    }
    if (made.length < order.count) {
      problems.push(`${contact.label} made ${made.length} of ${order.count} pictures.`);
    }
    return { images, problems };
  }

  /** Passes progress on; previews are decoded first, one at a time, and the newest is shown. */
  #reports({ threadId, toolCallId, signal }: OrderScope): {
    readonly report: (progress: ImageProgress) => void;
    readonly end: () => void;
  } {
    const { decoder, notify } = this.#parts;
    let shown: string | null = null;
    let last: Omit<ImageProgress, 'preview'> = { queue: null, step: null, steps: null };
    let next: Uint8Array | null = null;
    let isDecoding = false;
    let hasEnded = false;
    const send = (): void => {
      if (!hasEnded) notify({ threadId, toolCallId, ...last, preview: shown });
    };
    const decodeNext = async (): Promise<void> => {
      isDecoding = true;
      while (next !== null && !hasEnded) {
        const bytes = next;
        next = null;
        const within = { width: PREVIEW_EDGE, height: PREVIEW_EDGE };
        const made = await decoder
          .decode(bytes, { within, previewEdge: PREVIEW_EDGE }, signal)
          // A preview that is no picture is none.
          .catch(() => null);
        if (made?.preview == null) continue;
        shown = `data:image/png;base64,${Buffer.from(made.preview).toString('base64')}`;
        send();
      }
      isDecoding = false;
    };
    return {
      report: ({ preview, ...rest }) => {
        last = rest;
        send();
        if (preview === null) return;
        next = preview;
        if (!isDecoding) void decodeNext();
      },
      end: () => {
        hasEnded = true;
      },
    };
  }
}

/** The wanted size, on the grid of the servers. */
function sizeOf({ width, height }: Pick<GivenOrder, 'width' | 'height'>, usual: Size): Size {
  return { width: onGrid(width ?? usual.width), height: onGrid(height ?? usual.height) };
}

function onGrid(edge: number): number {
  const { least, most } = IMAGE_EDGE;
  return Math.min(most, Math.max(least, Math.round(edge / GRID) * GRID));
}

/** Connections of a run: directly on this computer, and everywhere else by its egress. */
export function imageAgentsOfRun(egress: Pick<RunEgress, 'client'>): CreateImageAgent {
  return agents((url) => egress.client('model', [targetOfUrl(url)], { byUser: isOfUser(url) }));
}

/** The same for what the user asks for in the settings. */
export function imageAgentsOfUser(egress: Pick<AppEgress, 'appClient'>): CreateImageAgent {
  return agents((url) => egress.appClient('model', [targetOfUrl(url)], { byUser: isOfUser(url) }));
}

function agents(clientFor: (url: URL) => EgressClient): CreateImageAgent {
  return (url) => {
    const client = clientFor(url);
    return isDirect(url, client) ? createPlainAgent(url) : createEgressAgent(client, url);
  };
}

function requireAbility(
  { label }: ImageContact,
  { can }: ImageServerInfo,
  { operation }: ImageOrder,
): void {
  if (operation === 'create' || can[operation]) return;
  const what = {
    edit: 'change a picture',
    inpaint: 'change a part of a picture',
    upscale: 'make a picture larger',
  }[operation];
  throw failed(`${label} cannot ${what}. Choose another server in the settings, under Pictures.`);
}
