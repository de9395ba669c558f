import type { ToolParts } from '#main/tools/define-tool.ts';

/** For tests without pictures: keeping one fails. */
export const noPictures: ToolParts['pictures'] = {
  add: () => Promise.reject(new Error('This test has no pictures')),
};

/** The same for pages of PDFs. */
export const noScans: ToolParts['scans'] = {
  draw: () => Promise.reject(new Error('This test has no scans')),
};
