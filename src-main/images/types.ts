import type http from 'node:http';
import type { ImageServerInfo, ImageServerKind } from '#contract/images.ts';

/** What is to be made. Everything that decides the picture is given, so that it can be made again. */
export interface ImageOrder {
  /** `edit` changes all of `image`, `inpaint` what is white in `mask`; `upscale` makes `image` larger. */
  readonly operation: 'create' | 'edit' | 'inpaint' | 'upscale';
  readonly prompt: string;
  /** What must not be in the picture; empty for nothing. */
  readonly negativePrompt: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** Of the first picture; each further one has the next. */
  readonly seed: number;
  /** Null leaves it to the server. */
  readonly steps: number | null;
  readonly guidance: number | null;
  readonly model: string | null;
  /** A PNG; null for `create`. */
  readonly image: Uint8Array | null;
  /** A PNG of the same size, white where the picture may change; null except for `inpaint`. */
  readonly mask: Uint8Array | null;
  /** The same as a PNG that is transparent where the picture may change: how services take it. */
  readonly clearMask: Uint8Array | null;
  /** How much of `image` may change, 0 to 1; null leaves it to the provider. */
  readonly strength: number | null;
  /** For `upscale`: how many times larger. */
  readonly scale: number;
}

export interface MadeImage {
  /** As the server sent it: to be decoded apart before any use. */
  readonly bytes: Uint8Array;
  /** Null where the service has no seeds. */
  readonly seed: number | null;
  /** The model that the server says it used; null where it does not say. */
  readonly model: string | null;
}

/** How far a job is. Null is not known. */
export interface ImageProgress {
  /** Jobs before this one. */
  readonly queue: number | null;
  readonly step: number | null;
  readonly steps: number | null;
  /** The unfinished picture, as the server sent it. */
  readonly preview: Uint8Array | null;
}

export interface ImageWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImageProgress) => void;
}

/** One image server or service, behind its own protocol. Nothing that it sends is trusted. */
export interface ImageProvider {
  readonly kind: ImageServerKind;
  /** What it offers. Throws `IMAGE_UNAVAILABLE` where nothing answers, or something else does. */
  inspect(signal: AbortSignal): Promise<ImageServerInfo>;
  /**
   * The pictures of an order, in its order. Aborting cancels on the server too, at once, and rejects with the signal's
   * reason. Throws `IMAGE_UNAVAILABLE`, `IMAGE_FAILED`, `EGRESS_DENIED`.
   */
  make(order: ImageOrder, watch: ImageWatch): Promise<readonly MadeImage[]>;
}

/** Milliseconds and bytes. */
export interface ImageLimits {
  /** For an answer that needs no work. */
  readonly quickMs: number;
  /** For word that an order was cancelled. */
  readonly cancelMs: number;
  /** Between two questions about how far a job is. */
  readonly pollMs: number;
  /** Without anything new of a job. */
  readonly stallMs: number;
  readonly answerBytes: number;
}

export const IMAGE_LIMITS: ImageLimits = {
  quickMs: 10_000,
  cancelMs: 2_000,
  pollMs: 400,
  // stable-diffusion.cpp says nothing while it draws, which takes this long without a graphics card.
  stallMs: 45 * 60_000,
  answerBytes: 128 * 1024 * 1024,
};

/**
 * Where a picture would be made now: by a server on this computer that answers, by a service or another computer, which are not asked, or
 * by nothing, and what to do about it.
 */
export type ImagePlace =
  | { readonly where: 'here' | 'elsewhere' }
  | { readonly where: 'nowhere'; readonly why: string };

/** Makes the connections to one server; the caller destroys them. */
export type CreateImageAgent = (url: URL) => http.Agent;
