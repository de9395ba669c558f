import { DATA_TARGETS } from './targets/data.ts';
import { EVIDENCE_TARGETS } from './targets/evidence.ts';
import { GUARDRAIL_TARGETS } from './targets/guardrails.ts';
import { MODEL_SERVER_TARGETS } from './targets/model-servers.ts';
import { MODEL_TEXT_TARGETS } from './targets/model-text.ts';
import { PAGE_TARGETS } from './targets/pages.ts';
import { SANDBOX_TARGETS } from './targets/sandbox.ts';
import { SKILL_TARGETS } from './targets/skills.ts';
import { SLIDE_TARGETS } from './targets/slides.ts';
import { WINDOW_TARGETS } from './targets/window.ts';
import type { FuzzTarget } from './types.ts';

/** Every parser of main that reads what somebody else wrote. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...[...MODEL_SERVER_TARGETS, ...MODEL_TEXT_TARGETS, ...SANDBOX_TARGETS, ...PAGE_TARGETS],
  ...[...GUARDRAIL_TARGETS, ...SKILL_TARGETS, ...DATA_TARGETS, ...WINDOW_TARGETS],
  ...[...EVIDENCE_TARGETS, ...SLIDE_TARGETS],
];

export function findTarget(name: string): FuzzTarget {
  const target = FUZZ_TARGETS.find((one) => one.name === name);
  if (target === undefined) throw new Error(`There is no fuzz target ${name}`);
  return target;
}
