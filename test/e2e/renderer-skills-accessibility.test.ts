import { describeAccessibility } from '../setup/axe.ts';
import { SKILL_SCREENS } from '../setup/skill-screens.ts';

describeAccessibility('accessibility of the skills', SKILL_SCREENS);
