import { describe, expect, it } from 'vitest';
import { TOOL_CALL_FORMS } from '../../../fixtures/tool-call-forms.ts';
import { outline, TOOLS } from './reading.ts';

describe('each family writes its calls', () => {
  for (const [family, text, ...outcome] of TOOL_CALL_FORMS) {
    it(family, () => {
      expect(outline(text, { tools: TOOLS })).toEqual(outcome);
    });
  }
});
