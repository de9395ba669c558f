import { describeAccessibility } from '../setup/axe.ts';
import { SCREENS } from '../setup/screens.ts';

describeAccessibility('accessibility', SCREENS);
