import { asksAbroad } from './hints.ts';
import { plainKind } from './plain-kinds.ts';
import type { Sentence } from './sentences.ts';
import type { Step } from './step.ts';

const MOST_CHARS = 200;
const MOST_HAN = 60;
const MOST_SENTENCES = 5;
/** Looking, telling and saving only accompany the work. */
const LIGHT_WEIGHT = 0.25;
const LEAST_PLAN = 1.5;

export interface ReadRequest {
  readonly request: string;
  /** The prompt has a text or code besides the request. */
  readonly hasMaterial: boolean;
  readonly sentences: readonly Sentence[];
  readonly steps: readonly Step[];
}

/** Why one step is plainly enough, as a sentence for the user; null if that is not plain. */
export function plainlyOneStep({
  request,
  hasMaterial,
  sentences,
  steps,
}: ReadRequest): string | null {
  const han = request.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  if (request.length > MOST_CHARS || han > MOST_HAN || sentences.length > MOST_SENTENCES)
    return null;
  const heavy = steps.filter(({ weight }) => weight > LIGHT_WEIGHT);
  const weight = heavy.reduce((all, step) => all + step.weight, 0);
  if (weight >= LEAST_PLAN || heavy.some(({ inTurn }) => inTurn)) return null;
  const kind = plainKind(request, hasMaterial);
  const last = sentences.at(-1);
  // "My build fails. Why is it slow?": what stands before the question explains it.
  const isQuestion = last?.isQuestion === true && sentences.length > 1 && heavy.length === 0;
  return kind ?? (isQuestion && !asksAbroad(request) ? plainKind(last.text) : null);
}
