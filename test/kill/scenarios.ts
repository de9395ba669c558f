import { BROWSING_SCENARIO } from './browsing-scenario.ts';
import { DYNAMIC_SCENARIO } from './dynamic-scenario.ts';
import { ESCALATION_SCENARIO } from './escalation-scenario.ts';
import { PICTURE_SCENARIO } from './picture-scenario.ts';
import { PLAN_SCENARIO } from './plan-scenario.ts';
import { RESEARCH_SCENARIO } from './research-scenario.ts';
import { CALLS_SCENARIO, type KillScenario } from './scenario.ts';
import { SESSION_SCENARIO } from './session-scenario.ts';
import { SKILL_SCENARIO } from './skill-scenario.ts';

/** Every kind of run that is killed, by its name on the command line. */
export const SCENARIOS: Readonly<Record<string, KillScenario>> = {
  calls: CALLS_SCENARIO,
  plan: PLAN_SCENARIO,
  escalation: ESCALATION_SCENARIO,
  research: RESEARCH_SCENARIO,
  skill: SKILL_SCENARIO,
  session: SESSION_SCENARIO,
  dynamic: DYNAMIC_SCENARIO,
  pictures: PICTURE_SCENARIO,
  browsing: BROWSING_SCENARIO,
};
