import type { Random } from '../setup/sampling.ts';

/** One input in the forms in which parsers take it; all of them are made before the clock starts. */
export interface FuzzInput {
  readonly text: string;
  /** May hold what is no UTF-8. */
  readonly bytes: Buffer;
  /** The bytes, cut as a stream may cut them: whole, anywhere, one by one. */
  readonly chunks: readonly Buffer[];
  /** For choices of the target's own. */
  readonly random: Random;
}

/** A parser of main that reads what others wrote, with what it takes to make inputs for it. */
export interface FuzzTarget {
  readonly name: string;
  /** Who writes what it reads. */
  readonly faces: 'sandbox' | 'model' | 'server' | 'page' | 'file' | 'window';
  /** Valid inputs; `HOLE` in one is where hostile structures are put. Bytes for what is no text. */
  readonly seeds: readonly (string | Buffer)[];
  /** Words of its grammar. */
  readonly tokens: readonly string[];
  /** What the app itself lets through to it; longer inputs are cut. 1 MiB unless given. */
  readonly maxBytes?: number;
  /** Runs the parser as main does, to its end. */
  readonly run: (input: FuzzInput) => unknown;
  /** Errors of the parser's own that its only caller turns into one with a code. */
  readonly isTyped?: (error: unknown) => boolean;
}

/** Where hostile structures go in a seed. */
export const HOLE = '\uf8ff';
