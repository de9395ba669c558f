import type { EvalSet } from '../types.ts';
import { END_TO_END } from './end-to-end.ts';
import { PLANNING } from './planning.ts';
import { researchSet } from './research.ts';
import { ROUTING } from './routing.ts';
import { TOOL_CHOICE } from './tool-choice.ts';

/** Every set, in the order of the table. */
export const SETS: readonly EvalSet[] = [
  ROUTING,
  TOOL_CHOICE,
  PLANNING,
  // The fixture web comes with the search; until then the set says that it is not there.
  researchSet(null),
  END_TO_END,
];
