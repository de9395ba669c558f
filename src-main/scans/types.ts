import type { Size } from '../pictures/types.ts';

export interface ScanLimits {
  /** Scanned pages of one document; further ones are left out. */
  readonly pages: number;
  /** Of one page as it is drawn. */
  readonly pixels: number;
  /** Of one picture in the file. */
  readonly picturePixels: number;
  /** Milliseconds for one page. */
  readonly timeMs: number;
  /** Milliseconds for the pages of one document; those after it are left out. */
  readonly documentMs: number;
  /** Memory of each of the two decoders. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;

/** A page of A4 at 300 dots an inch has 8.7 million pixels, at 1,200 dots 139. */
export const SCAN_LIMITS: ScanLimits = {
  pages: 500,
  pixels: 9_000_000,
  picturePixels: 140_000_000,
  timeMs: 60_000,
  documentMs: 15 * 60_000,
  memoryBytes: 768 * MIB,
};

/** For documents that nobody waits for, and that nobody asks for page by page. */
export const FOLDER_SCANS: Partial<ScanLimits> = { documentMs: 2 * 60 * 60_000 };

/** What was made out on a page. */
export interface RecognisedText {
  readonly text: string;
  /** How sure the recognition is, 0 to 100. */
  readonly confidence: number;
  /** The first words that may well be wrong. */
  readonly uncertain: readonly string[];
}

/** A page as PNG. */
export interface PageImage extends Size {
  readonly png: Uint8Array;
}

/** A job for the process. `open` comes first; the others are about that document. Pages count from 1. */
export type ScanJob =
  | { readonly kind: 'open'; readonly bytes: Uint8Array }
  | { readonly kind: 'recognise'; readonly page: number }
  | { readonly kind: 'draw'; readonly page: number; readonly within: Size };

/** Null of `recognise`: the page is no scan. */
export type ScanResult =
  | { readonly kind: 'open'; readonly pages: number }
  | { readonly kind: 'recognise'; readonly found: RecognisedText | null }
  | { readonly kind: 'draw'; readonly image: PageImage };
