import { sha256 } from '../base/canonical-json.ts';

/** The position of a call in its run; rounds of parallel branches have their own numbers. */
export interface CallPlace {
  readonly runId: string;
  readonly round: number;
  /** Among the calls of one answer. */
  readonly index: number;
}

/**
 * The id of the call at this position, the same every time. Nine letters and digits: Mistral's servers
 * accept nothing else. Some servers reject a conversation with duplicate ids, so the run id is part of it.
 */
export function callIdOf({ runId, round, index }: CallPlace): string {
  const bits = BigInt(`0x${sha256(`${runId} ${round} ${index}`)}`);
  return bits.toString(36).padStart(9, '0').slice(-9);
}
