import { AppError } from '#contract/errors.ts';
import type { ToolParts } from '#main/tools/define-tool.ts';

/** For tests without a browser: acting in one fails, and pages are not read by it. */
export const noBrowsers: ToolParts['browsers'] = {
  forTask: () => {
    throw new Error('This test has no browser');
  },
  render: async () => {
    throw new AppError('BROWSER_UNAVAILABLE', 'There is no browser that the agent can use.');
  },
};
