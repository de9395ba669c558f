import type { PictureKind } from './picture-kind.ts';

/** The size of a picture in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PictureLimits {
  /** Size of the file. */
  readonly bytes: number;
  /** Of the picture in the file. */
  readonly pixels: number;
  /** Milliseconds for one file. */
  readonly timeMs: number;
  /** Memory of one decoder. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;

/** 64 megapixels are 8,000 × 8,000: more than phones take unless asked to, and less than decoding bombs. */
export const PICTURE_LIMITS: PictureLimits = {
  bytes: 50 * MIB,
  pixels: 64_000_000,
  timeMs: 60_000,
  memoryBytes: 1024 * MIB,
};

/**
 * How the result is written: `usual` as suits a model; `exact` without any loss, as RGB; `mask` as RGB that is black and white;
 * `clear_mask` as RGBA, transparent where the picture is white.
 */
export type PictureForm = 'usual' | 'exact' | 'mask' | 'clear_mask';

/** What is wanted of a picture. A picture is made smaller, never larger. */
export interface DecodeJob {
  readonly kind: PictureKind;
  /** How large the result may be. */
  readonly within: Size;
  /** Edge of a small copy, a PNG; absent for none. */
  readonly previewEdge?: number;
  /** `usual` if absent. */
  readonly form?: PictureForm;
}

export interface DecodedPicture extends Size {
  readonly mimeType: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
  /** The size in the file, upright. */
  readonly original: Size;
  readonly preview: Uint8Array | null;
  /** Nothing but black; null where the form was `usual`. */
  readonly isBlack: boolean | null;
}

/** A job for the process. */
export interface PictureJob extends DecodeJob {
  readonly bytes: Uint8Array;
}
