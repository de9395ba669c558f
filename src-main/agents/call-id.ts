import { sha256 } from '../base/canonical-json.ts';
import type { StepPath } from '../base/step-path.ts';

/**
 * The id of the call at this step, the same every time. Nine letters and digits: Mistral's servers accept
 * nothing else. Some servers reject a conversation with duplicate ids, so the run id is part of it.
 */
export function callIdOf(runId: string, step: StepPath): string {
  const bits = BigInt(`0x${sha256(`${runId} ${step}`)}`);
  return bits.toString(36).padStart(9, '0').slice(-9);
}
