import { sha256 } from '../base/canonical-json.ts';

/** The place of a call in its run; rounds of parallel work have numbers of their own. */
export interface CallPlace {
  readonly runId: string;
  readonly round: number;
  /** Among the calls of one answer. */
  readonly index: number;
}

/**
 * The id of the call at this place, for good. Nine letters and digits: Mistral's servers take no others,
 * and some servers refuse a conversation in which an id comes twice, so runs of a task differ in theirs.
 */
export function callIdOf({ runId, round, index }: CallPlace): string {
  const bits = BigInt(`0x${sha256(`${runId} ${round} ${index}`)}`);
  return bits.toString(36).padStart(9, '0').slice(-9);
}
