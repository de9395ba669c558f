import type { ToolParts } from '#main/tools/define-tool.ts';

/** For tests without a browser: reaching for one fails. */
export const noBrowsers: ToolParts['browsers'] = {
  forTask: () => {
    throw new Error('This test has no browser');
  },
};
