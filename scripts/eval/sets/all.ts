import type { EvalSet } from '../types.ts';
import { APPS } from './apps.ts';
import { END_TO_END } from './end-to-end.ts';
import { FIXTURE_RESEARCH } from './fixture-research.ts';
import { PLANNING } from './planning.ts';
import { researchSet } from './research.ts';
import { ROUTING, ROUTING_FLASH } from './routing.ts';
import { TOOL_CHOICE } from './tool-choice.ts';

/** Every set, in the order of the table. */
export const SETS: readonly EvalSet[] = [
  ROUTING,
  ROUTING_FLASH,
  TOOL_CHOICE,
  PLANNING,
  researchSet(FIXTURE_RESEARCH),
  END_TO_END,
  APPS,
];
